#include "bench/common/own_network.hpp"

#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace perigee::bench {

Result<Ok> enter_own_network() {
  if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) {
    return Error{"a network namespace of our own: " + std::string(std::strerror(errno)) +
                 "; run it as root, or allow user namespaces: sysctl -w "
                 "kernel.unprivileged_userns_clone=1"};
  }
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq loopback{};
  std::strcpy(loopback.ifr_name, "lo");
  loopback.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool up = ioctl(fd, SIOCSIFFLAGS, &loopback) == 0;
  const int code = errno;
  close(fd);
  if (!up) return Error{"loopback of our own network: " + std::string(std::strerror(code))};
  return Ok{};
}

void go_first() { setpriority(PRIO_PROCESS, 0, -15); }

void run_on_processor(unsigned processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace perigee::bench
