// perigee-gateway under test: players of the transport library, blocks from the worker's end.
#include <array>
#include <cstring>

#include "bench/gateway/doors.hpp"
#include "bench/gateway/players.hpp"
#include "perigee/netcode/fabric.hpp"
#include "perigee/netcode/frames.hpp"
#include "perigee/transport/client.hpp"

namespace perigee::bench {
namespace {

using Bytes = std::vector<std::byte>;

/// Client n is 127.1.x.y with one port for all of them.
constexpr std::uint32_t first_client_ip = 0x7f01'0001;

class PerigeeDoor : public DoorUnderTest {
 public:
  PerigeeDoor(Stand& stand, const GatewayProcess& gateway, std::size_t clients, BatchSocket socket)
      : DoorUnderTest(gateway.pid, clients),
        stand_(stand),
        address_(gateway.address),
        gateway_(socket_address(loopback_ip, gateway.address.port)),
        socket_(std::move(socket)),
        players_(clients) {
    for (const GatewayEntry& entry : stand.map().gateways) {
      if (entry.public_udp == gateway.address) slot_ = entry.slot;
      if (entry.public_udp == gateway.address) {
        fabric_ = socket_address(loopback_ip, entry.fabric.port);
      }
    }
  }

  /// How many have joined after 20 s.
  std::size_t join() {
    const auto unix_s = static_cast<std::uint64_t>(host::Loop::wall_us() / 1'000'000);
    const Micros deadline_us = host::Loop::clock_us() + 20'000'000;
    std::size_t begun = 0;
    while (joined_ < players_.size() && host::Loop::clock_us() < deadline_us) {
      if (begun < players_.size()) {
        players_[begun].client.begin(
            host::Loop::clock_us(),
            player_token(begun + 1, address_, stand_.map().regions[0].region, stand_.key(),
                         unix_s));
        ++begun;
      }
      for (std::size_t n = 0; n < begun; ++n) advance(n);
      socket_.flush();
      std::uint64_t mark = 0;
      take_snapshots();
      take_inputs(mark);
      if (begun % 64 == 0) stand_.tend();
    }
    return joined_;
  }

  void send_input(std::size_t n, std::uint64_t mark) override {
    std::array<std::byte, input_frame_bytes> frame{};
    std::memcpy(frame.data(), &mark, sizeof mark);
    std::array<std::byte, input_frame_bytes + frame_header_bytes> buffer;
    FrameWriter writer(buffer);
    writer.add(stream_owner, frame);
    players_[n].client.send_payload(host::Loop::clock_us(), writer.payload());
    pass_on(n);
  }

  std::size_t take_inputs(std::uint64_t& mark) override {
    std::size_t inputs = 0;
    for (;;) {
      const auto batch = stand_.worker().receive();
      for (const auto& datagram : batch) {
        if (datagram.from.sin_port != fabric_.sin_port) continue;  // of another gateway
        FabricReader reader(datagram.bytes);
        while (const auto type = reader.next()) {
          JoinRecord join;
          InputRecord input;
          if (*type == FabricRecord::Input && reader.read(input)) {
            std::memcpy(&mark, input.frame.data(), sizeof mark);
            ++inputs;
          } else if (*type == FabricRecord::Join && reader.read(join)) {
            on_join(join);
          }
        }
      }
      if (batch.empty()) return inputs;
    }
  }

  void send_snapshot(std::size_t n) override {
    static const Bytes block(snapshot_block_bytes, std::byte{7});
    for (int i = 0; i < 2; ++i) to_gateway(BlockRecord{players_[n].session, 0, block});
  }

  std::size_t take_snapshots() override {
    std::size_t snapshots = 0;
    for (;;) {
      const auto batch = socket_.receive();
      for (const auto& datagram : batch) {
        const std::size_t n = datagram.to_ip - first_client_ip;
        if (n >= players_.size()) continue;
        const bool payload = (std::to_integer<unsigned>(datagram.bytes[0]) & 15U) == 5;
        if (payload && datagram.bytes.size() > snapshot_block_bytes) ++snapshots;
        // Opening all of them would be the load generator's limit; some show that they are right.
        if (payload && ++payloads_ % 16 != 0) continue;
        players_[n].client.receive(host::Loop::clock_us(), address_, datagram.bytes);
      }
      if (batch.empty()) return snapshots;
    }
  }

  void flush() override {
    socket_.flush();
    stand_.worker().flush();
  }
  void tend() override {
    stand_.tend();
    for (std::size_t n = 0; n < players_.size(); ++n) advance(n);
    flush();
  }

 private:
  struct Player {
    transport::Client client;
    SessionId session = 0;
  };
  void advance(std::size_t n) {
    players_[n].client.advance(host::Loop::clock_us());
    pass_on(n);
  }
  void pass_on(std::size_t n) {
    while (const auto out = players_[n].client.poll_send()) {
      socket_.send(first_client_ip + static_cast<std::uint32_t>(n), gateway_, out->datagram);
    }
  }
  template <class Record>
  void to_gateway(const Record& record) {
    std::array<std::byte, fabric_datagram_bytes_max> buffer;
    FabricWriter writer(buffer, {stand_.map().incarnation, FabricSender::Worker, 0, sequence_++});
    writer.add(record);
    stand_.worker().send(loopback_ip, fabric_, writer.datagram());
  }
  void on_join(const JoinRecord& join) {
    if (session_gateway(join.session) != slot_) return;
    Player& player = players_[join.client_id - 1];
    if (player.session == 0) ++joined_;
    player.session = join.session;
    to_gateway(JoinedRecord{join.session, 1});
    stand_.worker().flush();
  }

  Stand& stand_;
  Address address_;
  sockaddr_in gateway_;
  sockaddr_in fabric_{};
  GatewaySlot slot_ = 0;
  BatchSocket socket_;
  std::vector<Player> players_;
  std::size_t joined_ = 0;
  std::uint32_t sequence_ = 0;
  std::uint64_t payloads_ = 0;
};

}  // namespace

Result<std::unique_ptr<DoorUnderTest>> through_perigee(Stand& stand, const GatewayProcess& gateway,
                                                       std::size_t clients) {
  auto socket = BatchSocket::open(0);
  if (!socket) return socket.error();
  auto door = std::make_unique<PerigeeDoor>(stand, gateway, clients, std::move(*socket));
  const std::size_t joined = door->join();
  if (joined < clients) {
    return Error{std::to_string(joined) + " of " + std::to_string(clients) +
                 " players joined within 20 s"};
  }
  return std::unique_ptr<DoorUnderTest>(std::move(door));
}

}  // namespace perigee::bench
