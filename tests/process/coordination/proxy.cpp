#include "proxy.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

namespace perigee::process_test {
namespace {

sockaddr_in loopback(unsigned port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int dial(unsigned port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in to = loopback(port);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return fd;
  close(fd);
  return -1;
}

void write_all(int fd, const std::string& bytes) {
  for (std::size_t at = 0; fd >= 0 && at < bytes.size();) {
    const ssize_t sent = send(fd, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return;
    at += static_cast<std::size_t>(sent);
  }
}

}  // namespace

Proxy::Proxy(unsigned server_port) : server_port_(server_port) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in here = loopback(0);
  socklen_t size = sizeof here;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&here), size) != 0 ||
      listen(listener_, 16) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &size) != 0) {
    std::abort();
  }
  port_ = ntohs(here.sin_port);
  thread_ = std::thread([this] { run(); });
}

Proxy::~Proxy() {
  stopped_ = true;
  thread_.join();
  for (Link& link : links_) {
    close_end(link.client);
    close_end(link.server);
  }
  close(listener_);
}

void Proxy::close_end(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

void Proxy::run() {
  while (!stopped_) {
    std::vector<pollfd> ends{{listener_, POLLIN, 0}};
    {
      const std::lock_guard lock(mutex_);
      for (const Link& link : links_) {
        ends.push_back({link.client, POLLIN, 0});  // poll() ignores closed ends
        ends.push_back({link.server, POLLIN, 0});
      }
    }
    poll(ends.data(), ends.size(), 5);
    const std::lock_guard lock(mutex_);
    if (ends[0].revents != 0) admit();
    std::size_t at = 1;
    for (Link& link : links_) {
      if (at + 1 >= ends.size()) break;
      const bool client = ends[at].fd == link.client && ends[at].revents != 0;
      const bool server = ends[at + 1].fd == link.server && ends[at + 1].revents != 0;
      at += 2;
      if (client) carry(link, true);
      if (server) carry(link, false);
    }
    links_.remove_if([](const Link& link) { return link.client < 0 && link.server < 0; });
  }
}

void Proxy::admit() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  const int server = mode_ == Mode::Refuse ? -1 : dial(server_port_);
  if (server < 0) {
    close(client);
    return;
  }
  links_.push_back({client, server, {}});
}

void Proxy::carry(Link& link, bool from_client) {
  char buffer[65'536];
  const ssize_t got = recv(from_client ? link.client : link.server, buffer, sizeof buffer, 0);
  if (got <= 0) {
    close_end(link.client);
    if (link.held.empty() || !from_client) close_end(link.server);
    return;
  }
  const std::string bytes(buffer, static_cast<std::size_t>(got));
  if (!from_client) {
    if (link.client < 0) answered_bytes_ += bytes.size();
    if (mode_ != Mode::SwallowReplies) write_all(link.client, bytes);
  } else if (mode_ == Mode::HoldRequests || !link.held.empty()) {
    link.held += bytes;
  } else {
    write_all(link.server, bytes);
  }
}

void Proxy::cut() {
  const std::lock_guard lock(mutex_);
  for (Link& link : links_) {
    close_end(link.client);
    if (link.held.empty()) close_end(link.server);
  }
}

bool Proxy::holds(const std::string& text) const {
  const std::lock_guard lock(mutex_);
  for (const Link& link : links_) {
    if (link.held.find(text) != std::string::npos) return true;
  }
  return false;
}

void Proxy::release() {
  const std::lock_guard lock(mutex_);
  for (Link& link : links_) write_all(link.server, link.held);
}

}  // namespace perigee::process_test
