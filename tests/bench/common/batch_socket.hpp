/// The load generator's socket: batches of 64, and any number of clients on one descriptor, because
/// each datagram may have a different source address in 127.0.0.0/8.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "perigee/base/result.hpp"

namespace perigee::bench {

/// Loopback, in host byte order: 127.0.0.1 and its neighbours.
inline constexpr std::uint32_t loopback_ip = 0x7f00'0001;
sockaddr_in socket_address(std::uint32_t ip, std::uint16_t port);

class BatchSocket {
 public:
  static constexpr std::size_t batch = 64;
  static constexpr std::size_t bytes_max = 2'048;  ///< of a datagram to be sent

  struct Arrived {
    sockaddr_in from;
    std::uint32_t to_ip = 0;  ///< the local address to which it was sent
    std::span<std::byte> bytes;
  };

  /// Bound to `port` of all addresses; 0 takes any. Receives runs of datagrams unsegmented (UDP
  /// GRO), so that segmentation, which a network card would do for the sender, does not cost the
  /// sender's processor time.
  static Result<BatchSocket> open(std::uint16_t port);
  ~BatchSocket();
  BatchSocket(BatchSocket&& other) noexcept;

  std::uint16_t port() const { return port_; }
  /// Queues a copy; a full batch is sent at once.
  void send(std::uint32_t from_ip, const sockaddr_in& to, std::span<const std::byte> bytes);
  void flush();
  /// At most one batch of messages that have arrived, split into datagrams; valid until the next
  /// call.
  std::span<Arrived> receive();
  /// Datagrams that the kernel dropped because this process was too slow.
  std::uint64_t overrun() const { return overrun_; }

 private:
  template <std::size_t Bytes>
  struct Side {
    struct Slot {
      std::array<std::byte, Bytes> bytes;
      sockaddr_in peer;
      alignas(cmsghdr) std::array<std::byte, 128> control;
    };
    std::array<Slot, batch> slots;
    std::array<iovec, batch> parts;
    std::array<mmsghdr, batch> headers;
  };
  void take(msghdr& header, std::size_t bytes);
  explicit BatchSocket(int fd);

  int fd_ = -1;
  std::uint16_t port_ = 0;
  std::uint64_t overrun_ = 0;
  std::size_t queued_ = 0;
  std::unique_ptr<Side<bytes_max>> out_;
  std::unique_ptr<Side<0xffff>> in_;
  std::vector<Arrived> arrived_;
};

}  // namespace perigee::bench
