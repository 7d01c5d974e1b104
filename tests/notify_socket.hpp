/// The service manager's side of sd_notify(3): a datagram socket, and what arrived there.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace perigee {

class NotifySocket {
 public:
  explicit NotifySocket(const std::string& path)
      : path_(path), fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    if (path.size() >= sizeof at.sun_path) throw std::runtime_error(path + " is too long");
    std::memcpy(at.sun_path, path.data(), path.size());
    if (bind(fd_, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) {
      throw std::runtime_error("cannot bind " + path);
    }
  }
  ~NotifySocket() {
    close(fd_);
    unlink(path_.c_str());
  }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  const std::string& path() const { return path_; }
  /// The next message; empty if none comes within `timeout_ms`.
  std::string take(int timeout_ms) {
    pollfd wait{fd_, POLLIN, 0};
    if (poll(&wait, 1, timeout_ms) != 1) return {};
    char text[512];
    const ssize_t got = recv(fd_, text, sizeof text, 0);
    return got < 0 ? std::string() : std::string(text, static_cast<std::size_t>(got));
  }
  /// The next message that is not a sign of life.
  std::string take_state(int timeout_ms) {
    std::string message = take(timeout_ms);
    while (message == "WATCHDOG=1") message = take(timeout_ms);
    return message;
  }

 private:
  std::string path_;
  int fd_;
};

}  // namespace perigee
