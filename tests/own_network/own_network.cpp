#include "own_network/own_network.hpp"

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace perigee::own_network {

Result<Ok> enter(int loopback_mtu) {
  if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) {
    return Error{"a network namespace of our own: " + std::string(std::strerror(errno)) +
                 "; run it as root, or allow user namespaces: sysctl -w "
                 "kernel.unprivileged_userns_clone=1"};
  }
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq loopback{};
  std::strcpy(loopback.ifr_name, "lo");
  loopback.ifr_mtu = loopback_mtu;
  bool up = ioctl(fd, SIOCSIFMTU, &loopback) == 0;
  loopback.ifr_flags = IFF_UP | IFF_RUNNING;
  up = up && ioctl(fd, SIOCSIFFLAGS, &loopback) == 0;
  const int code = errno;
  close(fd);
  if (!up) return Error{"loopback of our own network: " + std::string(std::strerror(code))};
  return Ok{};
}

Stay::Stay(int loopback_mtu)
    : former_(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)),
      entered_(enter(loopback_mtu)) {}

Stay::~Stay() {
  setns(former_, CLONE_NEWNET);
  close(former_);
}

}  // namespace perigee::own_network
