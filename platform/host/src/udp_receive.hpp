/// One batch of datagrams from a socket: recvmmsg with the kernel's receive stamps.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <ctime>
#include <vector>

#include "perigee/host/udp_socket.hpp"
#include "socket_address.hpp"

namespace perigee::host {

class ReceiveBatch {
 public:
  /// Memory for `size` datagrams.
  explicit ReceiveBatch(std::size_t size);
  std::size_t size() const { return slots_.size(); }
  /// Takes up to size() datagrams. False: the kernel's buffer is empty.
  bool read(int fd, UdpCounts& counts);
  /// The usable datagrams of the last read(): neither empty nor oversized.
  std::span<const Datagram> datagrams() const { return std::span(datagrams_).first(count_); }

 private:
  static constexpr std::size_t control_bytes = CMSG_SPACE(sizeof(timespec));
  struct Slot {
    std::array<std::byte, UdpSocket::datagram_bytes_max> bytes;
    sockaddr_in6 from;
    alignas(cmsghdr) std::array<std::byte, control_bytes> control;
  };
  void take(std::size_t i, const ClockPair& now, UdpCounts& counts);

  std::vector<Slot> slots_;
  std::vector<iovec> parts_;
  std::vector<mmsghdr> headers_;
  std::vector<Datagram> datagrams_;
  std::size_t count_ = 0;
};

}  // namespace perigee::host
