/// A gateway with two fake workers and real transport clients, on virtual time.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/gateway/core.hpp"
#include "perigee/transport/client.hpp"
#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::gateway {

using Bytes = std::vector<std::byte>;
inline Bytes bytes_of(std::span<const std::byte> view) { return {view.begin(), view.end()}; }
inline Bytes filled(std::size_t size, int value) {
  return Bytes(size, static_cast<std::byte>(value));
}

inline transport::RandomBytes seeded(std::uint64_t seed) {
  return [random = Random(seed)](std::span<std::byte> out) mutable {
    for (std::byte& b : out) b = static_cast<std::byte>(random.next());
  };
}

struct Parcel {
  Address to;
  Bytes bytes;
};
struct Collected : Outputs {
  std::vector<Parcel> clients, doors, fabric;
  std::vector<Telemetry> telemetry;
  void to_client(const Address& to, std::span<const std::byte> datagram) override {
    clients.push_back({to, bytes_of(datagram)});
  }
  void to_door(const Address& path, std::span<const std::byte> datagram) override {
    doors.push_back({path, bytes_of(datagram)});
  }
  void to_fabric(const Address& to, std::span<const std::byte> datagram) override {
    fabric.push_back({to, bytes_of(datagram)});
  }
  void on_telemetry(const Telemetry& t) override { telemetry.push_back(t); }
  std::vector<transport::ClaimRequest> claims;
  std::vector<std::uint64_t> resumes_wanted;
  struct End {
    std::uint64_t client_id = 0;
    std::uint64_t issue = 0;
    Release how{};
    friend bool operator==(const End&, const End&) = default;
  };
  std::vector<End> releases;
  struct InUse {
    std::uint64_t client_id = 0;
    std::uint64_t order_id = 0;
    Techniques techniques;
  };
  std::vector<InUse> techniques;
  struct OwnBlockSent {
    Tick tick;
    Micros held_us = 0;
  };
  std::vector<OwnBlockSent> own_blocks;
  void on_own_block(Tick tick, Micros received_us, Micros sent_us) override {
    own_blocks.push_back({tick, sent_us - received_us});
  }
  void on_techniques(std::uint64_t client_id, std::uint64_t order_id,
                     const Techniques& in_use) override {
    techniques.push_back({client_id, order_id, in_use});
  }
  void claim(const transport::ClaimRequest& request) override { claims.push_back(request); }
  void want_resume_token(std::uint64_t client_id) override { resumes_wanted.push_back(client_id); }
  void released(std::uint64_t client_id, std::uint64_t issue, Release how) override {
    releases.push_back({client_id, issue, how});
  }
};

inline const Address public_address = Address::v4(203, 0, 113, 1, 40000);
inline const Address fabric_of_worker[] = {Address::v4(10, 0, 0, 10, 40040),
                                           Address::v4(10, 0, 0, 11, 40041)};
inline Address player_address(std::uint8_t n) { return Address::v4(192, 168, 1, n, 5000); }

struct Input {
  InputRecord record;
  Bytes frame;
};
struct FromClientSide {
  StreamId stream;
  Bytes bytes;
};

class GatewayTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t unix_start = 1'800'000'000;
  GatewayTest() {
    EXPECT_TRUE(transport::init_crypto());
    settings.slot = GatewaySlot{3};
    settings.transport.private_key = transport::random_key(random);
    settings.transport.address = public_address;
    settings.transport.clients_max = 4;
    settings.transport.started_at_s = unix_start - 1000;
    map.cluster_id = 9;
    map.version = 1;
    for (const WorkerSlot slot : {WorkerSlot{0}, WorkerSlot{1}}) {
      map.workers.push_back(
          {.slot = slot, .fabric = fabric_of_worker[slot.index()], .alive = true});
      map.regions.push_back(
          {.region = RegionId{100U + slot.number}, .epoch = Epoch{1}, .owner = slot});
    }
    start();
  }
  void start() {
    core = std::make_unique<Core>(settings, random, out);
    core->on_map(now_us, map);
  }
  std::uint64_t unix_s() const {
    return unix_start + static_cast<std::uint64_t>(now_us / 1'000'000);
  }

  transport::ConnectToken token(std::uint64_t client_id, const transport::UserData& user_data,
                                std::uint64_t life_s = 30) {
    transport::ConnectTokenSpec spec;
    spec.create_time_s = unix_s();
    spec.expire_time_s = unix_s() + life_s;
    spec.client_id = client_id;
    spec.public_addresses.push_back(public_address);
    spec.server_addresses.push_back(public_address);
    spec.user_data = user_data;
    return transport::make_connect_token(spec, settings.transport.private_key, random).value();
  }
  transport::ConnectToken resume_token(std::uint64_t client_id) {
    return token(client_id, pass(100), 300);
  }
  static transport::UserData pass(std::uint32_t region, std::uint16_t version = wire_version,
                                  std::uint64_t issue = 0) {
    return transport::write_user_data(
        {.wire_version = version, .home_region = RegionId{region}, .issue = issue});
  }

  /// One client with the payloads that it has received.
  struct Player {
    Address at;
    transport::Client client;
    std::vector<std::vector<FromClientSide>> payloads;  ///< by payload: its frames
  };
  void send_up(Player& player) {
    while (const auto parcel = player.client.poll_send()) {
      Bytes bytes = bytes_of(parcel->datagram);
      core->on_client_datagram(now_us, unix_s(), {player.at, now_us - 300, stamp(), bytes});
    }
  }
  FineTick stamp() const { return {static_cast<std::uint32_t>(now_us / 65)}; }
  void send_down(Player& player) {
    auto parcels = std::move(out.clients);
    out.clients.clear();
    for (Parcel& parcel : parcels) {
      if (parcel.to != player.at) {
        out.clients.push_back(std::move(parcel));
        continue;
      }
      const auto payload = player.client.receive(now_us, public_address, parcel.bytes);
      if (!payload) continue;
      player.payloads.emplace_back();
      FrameReader frames(payload->bytes);
      while (const auto frame = frames.next()) {
        player.payloads.back().push_back({frame->stream, bytes_of(frame->bytes)});
      }
      EXPECT_TRUE(frames.ok());
    }
  }
  /// Lets time pass in steps of 1 ms; clients and gateway do their due work.
  void pass_time(Micros span_us, std::initializer_list<Player*> players = {}) {
    for (const Micros end = now_us + span_us; now_us < end;) {
      now_us += 1'000;
      for (Player* player : players) {
        player->client.advance(now_us);
        send_up(*player);
      }
      core->advance(now_us, unix_s());
      core->flush();
      for (Player* player : players) send_down(*player);
    }
  }
  std::unique_ptr<Player> connect(std::uint8_t n, std::uint32_t region = 100) {
    auto player = std::make_unique<Player>();
    player->at = player_address(n);
    EXPECT_TRUE(player->client.begin(now_us, token(n, pass(region))));
    pass_time(2'000, {player.get()});
    EXPECT_TRUE(player->client.connected());
    return player;
  }
  std::unique_ptr<Player> join(std::uint8_t n, std::uint32_t region = 100) {
    auto player = connect(n, region);
    const auto joins = take<JoinRecord>();
    EXPECT_EQ(joins.size(), 1u);
    session = joins.at(0).session;
    from_worker(WorkerSlot::at(region - 100), JoinedRecord{session, 77});
    return player;
  }
  /// All records of one type sent to workers since the last take; the others are dropped.
  template <class Record>
  std::vector<Record> take(std::optional<WorkerSlot> worker = std::nullopt) {
    core->flush();
    std::vector<Record> found;
    kept_ = std::move(out.fabric);  // spans of input records point into this
    out.fabric.clear();
    for (const Parcel& parcel : kept_) {
      if (worker && parcel.to != fabric_of_worker[worker->index()]) continue;
      FabricReader reader(parcel.bytes);
      EXPECT_TRUE(reader.ok());
      EXPECT_EQ(reader.header().kind, FabricSender::Gateway);
      EXPECT_EQ(reader.header().slot, 3);
      EXPECT_EQ(reader.header().cluster_id, map.cluster_id);
      while (const auto type = reader.next()) {
        read_if<JoinRecord>(reader, *type, FabricRecord::Join, found);
        read_if<LeaveRecord>(reader, *type, FabricRecord::Leave, found);
        read_if<InputRecord>(reader, *type, FabricRecord::Input, found);
      }
      EXPECT_TRUE(reader.ok());
    }
    return found;
  }
  template <class... Records>
  void from_worker(WorkerSlot worker, const Records&... records) {
    from_worker_at(fabric_of_worker[worker.index()], {9, FabricSender::Worker, worker.number, 0},
                   records...);
  }
  template <class... Records>
  void from_worker_at(const Address& from, const FabricHeader& header, const Records&... records) {
    std::array<std::byte, fabric_datagram_bytes_max> buffer;
    FabricWriter writer(buffer, header);
    (void)(writer.add(records) && ...);
    core->on_fabric_datagram(now_us, from, writer.datagram());
  }
  void block(WorkerSlot worker, std::uint8_t priority, const Bytes& bytes) {
    from_worker(worker, BlockRecord{session, priority, bytes});
  }
  void send_frames(Player& player, const Bytes& payload) {
    ASSERT_TRUE(player.client.send_payload(now_us, payload));
    send_up(player);
  }
  static Bytes frame(StreamId stream, const Bytes& bytes) {
    Bytes buffer(bytes.size() + frame_header_bytes_max);
    FrameWriter writer(buffer);
    EXPECT_TRUE(writer.add(stream, bytes));
    buffer.resize(writer.payload().size());
    return buffer;
  }
  static Bytes plus(Bytes a, const Bytes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  std::uint64_t dropped(Drop reason) const { return core->snapshot().drops[reason]; }
  std::uint64_t counted(Count what) const { return core->snapshot().counts[what]; }

  transport::RandomBytes random = seeded(1);
  Micros now_us = 1'000'000;
  CoreSettings settings;
  ClusterMap map;
  Collected out;
  std::unique_ptr<Core> core;
  SessionId session = 0;

 private:
  template <class Wanted, class Record>
  static void read_if(FabricReader& reader, FabricRecord type, FabricRecord wanted,
                      std::vector<Record>& found) {
    if constexpr (std::same_as<Wanted, Record>) {
      Record record;
      if (type == wanted && reader.read(record)) found.push_back(record);
    }
  }
  std::vector<Parcel> kept_;
};

}  // namespace perigee::gateway
