// The gateway's core, driven by a script: authenticated clients with arbitrary payloads, workers
// with arbitrary datagrams, map changes, resume tokens.
#include <memory>

#include "fuzz/fuzz.hpp"
#include "perigee/gateway/core.hpp"
#include "perigee/transport/client.hpp"
#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::fuzz {
namespace {

using namespace gateway;

enum Step : std::uint8_t {
  client_payload,
  client_frame,
  stranger_datagram,
  fabric_datagram,
  fabric_record,
  time_passes,
  resume_token,
  kick,
  change_map,
  leave,
  dial,
  door_datagram,
  steps
};
constexpr std::uint64_t unix_start = 1'800'000'000;
constexpr int steps_max = 100;
const Address door = Address::v4(203, 0, 113, 1, 40000);
const std::array workers{Address::v4(10, 0, 0, 10, 40040), Address::v4(10, 0, 0, 11, 40041)};
const Address relay = Address::v4(10, 0, 0, 20, 41000);
const DoorKeys door_keys{.current = {std::byte{7}}, .previous = {}};
const std::array homes{Address::v4(192, 168, 1, 0, 5000), Address::v4(192, 168, 1, 1, 5000)};

struct Wires final : Outputs {
  std::vector<std::pair<Address, Bytes>> clients;
  std::vector<SessionId> joins;
  void to_client(const Address& to, std::span<const std::byte> datagram) override {
    clients.emplace_back(to, bytes_of(datagram));
  }
  void to_door(const Address& path, std::span<const std::byte>) override {
    PERIGEE_ASSERT(path == relay, "doors get only what is for their paths");
  }
  void to_fabric(const Address& to, std::span<const std::byte> datagram) override {
    PERIGEE_ASSERT(std::find(workers.begin(), workers.end(), to) != workers.end(),
                   "the fabric is where the map says");
    FabricReader reader(datagram);
    while (const auto type = reader.next()) {
      JoinRecord join;
      if (type == FabricRecord::Join && reader.read(join)) joins.push_back(join.session);
    }
    PERIGEE_ASSERT(reader.ok() && datagram.size() <= fabric_datagram_bytes_max,
                   "our own datagrams can be read");
  }
};

struct Table {
  transport::RandomBytes random = seeded(1);
  Wires wires;
  CoreSettings settings;
  ClusterMap map;
  std::unique_ptr<Core> core;
  std::array<transport::Client, 2> clients;
  Micros now_us = 1'000'000;

