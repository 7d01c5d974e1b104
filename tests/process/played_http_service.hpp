/// A service outside of the cluster, played by the test: a real HTTP server on loopback.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace perigee::process_test {

class PlayedHttpService {
 public:
  struct Reply {
    std::string bytes;
    bool hang = false;  ///< keeps the connection open afterwards and sends nothing more
  };
  using Answer = std::function<Reply(const std::string& request)>;

  explicit PlayedHttpService(Answer answer)
      : answer_(std::move(answer)), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in local{};
    local.sin_family = AF_INET;
    local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(listener_, reinterpret_cast<const sockaddr*>(&local), sizeof local);
    listen(listener_, 64);
    socklen_t size = sizeof local;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&local), &size);
    port_ = ntohs(local.sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~PlayedHttpService() {
    stopping_ = true;
    thread_.join();
    for (std::thread& each : served_) each.join();
    close(listener_);
  }
  PlayedHttpService(const PlayedHttpService&) = delete;
  PlayedHttpService& operator=(const PlayedHttpService&) = delete;

  std::string url(const std::string& path = "/players") const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::vector<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  /// A whole answer with this body.
  static Reply json(int status, const std::string& body,
                    const std::string& type = "application/json") {
    return {"HTTP/1.1 " + std::to_string(status) + " x\r\nContent-Type: " + type +
            "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body};
  }

 private:
  bool readable(int descriptor) const {
    while (!stopping_) {
      pollfd one{descriptor, POLLIN, 0};
      if (poll(&one, 1, 20) > 0) return true;
    }
    return false;
  }
  void run() {
    while (readable(listener_)) {
      const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client >= 0) served_.emplace_back([this, client] { serve(client); });
    }
  }
  /// One request after the other, as a connection that is kept.
  void serve(int client) {
    std::string bytes;
    while (readable(client)) {
      char part[4'096];
      const ssize_t got = recv(client, part, sizeof part, 0);
      if (got <= 0) break;
      bytes.append(part, static_cast<std::size_t>(got));
      const std::size_t size = request_size(bytes);
      if (size == 0 || bytes.size() < size) continue;
      const std::string request = std::exchange(bytes, bytes.substr(size)).substr(0, size);
      {
        const std::lock_guard lock(mutex_);
        requests_.push_back(request);
      }
      const Reply reply = answer_(request);
      send(client, reply.bytes.data(), reply.bytes.size(), MSG_NOSIGNAL);
      if (reply.hang) {
        readable(client);  // until the client gives up
        break;
      }
    }
    close(client);
  }
  /// Head and body; 0: the head is not complete.
  static std::size_t request_size(const std::string& bytes) {
    const std::size_t head = bytes.find("\r\n\r\n");
    const std::size_t length = bytes.find("Content-Length: ");
    if (head == std::string::npos || length == std::string::npos) return 0;
    return head + 4 + std::stoul(bytes.substr(length + 16));
  }

  const Answer answer_;
  const int listener_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::vector<std::string> requests_;  // guarded by mutex_
  std::vector<std::thread> served_;
  std::thread thread_;
};

}  // namespace perigee::process_test
