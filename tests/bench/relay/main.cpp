// bench_relay: datagrams per processor second of the console's relay between WebSockets and UDP.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/common/suite.hpp"
#include "perigee/base/assert.hpp"
#include "relay.hpp"
#include "web_server.hpp"

namespace perigee::bench {
namespace {

using console::Relay;
using console::WebId;
using console::WebRequest;
using console::WebServer;

constexpr std::size_t input_bytes = 81;        ///< of a player's usual datagram
constexpr std::size_t snapshot_bytes = 1'150;  ///< of the longest payload
constexpr int window = 32;                     ///< datagrams on their way at a time
constexpr timeval patience{.tv_sec = 10, .tv_usec = 0};

/// Of the whole process without the calling thread.
std::int64_t others_cpu_ns() { return cpu_time_ns(getpid()) - thread_time_ns(); }

sockaddr_in local(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

/// A socket of the kernel on loopback, which gives up after `patience`.
class Socket {
 public:
  explicit Socket(int type) : fd_(socket(AF_INET, type, 0)) {
    PERIGEE_ASSERT(fd_ >= 0, "there are sockets");
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  ~Socket() { ::close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  /// Any free port.
  std::uint16_t bind() const {
    sockaddr_in address = local(0);
    socklen_t size = sizeof address;
    PERIGEE_ASSERT(::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) == 0, "a free port");
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }
  void connect(std::uint16_t port) const {
    const sockaddr_in address = local(port);
    PERIGEE_ASSERT(::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
                   "the peer listens");
  }
  void send(const std::string& bytes) const {
    PERIGEE_ASSERT(::send(fd_, bytes.data(), bytes.size(), 0) == std::ssize(bytes), "sent");
  }
  std::size_t receive(std::span<char> into) const {
    const ssize_t got = recv(fd_, into.data(), into.size(), 0);
    PERIGEE_ASSERT(got > 0, "the relay passes datagrams on");
    return static_cast<std::size_t>(got);
  }
  /// From the next sender, which is the peer from now on.
  void accept_peer() const {
    std::array<char, 2'048> bytes{};
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    PERIGEE_ASSERT(
        recvfrom(fd_, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&peer), &size) > 0,
        "a datagram arrives");
    connect(ntohs(peer.sin_port));
  }
  void without_delay() const {
    const int on = 1;
    setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }

 private:
  int fd_;
};

/// The console's web server and relay on threads of their own, as in the program.
class RelayProcess {
 public:
  RelayProcess(std::uint16_t port, const Address& gateway) {
    auto web = WebServer::open(Address::v4(127, 0, 0, 1, port));
    PERIGEE_ASSERT(web, "the port is free");
    web_ = std::move(*web);
    relay_.emplace(loop_, *web_);
    relay_->set_gateways({{.named = gateway, .reach = gateway}});
    web_->start({.request = [](WebId, const WebRequest&) {},
                 .opened =
                     [this](WebId id, WebRequest request) {
                       loop_.post([this, id, request = std::move(request)] {
                         relay_->open(id, request.query);
                       });
                     },
                 .message =
                     [this](WebId id, std::string bytes, bool text) {
                       loop_.post([this, id, bytes = std::move(bytes), text] {
                         relay_->on_message(id, std::as_bytes(std::span(bytes)), text);
                       });
                     },
                 .closed = [this](WebId id) { loop_.post([this, id] { relay_->close(id); }); }});
    thread_ = std::thread([this] { loop_.run(); });
  }
  ~RelayProcess() {
    loop_.post([this] { loop_.stop(); });
    thread_.join();
    web_.reset();
    relay_.reset();
  }
  RelayProcess(const RelayProcess&) = delete;
  RelayProcess& operator=(const RelayProcess&) = delete;

 private:
  host::Loop loop_;
  std::unique_ptr<WebServer> web_;
  std::optional<Relay> relay_;
  std::thread thread_;
};

/// A browser's WebSocket.
class Browser {
 public:
  Browser(std::uint16_t port, const Address& gateway) : socket_(SOCK_STREAM) {
    socket_.connect(port);
    socket_.without_delay();
    const std::string host = "127.0.0.1:" + std::to_string(port);
    socket_.send("GET /relay?gateway=" + to_string(gateway) + " HTTP/1.1\r\nHost: " + host +
                 "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    while (waiting_.find("\r\n\r\n") == std::string::npos) read();
    waiting_.erase(0, waiting_.find("\r\n\r\n") + 4);
  }
  void send(std::size_t bytes) const {
    PERIGEE_ASSERT(bytes < 126, "a short frame");
    const std::string head{'\x82', static_cast<char>(0x80 | bytes), 1, 2, 3, 4};
    socket_.send(head + std::string(bytes, 'i'));
  }
  /// One datagram of 126 to 65,535 bytes.
  void receive() {
    for (;;) {
      while (waiting_.size() < 2) read();
      if (waiting_[0] != '\x89') break;
      waiting_.erase(0, 2);
      socket_.send({'\x8a', '\x80', 0, 0, 0, 0});  // a pong
    }
    while (waiting_.size() < head_bytes || waiting_.size() < head_bytes + length()) read();
    waiting_.erase(0, head_bytes + length());
  }

 private:
  static constexpr std::size_t head_bytes = 4;
  std::size_t length() const {
    PERIGEE_ASSERT(waiting_[0] == '\x82' && waiting_[1] == 126, "a binary frame");
    return static_cast<std::size_t>(static_cast<unsigned char>(waiting_[2])) << 8 |
           static_cast<unsigned char>(waiting_[3]);
  }
  void read() {
    std::array<char, 16'384> part;
    waiting_.append(part.data(), socket_.receive(part));
  }
  Socket socket_;
  std::string waiting_;
};

class Path {
 public:
  Path()
      : gateway_(SOCK_DGRAM),
        address_(Address::v4(127, 0, 0, 1, gateway_.bind())),
        port_(free_port()),
        relay_(port_, address_),
        browser_(port_, address_) {
    browser_.send(input_bytes);
    gateway_.accept_peer();
  }
  double up_per_core_s(int count) {
    return per_core_s(
        count, [&] { browser_.send(input_bytes); }, [&] { gateway_.receive(space_); });
  }
  double down_per_core_s(int count) {
    const std::string snapshot(snapshot_bytes, 's');
    return per_core_s(count, [&] { gateway_.send(snapshot); }, [&] { browser_.receive(); });
  }

 private:
  static std::uint16_t free_port() { return Socket(SOCK_STREAM).bind(); }
  template <typename Send, typename Receive>
  static double per_core_s(int count, Send send, Receive receive) {
    const std::int64_t begin_ns = others_cpu_ns();
    for (int i = 0; i < count + window; ++i) {
      if (i < count) send();
      if (i >= window) receive();
    }
    return 1e9 * count / static_cast<double>(others_cpu_ns() - begin_ns);
  }
  Socket gateway_;
  Address address_;
  std::uint16_t port_;
  RelayProcess relay_;
  Browser browser_;
  std::array<char, 2'048> space_{};
};

Result<Ok> relay_suite(const Run& run, Figures& figures) {
  const int count = run.quick ? 2'000 : 100'000;
  std::vector<double> up, down;
  Path path;
  for (int round = 0; round < run.rounds(); ++round) {
    up.push_back(path.up_per_core_s(count));
    down.push_back(path.down_per_core_s(count));
  }
  figures.add("up_per_core_s", median(up), "1/s");
  figures.add("down_per_core_s", median(down), "1/s");
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("relay", argc, argv, perigee::bench::relay_suite);
}
