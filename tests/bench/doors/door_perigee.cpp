// perigee-gateway under test: players of the transport library, blocks from the worker's end.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "bench/doors/doors.hpp"
#include "bench/doors/players.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/transport/client.hpp"

namespace perigee::bench {
namespace {

using Bytes = std::vector<std::byte>;

/// Client n is 127.1.x.y; all of them have one port.
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
        fabric_address_ = entry.fabric;
      }
    }
  }

  struct Joining {
    std::uint64_t first_client_id = 1;
    Micros spacing_us = 0;
    Micros limit_us = 20'000'000;  ///< for each of them
  };
  /// Number of clients that have joined.
  std::size_t join(const Joining& joining) {
    first_client_id_ = joining.first_client_id;
    const Micros start_us = host::Loop::clock_us();
    const Micros end_us =
        start_us + joining.limit_us + joining.spacing_us * static_cast<Micros>(players_.size());
    Micros next_tend_us = start_us;
    std::size_t begun = 0;
    for (Micros now_us = start_us; joined_ < players_.size() && now_us < end_us;
         now_us = host::Loop::clock_us()) {
      if (begun < players_.size() &&
          now_us >= start_us + joining.spacing_us * static_cast<Micros>(begun)) {
        begin(begun++);
      }
      for (std::size_t n = 0; n < begun; ++n) advance(n);
      socket_.flush();
      take_snapshots();
      take_inputs(nobody);
      if (joining.spacing_us > 0) usleep(1'000);  // leaves the processor to other processes
      if (now_us < next_tend_us) continue;
      next_tend_us = now_us + 500'000;
      stand_.tend();
    }
    return joined_;
  }
  std::vector<Micros> join_times_us(Micros limit_us) const {
    std::vector<Micros> times_us;
    for (const Player& player : players_) {
      times_us.push_back(
          player.session == 0 ? limit_us : std::min(limit_us, player.joined_us - player.begun_us));
    }
    return times_us;
  }

  void send_input(std::size_t n, std::uint64_t mark) override {
    std::array<std::byte, input_frame_bytes> frame{};
    std::memcpy(frame.data(), &mark, sizeof mark);
    std::array<std::byte, input_frame_bytes + frame_header_bytes_max> buffer;
    FrameWriter writer(buffer);
    writer.add(stream_owner, frame);
    players_[n].client.send_payload(host::Loop::clock_us(), writer.payload());
    pass_on(n);
  }

  std::size_t take_inputs(const Marked& marked) override {
    std::size_t inputs = 0;
    for (;;) {
      const auto batch = stand_.worker().receive();
      for (const auto& datagram : batch) {
        if (datagram.from.sin_port != fabric_.sin_port) continue;  // from another gateway
        const auto opened = stand_.seal().open(fabric_address_, datagram.bytes);
        if (!opened) continue;
        FabricReader reader(*opened);
        while (const auto type = reader.next()) {
          JoinRecord join;
          InputRecord input;
          if (*type == FabricRecord::Input && reader.read(input)) {
            std::uint64_t mark = 0;
            std::memcpy(&mark, input.frame.data(), sizeof mark);
            marked(mark);
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
        // Opening all of them would limit the load generator; a sample shows that they are valid.
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
    Micros begun_us = 0;
    Micros joined_us = 0;
  };
  void begin(std::size_t n) {
    players_[n].begun_us = host::Loop::clock_us();
    players_[n].client.begin(
        players_[n].begun_us,
        player_token(first_client_id_ + n, address_, stand_.map().regions[0].region, stand_.key(),
                     static_cast<std::uint64_t>(host::Loop::wall_us() / 1'000'000)));
  }
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
    FabricWriter writer(buffer, {stand_.map().cluster_id, FabricSender::Worker, 0, sequence_++});
    writer.add(record);
    const auto sealed = stand_.seal().seal(fabric_address_, writer.datagram());
    if (!sealed.empty()) stand_.worker().send(loopback_ip, fabric_, sealed);
  }
  void on_join(const JoinRecord& join) {
    if (session_gateway(join.session) != slot_) return;
    const std::uint64_t n = join.client_id - first_client_id_;
    if (n >= players_.size()) return;  // of another crowd
    Player& player = players_[n];
    if (player.session == 0) {
      ++joined_;
      player.joined_us = host::Loop::clock_us();
    }
    player.session = join.session;
    to_gateway(JoinedRecord{join.session, 1});
    stand_.worker().flush();
  }

  Stand& stand_;
  Address address_;
  sockaddr_in gateway_;
  sockaddr_in fabric_{};
  Address fabric_address_;
  GatewaySlot slot_;
  BatchSocket socket_;
  std::vector<Player> players_;
  std::uint64_t first_client_id_ = 1;
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
  const std::size_t joined = door->join({});
  if (joined < clients) {
    return Error{std::to_string(joined) + " of " + std::to_string(clients) +
                 " players joined within 20 s"};
  }
  return std::unique_ptr<DoorUnderTest>(std::move(door));
}

Result<std::vector<Micros>> join_times_us(Stand& stand, const GatewayProcess& gateway,
                                          std::size_t clients, Micros spacing_us, Micros limit_us) {
  auto socket = BatchSocket::open(0);
  if (!socket) return socket.error();
  PerigeeDoor door(stand, gateway, clients, std::move(*socket));
  door.join({.first_client_id = 1'000'000, .spacing_us = spacing_us, .limit_us = limit_us});
  return door.join_times_us(limit_us);
}

}  // namespace perigee::bench
