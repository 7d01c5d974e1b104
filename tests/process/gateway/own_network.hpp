/// A network of the test's own, with nothing but a loopback of Ethernet's size: large datagrams are
/// fragmented, and nobody else is disturbed.
#pragma once

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

namespace perigee::process_test {

class OwnNetwork {
 public:
  OwnNetwork() : former_(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)) {
    const int spaces = geteuid() == 0 ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET;
    made_ = unshare(spaces) == 0 && raise_loopback();
  }
  ~OwnNetwork() {
    if (made_) setns(former_, CLONE_NEWNET);
    close(former_);
  }
  OwnNetwork(const OwnNetwork&) = delete;
  OwnNetwork& operator=(const OwnNetwork&) = delete;

  /// False: this machine does not allow it, and the test cannot run.
  bool made() const { return made_; }

 private:
  static bool raise_loopback() {
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ifreq request{};
    std::strcpy(request.ifr_name, "lo");
    request.ifr_mtu = 1'500;
    bool done = ioctl(fd, SIOCSIFMTU, &request) == 0;
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    done = done && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
    close(fd);
    return done;
  }
  int former_;
  bool made_ = false;
};

}  // namespace perigee::process_test
