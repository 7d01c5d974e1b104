/// The needs of the gateway's components, without the core: a transport server with real
/// clients, links to two workers, sessions and counts.
#pragma once

#include "fixture.hpp"

namespace perigee::gateway {

class WithoutCore : public ::testing::Test, private transport::Outbox, protected Disconnector {
 protected:
  WithoutCore() {
    map.cluster_id = 9;
    map.version = 1;
    for (const WorkerSlot slot : worker_slots(2)) {
      map.workers.push_back({.slot = slot,
                             .fabric = fabric_of_worker[slot.index()],
                             .handle_base = HandleBase{1000U * (slot.number + 1U)},
                             .alive = true,
                             .incarnation = Incarnation{1}});
      map.regions.push_back(
          {.region = RegionId{100U + slot.number}, .epoch = Epoch{1}, .owner = slot});
    }
    links.on_map(map);
  }
  /// Connects a client and begins its session, which is joining. Returns its slot.
  std::uint32_t connect(std::uint8_t client_id) {
    clients.push_back({player_address(client_id), std::make_unique<transport::Client>()});
    transport::ConnectTokenSpec spec;
    spec.create_time_s = unix_s;
    spec.expire_time_s = unix_s + 30;
    spec.client_id = client_id;
    spec.public_addresses.push_back(public_address);
    spec.server_addresses.push_back(public_address);
    const auto token = transport::make_connect_token(spec, settings.private_key, random).value();
    transport::Client& client = *clients.back().client;
    EXPECT_TRUE(client.begin(now_us, token));
    for (int i = 0; i < 2; ++i) {
      while (const auto parcel = client.poll_send()) {
        Bytes bytes = bytes_of(parcel->datagram);
        (void)server.receive(now_us, unix_s, clients.back().at, bytes);
      }
      (void)frames(clients.back());
    }
    const auto event = server.take_event();
    EXPECT_TRUE(event && event->kind == transport::ServerEvent::Kind::Connected);
    sessions.start(event->slot, {.client_id = client_id, .issue = 7});
    return event->slot;
  }
  std::uint32_t play(std::uint8_t client_id) {
    const std::uint32_t slot = connect(client_id);
    sessions.set_phase(slot, Session::Phase::Playing);
    return slot;
  }
  /// The frames that the client of that slot has received since the last call.
  std::vector<FromClientSide> frames(std::uint32_t slot) {
    for (Endpoint& endpoint : clients) {
      if (endpoint.at == server.address(slot)) return frames(endpoint);
    }
    return {};
  }
  /// All records of one type sent to that worker since the last call; the others are dropped.
  template <class Record>
  std::vector<Record> records(WorkerSlot worker, FabricRecord wanted) {
    links.flush();
    kept_ = std::move(out.fabric);  // spans of input records point into this
    out.fabric.clear();
    std::vector<Record> found;
    for (const Parcel& parcel : kept_) {
      if (parcel.to != fabric_of_worker[worker.index()]) continue;
      FabricReader reader(parcel.bytes);
      while (const auto type = reader.next()) {
        Record record;
        if (*type == wanted && reader.read(record)) found.push_back(record);
      }
    }
    return found;
  }
  std::vector<JoinRecord> joins_to(WorkerSlot worker) {
    return records<JoinRecord>(worker, FabricRecord::Join);
  }
  std::vector<LeaveRecord> leaves_to(WorkerSlot worker) {
    return records<LeaveRecord>(worker, FabricRecord::Leave);
  }
  SessionId id(std::uint32_t slot) const { return sessions[slot].id; }
  void kick(Micros, std::uint32_t slot) override { kicked.push_back(slot); }

  static constexpr std::uint64_t unix_s = 1'800'000'000;
  static constexpr std::uint32_t clients_max = 4;
  transport::RandomBytes random = seeded(3);
  Micros now_us = 1'000'000;
  transport::ServerSettings settings{.private_key = transport::random_key(random),
                                     .address = public_address,
                                     .clients_max = clients_max,
                                     .started_at_s = unix_s - 1000};
  ClusterMap map;
  Collected out;
  std::vector<std::uint32_t> kicked;
  Counts<Count> counts;
  Counts<Drop> drops;
  WorkerLinks links{GatewaySlot{3}, [this](const Address& to, std::span<const std::byte> datagram) {
                      out.to_fabric(to, datagram);
                    }};
  transport::Server server{settings, random, *this};
  Sessions sessions{{.self = GatewaySlot{3}, .clients_max = clients_max, .started_at_s = unix_s},
                    random};
  ClientTelemetry telemetry{{.outputs = out, .counts = counts, .drops = drops}, clients_max};
  ClientPayloads payloads{{.server = server, .telemetry = telemetry, .counts = counts}};

 private:
  struct Endpoint {
    Address at;
    std::unique_ptr<transport::Client> client;
  };
  void send(const Address& to, std::span<const std::byte> datagram) override {
    out.to_client(to, datagram);
  }
  std::vector<FromClientSide> frames(Endpoint& endpoint) {
    std::vector<FromClientSide> found;
    std::vector<Parcel> rest;
    for (Parcel& parcel : out.clients) {
      if (parcel.to != endpoint.at) {
        rest.push_back(std::move(parcel));
        continue;
      }
      const auto payload = endpoint.client->receive(now_us, public_address, parcel.bytes);
      if (!payload) continue;
      FrameReader reader(payload->bytes);
      while (const auto frame = reader.next()) {
        found.push_back({frame->stream, bytes_of(frame->bytes)});
      }
    }
    out.clients = std::move(rest);
    return found;
  }
  std::vector<Endpoint> clients;
  std::vector<Parcel> kept_;
};

/// With the components that find a worker for each session.
struct WithJoins : WithoutCore {
  explicit WithJoins(bool stay = false)
      : joins{{.map = map,
               .server = server,
               .disconnector = *this,
               .links = links,
               .sessions = sessions,
               .leaves = leaves,
               .outputs = out,
               .counts = counts,
               .stay = stay}} {}
  Leaves leaves{{.links = links, .counts = counts}, clients_max};
  Joins joins;
};

/// With the components that send blocks, and the ends of workers, to the clients.
struct WithBlocks : WithJoins {
  Echoes echoes{clients_max};
  BlockSender sender{{.coalesce_us = 0,
                      .payloads_per_flush_max = 4,
                      .echoes = echoes,
                      .payloads = payloads,
                      .outputs = out,
                      .counts = counts,
                      .drops = drops},
                     clients_max};
  Endings endings{{.map = map, .links = links, .sessions = sessions, .block_sender = sender}};
};

}  // namespace perigee::gateway
