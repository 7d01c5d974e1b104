/// TCP connections of a process, outgoing and incoming. Each has a number that is never reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::host {

class StreamSockets {
 public:
  using Id = std::uint64_t;
  static constexpr std::size_t backlog_max = 64;  ///< pending connections in the kernel's queue
  static constexpr std::size_t connections_max = 1024;  ///< further ones are accepted and closed
  static constexpr std::size_t read_bytes_max = 64 << 10;

  /// Called on the loop's thread, never from within a call of this class.
  struct Events {
    std::function<void(Id)> accepted;
    std::function<void(Id)> connected;  ///< result of dial()
    std::function<void(Id, std::span<const std::byte>)> received;
    std::function<void(Id)> closed;  ///< by the peer or the network, or refused
  };
  /// Binds and listens. Port 0 takes any free one. The error names the remedy.
  static Result<StreamSockets> open(Loop& loop, const Address& local, Events events);
  ~StreamSockets();
  StreamSockets(StreamSockets&&) noexcept;
  StreamSockets& operator=(StreamSockets&&) noexcept;

  Id dial(const Address& to);
  /// Sends at once as much as the kernel accepts and queues the rest. The caller bounds the queue
  /// by means of unsent_bytes().
  void write(Id to, std::span<const std::byte> bytes);
  std::size_t unsent_bytes(Id of) const;
  /// Closes at once and drops unsent bytes; no event of it follows.
  void close(Id which);
  Address local() const;

 private:
  struct Impl;
  explicit StreamSockets(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace perigee::host
