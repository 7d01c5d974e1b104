/// TCP connections of a process, dialled and accepted. Numbered, and no number twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "perigee/host/loop.hpp"
#include "perigee/netcode/address.hpp"
#include "perigee/netcode/result.hpp"

namespace perigee::host {

class StreamSockets {
 public:
  using Id = std::uint64_t;
  static constexpr std::size_t backlog_max = 64;        ///< connections the kernel keeps for us
  static constexpr std::size_t connections_max = 1024;  ///< more are accepted and ended
  static constexpr std::size_t read_bytes_max = 64 << 10;

  /// Called on the loop's thread, never from within a call of this class.
  struct Events {
    std::function<void(Id)> accepted;
    std::function<void(Id)> connected;  ///< what dial() began
    std::function<void(Id, std::span<const std::byte>)> received;
    std::function<void(Id)> closed;  ///< by the other side or the network, or nobody was there
  };
  /// Binds and listens. Port 0 takes any free one. The error names the remedy.
  static Result<StreamSockets> open(Loop& loop, const Address& local, Events events);
  ~StreamSockets();
  StreamSockets(StreamSockets&&) noexcept;
  StreamSockets& operator=(StreamSockets&&) noexcept;

  Id dial(const Address& to);
  /// Sends now what the kernel takes, and keeps the rest: bound it by unsent_bytes().
  void write(Id to, std::span<const std::byte> bytes);
  std::size_t unsent_bytes(Id of) const;
  /// At once, whatever is unsent; no event of it follows.
  void close(Id which);
  Address local() const;

 private:
  struct Impl;
  explicit StreamSockets(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace perigee::host