  Table() {
    settings.slot = GatewaySlot{3};
    settings.transport.private_key = transport::random_key(random);
    settings.transport.address = door;
    settings.transport.clients_max = 2;
    settings.transport.started_at_s = unix_start - 1000;
    settings.door_keys = door_keys;
    map.cluster_id = 9;
    map.version = 1;
    for (const WorkerSlot slot : {WorkerSlot{0}, WorkerSlot{1}}) {
      map.workers.push_back({.slot = slot, .fabric = workers[slot.index()], .alive = true});
      map.regions.push_back({.region = RegionId{slot.number}, .epoch = Epoch{1}, .owner = slot});
    }
    core = std::make_unique<Core>(settings, random, wires);
    core->on_map(now_us, map);
  }
  std::uint64_t unix_s() const {
    return unix_start + static_cast<std::uint64_t>(now_us / 1'000'000);
  }
  transport::ConnectToken token(std::uint64_t client_id, std::uint32_t life_s) {
    transport::ConnectTokenSpec spec{
        .create_time_s = unix_s(), .expire_time_s = unix_s() + life_s, .client_id = client_id};
    spec.public_addresses.push_back(door);
    spec.server_addresses.push_back(door);
    spec.user_data = transport::write_user_data(
        {.wire_version = wire_version, .issue = static_cast<std::uint64_t>(now_us)});
    return transport::make_connect_token(spec, settings.transport.private_key, random).value();
  }
  void up() {
    for (std::size_t i = 0; i < clients.size(); ++i) {
      while (const auto out = clients[i].poll_send()) {
        Bytes bytes = bytes_of(out->datagram);
        core->on_client_datagram(now_us, unix_s(), {homes[i], now_us, {}, bytes});
      }
    }
  }
  /// With a header, or as it is.
  void through_door(Input bytes, bool sealed) {
    const auto header = transport::seal_door_header(homes[0], relay, door_keys.current);
    Bytes datagram = sealed ? bytes_of(header) : Bytes{};
    append(datagram, bytes);
    core->on_door_datagram(now_us, unix_s(), {relay, now_us, {}, datagram});
  }
  void down() {
    for (auto& [to, bytes] : std::exchange(wires.clients, {})) {
      for (std::size_t i = 0; i < clients.size(); ++i) {
        if (to != homes[i]) continue;
        const auto payload = clients[i].receive(now_us, door, bytes);
        if (!payload) continue;
        FrameReader frames(payload->bytes);
        while (frames.next()) {
        }
        PERIGEE_ASSERT(frames.ok(), "clients get whole frames");
      }
    }
  }
  void pass(Micros span_us) {
    now_us += span_us;
    for (transport::Client& client : clients) client.advance(now_us);
    exchange();
  }
  void exchange() {
    up();
    core->advance(now_us, unix_s());
    core->flush();
    down();
    const std::uint32_t clients_now = static_cast<std::uint32_t>(core->client_addresses().size());
    PERIGEE_ASSERT(clients_now <= settings.transport.clients_max, "limits hold");
  }
  void connect(std::size_t player, std::uint32_t life_s) {
    clients[player].begin(now_us, token(player + 1, life_s));
    for (int i = 0; i < 3; ++i) exchange();
  }
  void send(std::size_t player, Input bytes) {
    if (!bytes.empty()) {
      clients[player].send_payload(now_us, bytes.first(std::min<std::size_t>(bytes.size(), 1200)));
    }
    up();
  }
  /// By the next map, another process has the worker's name.
  void restart(std::uint8_t worker) {
    Incarnation& incarnation = map.workers[worker].incarnation;
    incarnation = incarnation.next();
  }
  void from_worker(std::uint8_t worker, Input records, bool header) {
    Bytes space(fabric_datagram_bytes_max);
    FabricWriter writer(space, {map.cluster_id, FabricSender::Worker, worker, 0});
    Bytes datagram = header ? bytes_of(writer.datagram()) : Bytes{};
    append(datagram, records);
    core->on_fabric_datagram(now_us, workers[worker], datagram);
  }
  template <class Record>
  void record(std::uint8_t worker, const Record& record) {
    Bytes space(fabric_datagram_bytes_max);
    FabricWriter writer(space, {map.cluster_id, FabricSender::Worker, worker, 0});
    if (writer.add(record)) core->on_fabric_datagram(now_us, workers[worker], writer.datagram());
  }
};

void send_record(Table& table, Choices& choices, std::uint8_t worker, std::uint32_t number) {
  const auto& joins = table.wires.joins;
  const SessionId session = joins.empty() || (number & 16) != 0
                                ? number
                                : joins[joins.size() - 1 - number / 32 % joins.size()];
  switch (number % 4) {
    case 0:
      return table.record(worker, JoinedRecord{session, number});
    case 1:
      return table.record(worker,
                          RefusedRecord{session, static_cast<RefuseReason>(number / 4 % 3)});
    case 2:
      return table.record(worker, LeftRecord{session});
    default:
      return table.record(
          worker, BlockRecord{session, choices.byte(), choices.bytes(fabric_datagram_bytes_max)});
  }
}

void take_step(Table& table, Choices& choices) {
  const auto step = static_cast<Step>(choices.byte() % steps);
  const std::size_t player = choices.byte() % 2;
  const auto number = choices.number<std::uint32_t>();
  const auto worker = static_cast<std::uint8_t>(player);
  switch (step) {
    case client_payload:
      return table.send(player, choices.bytes());
    case client_frame: {
      Bytes space(1200);
      FrameWriter frames(space);
      frames.add(static_cast<std::uint8_t>(number), choices.bytes(1197));
      return table.send(player, frames.payload());
    }
    case stranger_datagram: {
      Bytes bytes = bytes_of(choices.bytes());
      return table.core->on_client_datagram(table.now_us, table.unix_s(),
                                            {homes[player], table.now_us, {}, bytes});
    }
    case fabric_datagram:
      return table.from_worker(worker, choices.bytes(1400), (number & 1) != 0);
    case fabric_record:
      return send_record(table, choices, worker, number);
    case time_passes:
      return table.pass(number % ((number & 1) != 0 ? 20'000 : 6'000'000));
    case resume_token: {
      const auto token = table.token(player + 1, 300);
      table.core->on_resume_token(table.now_us, player + 1,
                                  (number & 1) != 0 ? choices.bytes() : Input(token));
      return;
    }
    case kick:
      return table.core->kick_client(table.now_us, player + 1);
    case change_map:
      ++table.map.version;
      table.map.workers[worker].alive = (number & 1) != 0;
      if ((number & 2) != 0) table.restart(worker);
      table.map.regions[worker].owner =
          (number & 4) != 0 ? std::nullopt : std::optional(WorkerSlot::at(number / 8 % 2));
      return table.core->on_map(table.now_us, table.map);
    case door_datagram:
      return table.through_door(choices.bytes(), (number & 1) != 0);
    case leave:
      table.clients[player].disconnect(table.now_us);
      return table.exchange();
    default:
      return table.connect(player, 30);
  }
}

void run(Input input) {
  static const bool crypto = transport::init_crypto().ok();
  PERIGEE_ASSERT(crypto, "libsodium works");
  Choices choices(input);
  Table table;
  table.connect(0, 30);
  for (int i = 0; i < steps_max && !choices.empty(); ++i) take_step(table, choices);
}

void append_step(Bytes& to, Step step, std::uint8_t player = 0, std::uint32_t number = 0) {
  append(to, step), append(to, player), append(to, number);
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  const Bytes few(20, std::byte{3});
  Bytes script;
  append_step(script, fabric_record);  // joined
  append_step(script, client_frame, 0, stream_owner);
  append_sized(script, few);
  append_step(script, client_frame, 0, 2);
  append_sized(script, few);
  append_step(script, fabric_record, 0, 3);  // a block
  append(script, std::uint8_t{1});
  append_sized(script, few);
  append_step(script, time_passes, 0, 1'999);
  out.push_back(script);
  append_step(script, resume_token);
  append_step(script, time_passes, 0, 500'000);
  Bytes space(128);
  ByteWriter received(space);
  write_resume_received(received, 1);
  append_step(script, client_frame, 0, stream_gateway);
  append_sized(script, received.written());
  Bytes report(telemetry_bytes_max);
  append_step(script, client_frame, 0, stream_gateway);
  append_sized(script, write_telemetry({}, report));
  out.push_back(script);
  append_step(script, dial, 1);
  append_step(script, fabric_record, 1, 1);  // refused
  append_step(script, change_map, 0, 2);
  append_step(script, time_passes, 0, 5'000'000);
  append_step(script, client_payload, 0);
  append_sized(script, few);
  append_step(script, fabric_datagram, 0, 1);
  append_sized(script, few);
  append_step(script, kick, 0);
  append_step(script, leave, 1);
  append_step(script, door_datagram, 0, 1);
  append_sized(script, few);
  append_step(script, door_datagram, 0, 0);
  append_sized(script, few);
  out.push_back(script);
  return out;
}

}  // namespace

const Target target{run, seeds, 4000};

}  // namespace perigee::fuzz
