#include "udp_bind.hpp"

#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "listen_error.hpp"
#include "perigee/base/assert.hpp"
#include "socket_address.hpp"

namespace perigee::host {
namespace {

void ask_buffer(int fd, int option, int force_option, std::size_t bytes) {
  const int asked = static_cast<int>(bytes);
  if (setsockopt(fd, SOL_SOCKET, force_option, &asked, sizeof asked) != 0) {
    setsockopt(fd, SOL_SOCKET, option, &asked, sizeof asked);
  }
}

}  // namespace

Result<Descriptor> bind_udp(const Address& local, const UdpOptions& options, bool beside) {
  PERIGEE_ASSERT(local.valid(), "a socket needs a valid address");
  const int family = local.family == Address::Family::IPv4 ? AF_INET : AF_INET6;
  Descriptor out(socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int fd = out.get();
  if (fd < 0) return Error{"udp " + to_string(local) + ": " + std::strerror(errno)};
  const int on = 1;
  const int off = 0;
  // Listening on :: means both families; IPv4 peers appear as IPv4 addresses (socket_address.hpp).
  if (family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (beside) share_port(fd);
  SocketAddress name = to_socket_address(local);
  if (bind(fd, name.get(), name.size) != 0) return listen_error("udp", PortOf::Udp, local, errno);
  if (options.stamps) setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  ask_buffer(fd, SO_RCVBUF, SO_RCVBUFFORCE, options.kernel_buffer_bytes);
  ask_buffer(fd, SO_SNDBUF, SO_SNDBUFFORCE, options.kernel_buffer_bytes);
  return out;
}

std::size_t receive_buffer_bytes(int fd) {
  int granted = 0;
  socklen_t size = sizeof granted;
  getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &granted, &size);
  return static_cast<std::size_t>(granted) / 2;  // the kernel doubles it for its bookkeeping
}

Address bound_address(int fd) {
  SocketAddress name;
  name.size = sizeof name.storage;
  getsockname(fd, name.get(), &name.size);
  return from_socket_address(name.get());
}

std::uint64_t kernel_dropped(int fd) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> info{};
  socklen_t size = sizeof info;
  getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info.data(), &size);
  return info[SK_MEMINFO_DROPS];
}

void share_port(int fd) {
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
}

}  // namespace perigee::host
