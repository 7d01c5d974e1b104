/// Outgoing datagrams: a bounded ring, sent in batches. A run to one peer is sent as a single
/// message that the kernel cuts into datagrams (UDP GSO), where supported.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perigee/host/udp_socket.hpp"
#include "socket_address.hpp"

namespace perigee::host {

class SendQueue {
 public:
  static constexpr std::size_t messages_max = UdpSocket::batch_datagrams;  ///< per system call

  /// `mapped`: the socket is an IPv6 one; IPv4 peers are written as ::ffff:a.b.c.d.
  SendQueue(std::size_t datagrams_max, bool mapped);

  std::size_t size() const { return size_; }
  bool full() const { return size_ == ring_.size(); }
  /// Queues a copy. There must be room.
  void push(const Address& to, std::span<const std::byte> bytes);
  /// Sends all of it. False: the kernel's buffer is full; call again once the socket is writable.
  bool flush(int fd, UdpCounts& counts);

 private:
  static constexpr std::size_t run_datagrams_max = 16;

  struct Outgoing {
    Address to;
    SocketAddress name;
    bool same_peer = false;  ///< as the previous datagram
    std::size_t size = 0;
    std::array<std::byte, UdpSocket::datagram_bytes_max> bytes;
  };
  struct Control {
    alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(std::uint16_t))> bytes;
  };
  Outgoing& at(std::size_t i) { return ring_[(first_ + i) % ring_.size()]; }
  std::size_t prepare();
  int send(int fd, std::size_t messages);
  std::size_t run_length(std::size_t first, std::size_t limit);
  void segment(msghdr& header, Control& control, std::size_t bytes);
  void forget(std::size_t message, bool sent, UdpCounts& counts);
  bool refuse(int code, UdpCounts& counts);

  bool mapped_;
  std::vector<Outgoing> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  bool segments_ = true;        ///< until the kernel reports no GSO support
  std::size_t one_by_one_ = 0;  ///< datagrams left of a run that was rejected as such

  // As many as one call can need:
  std::vector<iovec> parts_;
  std::vector<mmsghdr> headers_;
  std::vector<Control> controls_;
};

}  // namespace perigee::host
