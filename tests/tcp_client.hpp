/// A client of a TCP server on loopback, byte by byte.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "perigee/base/address.hpp"

namespace perigee {

/// A free TCP port; a port that is free for UDP may just have been used by another test's
/// connection.
inline Address free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  const bool bound = bind(fd, reinterpret_cast<const sockaddr*>(&at), size) == 0 &&
                     getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) == 0;
  close(fd);
  EXPECT_TRUE(bound);
  return Address::v4(127, 0, 0, 1, ntohs(at.sin_port));
}

/// A connection that has sent `begin` and waits.
class TcpClient {
 public:
  TcpClient(const Address& to, std::string_view begin, const char* from = "127.0.0.1")
      : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = inet_addr(from);
    EXPECT_EQ(bind(fd_, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    at.sin_port = htons(to.port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience_s{20, 0};  // a server that never responds fails the test
    setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience_s, sizeof patience_s);
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience_s, sizeof patience_s);
    EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    send_more(begin);
  }
  ~TcpClient() { close(fd_); }
  TcpClient(const TcpClient&) = delete;
  TcpClient& operator=(const TcpClient&) = delete;

  void send_more(std::string_view bytes) const {
    EXPECT_EQ(send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  int descriptor() const { return fd_; }
  void close_half() const { shutdown(fd_, SHUT_WR); }
  /// Reads until `text` has arrived.
  bool receives(std::string_view text) {
    char buffer[512];
    for (ssize_t got = 0; received_.find(text) == std::string::npos;) {
      if ((got = recv(fd_, buffer, sizeof buffer, 0)) <= 0) return false;
      received_.append(buffer, static_cast<std::size_t>(got));
    }
    return true;
  }
  /// Reads until the server closes the connection.
  std::string rest() const {
    std::string text;
    char buffer[512];
    ssize_t got = 0;
    while ((got = recv(fd_, buffer, sizeof buffer, 0)) > 0) {
      text.append(buffer, static_cast<std::size_t>(got));
    }
    EXPECT_TRUE(got == 0 || errno == ECONNRESET) << "the server closes";
    return text;
  }

 private:
  int fd_;
  std::string received_;
};

}  // namespace perigee
