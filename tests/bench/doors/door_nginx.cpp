// nginx under test: the same number of clients, and datagrams with the sizes of ours.
#include <cstring>

#include "bench/common/sealing.hpp"
#include "bench/doors/doors.hpp"
#include "bench/doors/players.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::bench {
namespace {

constexpr std::uint32_t first_client_ip = 0x7f02'0001;
constexpr std::size_t framed(std::size_t bytes) { return frame_header_bytes(bytes) + bytes; }
constexpr std::size_t input_bytes = framed(input_frame_bytes) + sealing_bytes;
constexpr std::size_t snapshot_bytes = framed(snapshot_block_bytes) + sealing_bytes;
/// Our gateway adds the echo frame to the first of a snapshot's two payloads.
constexpr std::size_t snapshot_bytes_first = snapshot_bytes + framed(echo_frame_bytes);

class NginxDoor : public DoorUnderTest {
 public:
  NginxDoor(const NginxProcess& nginx, std::size_t clients, BatchSocket socket)
      : DoorUnderTest(nginx.pid, clients),
        nginx_(socket_address(loopback_ip, nginx.port)),
        upstream_(*nginx.upstream),
        socket_(std::move(socket)),
        sessions_(clients) {}

  std::size_t open_sessions() {
    const Micros deadline_us = host::Loop::clock_us() + 20'000'000;
    for (std::size_t n = 0; open_ < sessions_.size() && host::Loop::clock_us() < deadline_us;
         n = (n + 1) % sessions_.size()) {
      if (sessions_[n].sin_port != 0) continue;
      send_input(n, 0);
      flush();
      take_inputs(nobody);
    }
    return open_;
  }

  void send_input(std::size_t n, std::uint64_t mark) override {
    std::array<std::byte, input_bytes> datagram{};
    const std::uint64_t client = n;
    std::memcpy(datagram.data(), &mark, sizeof mark);
    std::memcpy(datagram.data() + sizeof mark, &client, sizeof client);
    socket_.send(first_client_ip + static_cast<std::uint32_t>(n), nginx_, datagram);
  }
  std::size_t take_inputs(const Marked& marked) override {
    std::size_t inputs = 0;
    for (;;) {
      const auto batch = upstream_.receive();
      for (const auto& datagram : batch) {
        std::uint64_t mark = 0;
        std::uint64_t client = 0;
        if (datagram.bytes.size() != input_bytes) continue;  // a flood's datagram, passed on
        std::memcpy(&mark, datagram.bytes.data(), sizeof mark);
        std::memcpy(&client, datagram.bytes.data() + sizeof mark, sizeof client);
        if (client >= sessions_.size()) continue;
        if (sessions_[client].sin_port == 0) ++open_;
        sessions_[client] = datagram.from;
        marked(mark);
        ++inputs;
      }
      if (batch.empty()) return inputs;
    }
  }
  void send_snapshot(std::size_t n) override {
    static const std::array<std::byte, snapshot_bytes_first> datagram{};
    upstream_.send(loopback_ip, sessions_[n], datagram);
    upstream_.send(loopback_ip, sessions_[n], std::span(datagram).first(snapshot_bytes));
  }
  std::size_t take_snapshots() override {
    std::size_t snapshots = 0;
    for (;;) {
      const auto batch = socket_.receive();
      snapshots += batch.size();
      if (batch.empty()) return snapshots;
    }
  }
  void flush() override {
    socket_.flush();
    upstream_.flush();
  }

 private:
  sockaddr_in nginx_;
  BatchSocket& upstream_;
  BatchSocket socket_;
  std::vector<sockaddr_in> sessions_;  ///< addresses from which nginx sends a client's datagrams
  std::size_t open_ = 0;
};

}  // namespace

Result<std::unique_ptr<DoorUnderTest>> through_nginx(const NginxProcess& nginx,
                                                     std::size_t clients) {
  auto socket = BatchSocket::open(0);
  if (!socket) return socket.error();
  auto door = std::make_unique<NginxDoor>(nginx, clients, std::move(*socket));
  const std::size_t open = door->open_sessions();
  if (open < clients) {
    return Error{"nginx forwarded " + std::to_string(open) + " of " + std::to_string(clients) +
                 " clients within 20 s"};
  }
  return std::unique_ptr<DoorUnderTest>(std::move(door));
}

}  // namespace perigee::bench
