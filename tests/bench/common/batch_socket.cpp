#include "bench/common/batch_socket.hpp"

#include <netinet/udp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace perigee::bench {

sockaddr_in socket_address(std::uint32_t ip, std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  out.sin_addr.s_addr = htonl(ip);
  return out;
}

BatchSocket::BatchSocket(int fd)
    : fd_(fd), out_(std::make_unique<Side<bytes_max>>()), in_(std::make_unique<Side<0xffff>>()) {
  for (std::size_t i = 0; i < batch; ++i) {
    auto& slot = in_->slots[i];
    in_->parts[i] = {slot.bytes.data(), slot.bytes.size()};
    msghdr& header = in_->headers[i].msg_hdr;
    header.msg_name = &slot.peer;
    header.msg_namelen = sizeof slot.peer;
    header.msg_iov = &in_->parts[i];
    header.msg_iovlen = 1;
    header.msg_control = slot.control.data();
    header.msg_controllen = slot.control.size();
  }
}

BatchSocket::BatchSocket(BatchSocket&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      port_(other.port_),
      out_(std::move(other.out_)),
      in_(std::move(other.in_)) {}

BatchSocket::~BatchSocket() {
  if (fd_ >= 0) close(fd_);
}

Result<BatchSocket> BatchSocket::open(std::uint16_t port) {
  BatchSocket out(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  const int buffer_bytes = 16 << 20;
  setsockopt(out.fd_, IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
  setsockopt(out.fd_, SOL_UDP, UDP_GRO, &on, sizeof on);
  setsockopt(out.fd_, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
  for (const auto& [force, plain] :
       {std::pair{SO_RCVBUFFORCE, SO_RCVBUF}, {SO_SNDBUFFORCE, SO_SNDBUF}}) {
    if (setsockopt(out.fd_, SOL_SOCKET, force, &buffer_bytes, sizeof buffer_bytes) != 0) {
      setsockopt(out.fd_, SOL_SOCKET, plain, &buffer_bytes, sizeof buffer_bytes);
    }
  }
  sockaddr_in local = socket_address(INADDR_ANY, port);
  socklen_t size = sizeof local;
  if (bind(out.fd_, reinterpret_cast<sockaddr*>(&local), sizeof local) != 0) {
    return Error{"the load generator's port " + std::to_string(port) + ": " + std::strerror(errno)};
  }
  getsockname(out.fd_, reinterpret_cast<sockaddr*>(&local), &size);
  out.port_ = ntohs(local.sin_port);
  return out;
}

void BatchSocket::send(std::uint32_t from_ip, const sockaddr_in& to,
                       std::span<const std::byte> bytes) {
  auto& slot = out_->slots[queued_];
  std::copy(bytes.begin(), bytes.end(), slot.bytes.begin());
  slot.peer = to;
  out_->parts[queued_] = {slot.bytes.data(), bytes.size()};
  msghdr& header = out_->headers[queued_].msg_hdr;
  header = {};
  header.msg_name = &slot.peer;
  header.msg_namelen = sizeof slot.peer;
  header.msg_iov = &out_->parts[queued_];
  header.msg_iovlen = 1;
  header.msg_control = slot.control.data();
  header.msg_controllen = CMSG_SPACE(sizeof(in_pktinfo));
  cmsghdr* control = CMSG_FIRSTHDR(&header);
  control->cmsg_level = IPPROTO_IP;
  control->cmsg_type = IP_PKTINFO;
  control->cmsg_len = CMSG_LEN(sizeof(in_pktinfo));
  in_pktinfo source{};
  source.ipi_spec_dst.s_addr = htonl(from_ip);
  std::memcpy(CMSG_DATA(control), &source, sizeof source);
  if (++queued_ == batch) flush();
}

void BatchSocket::flush() {
  for (std::size_t done = 0; done < queued_;) {
    const int sent =
        sendmmsg(fd_, out_->headers.data() + done, static_cast<unsigned>(queued_ - done), 0);
    done += sent > 0 ? static_cast<std::size_t>(sent) : 1;  // an error concerns the first
  }
  queued_ = 0;
}

std::span<BatchSocket::Arrived> BatchSocket::receive() {
  arrived_.clear();
  const int got = recvmmsg(fd_, in_->headers.data(), batch, MSG_DONTWAIT, nullptr);
  for (int i = 0; i < got; ++i) {
    mmsghdr& header = in_->headers[static_cast<std::size_t>(i)];
    take(header.msg_hdr, header.msg_len);
    header.msg_hdr.msg_namelen = sizeof(sockaddr_in);
    header.msg_hdr.msg_controllen = in_->slots[0].control.size();
  }
  return arrived_;
}

void BatchSocket::take(msghdr& header, std::size_t bytes) {
  Arrived arrived{*static_cast<const sockaddr_in*>(header.msg_name), 0, {}};
  std::size_t piece = bytes;
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
      in_pktinfo info{};
      std::memcpy(&info, CMSG_DATA(c), sizeof info);
      arrived.to_ip = ntohl(info.ipi_addr.s_addr);
    } else if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO) {
      int size = 0;
      std::memcpy(&size, CMSG_DATA(c), sizeof size);
      piece = static_cast<std::size_t>(size);
    } else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL) {
      std::uint32_t lost = 0;
      std::memcpy(&lost, CMSG_DATA(c), sizeof lost);
      overrun_ = std::max<std::uint64_t>(overrun_, lost);
    }
  }
  const auto whole = std::span(static_cast<std::byte*>(header.msg_iov->iov_base), bytes);
  for (std::size_t at = 0; at < bytes; at += piece) {
    arrived.bytes = whole.subspan(at, std::min(piece, bytes - at));
    arrived_.push_back(arrived);
  }
}

}  // namespace perigee::bench
