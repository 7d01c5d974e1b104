/// A UDP socket that works in batches: recvmmsg with kernel stamps, sendmmsg from a bounded queue.
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

struct UdpOptions {
  /// Kernel buffer. 4 MiB hold 50 ms of 64 k packets/s; the kernel may grant less (rmem_max).
  std::size_t kernel_buffer_bytes = 4 << 20;
  /// Datagrams waiting to be sent; more are dropped and counted. 1.5 kB each, taken at open.
  std::size_t send_queue_datagrams = 1024;
};

/// One received datagram; valid during the call of the handler. The bytes may be changed in place.
struct Datagram {
  Address from;
  Micros received_us = 0;  ///< when the kernel had it, on Loop::clock_us()
  std::span<std::byte> bytes;
};

/// Running totals since open.
struct UdpCounts {
  std::uint64_t received_datagrams = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t received_oversized = 0;  ///< larger than datagram_bytes_max: dropped
  std::uint64_t kernel_dropped = 0;      ///< lost before we read them: the buffer was full
  std::uint64_t sent_datagrams = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t send_queue_full = 0;  ///< dropped by us
  std::uint64_t send_failed = 0;      ///< dropped by the kernel (no route, not permitted, ...)
};

class UdpSocket {
 public:
  static constexpr std::size_t datagram_bytes_max = 1500;
  static constexpr std::size_t batch_datagrams = 64;
  /// Reading stops here for this turn, so that timers and the other sockets get theirs.
  static constexpr std::size_t turn_datagrams_max = 1024;
  using Receive = std::function<void(std::span<const Datagram>)>;

  /// Binds and starts receiving. Port 0 takes any free one. The error names the remedy.
  static Result<UdpSocket> open(Loop& loop, const Address& local, const UdpOptions& options,
                                Receive receive);
  ~UdpSocket();
  UdpSocket(UdpSocket&&) noexcept;
  UdpSocket& operator=(UdpSocket&&) noexcept;

  /// Queues a copy; sent at the end of this turn, or earlier when a batch is full.
  void send(const Address& to, std::span<const std::byte> bytes);
  /// Sends what is queued now.
  void flush();
  /// Delivers what the kernel holds now, before the loop comes to it. Not from within `receive`.
  void receive_now();
  Address local() const;
  const UdpCounts& counts() const;
  /// What the kernel granted; less than asked for when net.core.rmem_max is smaller.
  std::size_t kernel_buffer_bytes() const;

 private:
  struct Impl;
  explicit UdpSocket(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace perigee::host
