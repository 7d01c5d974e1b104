/// A UDP socket that works in batches: recvmmsg with kernel stamps, sendmmsg from a bounded queue,
/// runs of datagrams to one peer as one message (GSO).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "perigee/base/address.hpp"
#include "perigee/base/result.hpp"
#include "perigee/host/arrival_gauge.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::host {

struct UdpOptions {
  /// Kernel buffer. 4 MiB hold 50 ms of 64 k packets/s; the kernel may grant less (rmem_max).
  std::size_t kernel_buffer_bytes = 4 << 20;
  /// Datagrams waiting to be sent; more are dropped and counted. 1.5 kB each, allocated at open.
  std::size_t send_queue_datagrams = 1024;
  /// Datagrams that one system call reads, at most batch_datagrams. 1.6 kB each, allocated at open.
  std::size_t read_datagrams = 64;
  /// Reading stops after this many in a turn, so that timers and other sockets get their turn.
  std::size_t turn_datagrams_max = 256;
  Gathering gathering;
  /// Datagrams carry the kernel's receive stamp; otherwise the time of the call that read them.
  bool stamps = true;
};

/// One received datagram; valid during the handler's call. Never empty. The bytes may be modified
/// in place.
struct Datagram {
  Address from;
  /// When the kernel received it, on Loop::clock_us(); see UdpOptions::stamps.
  Micros received_us = 0;
  std::span<std::byte> bytes;
};

/// Running totals since open.
struct UdpCounts {
  std::uint64_t received_datagrams = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t received_oversized = 0;  ///< larger than datagram_bytes_max: dropped
  std::uint64_t received_empty = 0;      ///< no payload: dropped
  std::uint64_t receive_failed = 0;      ///< calls that failed
  std::uint64_t kernel_dropped = 0;      ///< lost because the kernel's buffer was full
  std::uint64_t sent_datagrams = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t sent_in_runs = 0;     ///< of `sent_datagrams`: as part of a run (GSO)
  std::uint64_t send_queue_full = 0;  ///< dropped by us
  std::uint64_t send_failed = 0;      ///< dropped by the kernel (no route, not permitted, ...)
};

/// Selects the datagrams for the first of two sockets on one port; all bounds are inclusive. A run
/// that arrives unsegmented (loopback) goes where its first datagram belongs.
struct UdpShape {
  std::uint16_t bytes_min = 1;
  std::uint8_t low_nibble_min = 0, low_nibble_max = 15;  ///< of the first byte
  std::uint8_t high_nibble_min = 0, high_nibble_max = 15;
};

class UdpSocket {
 public:
  static constexpr std::size_t datagram_bytes_max = 1500;
  static constexpr std::size_t batch_datagrams = 64;
  static constexpr std::size_t receive_now_turns_max = 16;
  using Receive = std::function<void(std::span<const Datagram>)>;

  /// Binds and starts receiving. Port 0 takes any free port. An IPv6 address also accepts IPv4
  /// where the address allows it (::). The error names the remedy.
  static Result<UdpSocket> open(Loop& loop, const Address& local, const UdpOptions& options,
                                Receive receive);
  /// Two sockets on one port: the kernel passes datagrams of this shape to the first and all others
  /// to the second. Traffic that fills the second's buffer cannot cost the first a datagram. The
  /// second is not read on arrival: receive_noted() reads it after the other sockets had their
  /// turn.
  static Result<std::pair<UdpSocket, UdpSocket>> open_pair(
      Loop& loop, const Address& local, const UdpShape& shape, const UdpOptions& first_options,
      Receive first_receive, const UdpOptions& second_options, Receive second_receive);
  ~UdpSocket();
  UdpSocket(UdpSocket&&) noexcept;
  UdpSocket& operator=(UdpSocket&&) noexcept;

  /// Queues a copy; sent at the end of this turn, or earlier when a batch is full.
  void send(const Address& to, std::span<const std::byte> bytes);
  /// Sends the queued datagrams now.
  void flush();
  /// Delivers the datagrams in the kernel's buffer now, before the loop does: as many as
  /// receive_now_turns_max turns do. Not from within `receive`.
  void receive_now();
  /// The same for the second of a pair, if the loop saw datagrams there.
  void receive_noted();
  /// For the first of a pair: from now on it gets datagrams of its shape only from these peers.
  /// Before the first call, or with more peers than the kernel accepts (some thousands), it gets
  /// them from any sender.
  void know_peers(std::span<const Address> peers);
  Address local() const;
  UdpCounts counts() const;
  /// The size that the kernel granted; less than requested when net.core.rmem_max is smaller.
  std::size_t kernel_buffer_bytes() const;

 private:
  struct Impl;
  explicit UdpSocket(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace perigee::host
