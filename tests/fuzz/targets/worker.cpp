// A worker's core in a small yard, driven by a script: gateways and neighbours with arbitrary
// datagrams, players with arbitrary frames, ticks in between.
#include <array>
#include <memory>

#include "fuzz/fuzz.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/base/wire_messages.hpp"
#include "perigee/base/wire_voxels.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/worker/core.hpp"
#include "session_bases.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::fuzz {
namespace {

using namespace worker;

enum Step : std::uint8_t {
  raw_datagram,
  join,
  leave,
  control,
  control_bytes,
  acknowledge,
  observe,
  run_ticks,
  change_map,
  report_chunks,
  say,
  peer_bytes,
  steps
};
constexpr int steps_max = 60;
constexpr std::uint32_t players_max = 4;
const Address gateway_address = Address::v4(10, 0, 0, 1, 7000);
const Address worker_address = Address::v4(10, 0, 0, 2, 7000);
const Address neighbour_address = Address::v4(10, 0, 0, 3, 7000);

struct Controls {
  std::int16_t lean = 0;
  std::uint8_t slot = 1;
  std::uint8_t emote = 0;
  static void fields(auto&& field, auto& controls) {
    field(controls.lean, "lean", {.low = -100, .high = 100});
    field(controls.slot, "slot", {.low = 1, .high = 5, .missing = WhenMissing::Kept});
    field(controls.emote, "emote", {.high = 6, .missing = WhenMissing::Momentary});
  }
};
const InputLayout& layout() {
  static const InputLayout of_controls = input_layout_of<Controls>();
  return of_controls;
}

/// A game that relies on the ranges.
const test::YardMischief relying{.step = [](world::ActorContext& context) {
  const auto controls = context.own_input<Controls>();
  PERIGEE_ASSERT(!layout().unusable(context.input().own), "no bits outside of the fields");
  PERIGEE_ASSERT(controls.slot >= 1 && controls.slot <= 5, "steps have values in their range");
}};

struct Ignore final : BlockVisitor {
  test::SessionBases bases;
  SessionId session = 0;
  void on_own(const OwnSection& own) override { bases.add(session, own); }
  const OwnBasis* own_basis(Tick tick) const override { return bases.find(session, tick); }
  void on_event(Sequence, const WorldEvent&) override {}
  void on_record(const GroupFrame&, const TrackRecord&) override {}
};

struct Table {
  test::Yard game{{.spawn = {30.5, 3.91, -50.5},
                   .barge = true,
                   .ground = true,
                   .mischief = &relying,
                   .inputs = &layout()}};
  ClusterMap map;
  Settings settings;
  Ignore ignore;
  std::unique_ptr<Core> core;

  Table() {
    map.cluster_id = 7;
    map.version = 1;
    map.workers = {{WorkerSlot{0}, worker_address, HandleBase{1000}, 100'000, true},
                   {WorkerSlot{1}, neighbour_address, HandleBase{200'000}, 100'000, true}};
    map.gateways = {{GatewaySlot{0}, gateway_address, gateway_address, true}};
    map.workers[1].standby = WorkerSlot{0};
    map.regions = {
        {RegionId{0}, Epoch{3}, {-8000, -2000, -8000}, {1000, 2000, 8000}, WorkerSlot{0}, Epoch{3}},
        {RegionId{1}, Epoch{3}, {1000, -2000, -8000}, {8000, 2000, 8000}, WorkerSlot{1}, Epoch{3}}};
    settings.players_max = players_max;
    settings.entities_max = 64;
    core = std::make_unique<Core>(
        settings, game, WorkerSlot{0},
        [this](const Address&, std::span<const std::byte> sent) { check_sent(sent); });
    core->outputs.to_peer = [](WorkerSlot, Input) {};
    core->on_map(map, Tick{6000});
    // The first message of the neighbour's replica: this worker is its standby.
    const std::array<std::byte, 17> replica{std::byte{6}, std::byte{7}};
    core->on_peer(WorkerSlot{1}, replica);
    send(JoinRecord{session_of(0), 100, RegionId{0}, 0});
  }
  static SessionId session_of(std::uint32_t n) { return make_session(GatewaySlot{0}, 1, n); }
  void check_sent(Input datagram) {
    FabricReader reader(datagram);
    while (const auto type = reader.next()) {
      BlockRecord block;
      if (type == FabricRecord::Block && reader.read(block)) {
        ignore.session = block.session;
        MessageFrame messages;
        PERIGEE_ASSERT(read_messages(worker_message_kind, block.block, messages) ||
                           read_block(block.block, ignore),
                       "clients can read our blocks and messages");
      }
    }
    PERIGEE_ASSERT(reader.ok(), "our own datagrams can be read");
  }
  FineTick now() const { return {core->next_tick().count << 8}; }
  void arrives(Input bytes, bool from_gateway) {
    core->on_fabric(now(), from_gateway ? gateway_address : neighbour_address, bytes);
    PERIGEE_ASSERT(core->summary().players <= players_max, "limits hold");
  }
  template <class Record>
  void send(const Record& record, FabricSender kind = FabricSender::Gateway) {
    Bytes space(fabric_datagram_bytes_max);
    const bool gateway = kind == FabricSender::Gateway;
    FabricWriter writer(space,
                        {map.cluster_id, kind, gateway ? std::uint8_t{0} : std::uint8_t{1}, 0});
    if (writer.add(record)) arrives(writer.datagram(), gateway);
  }
};

PlayerInput some_input(Choices& choices, Tick tick) {
  PlayerInput input;
  input.tick = tick;
  input.forward = static_cast<std::int8_t>(std::max<int>(choices.number<std::int8_t>(), -127));
  input.up = static_cast<std::int8_t>(std::max<int>(choices.number<std::int8_t>(), -127));
  input.yaw = choices.number<std::uint16_t>();
  input.pitch = static_cast<std::int16_t>(static_cast<std::int16_t>(input.yaw * 7U) / 2);
  input.held = choices.number<std::uint16_t>();
  input.own.set(Controls{choices.number<std::int16_t>(), choices.byte(), choices.byte()});
  if ((input.held & 1) != 0) layout().confine(input.own);  // others are refused with their frame
  const std::uint8_t samples = choices.byte() % 4;
  for (std::uint8_t i = 0; i < samples; ++i) {
    const auto what = choices.number<std::uint16_t>();
    input.samples.push_back({i, what, (what & 64) != 0 ? ActionKind::Use : ActionKind::None,
                             choices.number<std::uint16_t>()});
  }
  return input;
}

void send_control(Table& table, Choices& choices, SessionId session, StreamId stream) {
  ControlFrame frame;
  const auto number = choices.number<std::uint32_t>();
  const Player* self = table.core->player_of(100);
  frame.reset_epoch =
      self != nullptr && (number & 1) == 0 ? self->reset_epoch : static_cast<std::uint8_t>(number);
  frame.claimed_parent = self != nullptr && (number & 2) == 0 ? self->parent : number;
  frame.claimed_position = {choices.number<float>(), 1, 1};
  const int ahead = static_cast<int>(number / 256 % 80) - 20;
  Tick tick = (number & 4) == 0 ? table.core->next_tick() + ahead : Tick{number};
  frame.view_sixteenths = (number & 8) == 0 ? (tick.count - 6) << 4 : number;
  for (std::uint32_t count = 1 + number / 65536 % 8; count > 0; --count) {
    frame.inputs.push_back(some_input(choices, tick));
    tick = tick - 1;
  }
  Bytes space(512);
  const Input bytes = write_control(frame, space, layout());
  table.send(InputRecord{session, table.now(), stream, bytes});
}

void say_something(Table& table, Choices& choices, SessionId session) {
  MessageFrame frame;
  frame.conversation = choices.byte() % 2U + 1U;
  frame.first = choices.byte();
  frame.received = choices.byte();
  frame.sent = frame.first + choices.byte() % 40U;
  frame.asks = choices.byte() % 2 == 0;
  const Input message = choices.bytes(80);
  for (int count = choices.byte() % 4; count > 0; --count) add_message(frame, message);
  Bytes space(MessageFrame::bytes_max);
  const Input bytes = write_messages(static_cast<std::uint8_t>(ClientFrame::Message), frame, space);
  table.send(InputRecord{session, table.now(), stream_owner, bytes});
}

void take_step(Table& table, Choices& choices) {
  const auto step = static_cast<Step>(choices.byte() % steps);
  const std::uint8_t who = choices.byte();
  const SessionId session = Table::session_of(who % 6);
  const StreamId stream = (who & 128) == 0 ? stream_owner : stream_of_worker(WorkerSlot{1});
  switch (step) {
    case raw_datagram: {
      Bytes space(fabric_datagram_bytes_max);
      const bool gateway = (who & 1) != 0;
      FabricWriter writer(
          space, {table.map.cluster_id, gateway ? FabricSender::Gateway : FabricSender::Worker,
                  gateway ? std::uint8_t{0} : std::uint8_t{1}, 0});
      Bytes datagram = (who & 2) != 0 ? bytes_of(writer.datagram()) : Bytes{};
      append(datagram, choices.bytes(1400));
      return table.arrives(datagram, gateway);
    }
    case join:
      return table.send(JoinRecord{(who & 128) != 0 ? choices.number<std::uint32_t>() : session,
                                   std::uint64_t{100} + (who >> 4) % 6, RegionId{(who >> 3) % 3U},
                                   choices.byte()});
    case leave:
      return table.send(LeaveRecord{session, (who & 128) != 0});
    case control:
      return send_control(table, choices, session, stream);
    case control_bytes: {
      const auto received = FineTick{choices.number<std::uint32_t>()};
      return table.send(InputRecord{session, received, stream, choices.bytes(1300)});
    }
    case acknowledge: {
      Bytes space(64);
      AcknowledgeFrame frame{
          choices.number<std::uint16_t>(),
          {Sequence{choices.number<std::uint16_t>()}, choices.number<std::uint32_t>()},
          Tick{choices.number<std::uint32_t>()},
          {choices.number<std::uint32_t>()}};
      if ((who & 128) == 0) frame.stream_epoch = 6000;  // the epoch of the player that joined first
      return table.send(InputRecord{session, table.now(), stream_of_worker(WorkerSlot{0}),
                                    write_acknowledge(frame, space)});
    }
    case report_chunks: {
      ChunkFrame frame{(who & 128) == 0 ? std::uint16_t{6000} : choices.number<std::uint16_t>(),
                       {}};
      const Handle ground = test::Yard::handle_of(table.core->world(), test::ground_row);
      for (int count = 1 + who % 8; count > 0; --count) {
        const std::uint8_t what = choices.byte();
        frame.reports.push_back(
            {{(what & 2) == 0 ? ground : choices.number<std::uint32_t>(),
              static_cast<std::uint16_t>(choices.byte() % 20), choices.number<std::uint16_t>()},
             (what & 1) != 0});
      }
      Bytes space(128);
      return table.send(InputRecord{session, table.now(), stream_of_worker(WorkerSlot{0}),
                                    write_chunks(frame, space)});
    }
    case observe: {
      ObserverRecord record{session, table.core->next_tick() + choices.byte()};
      record.position = {choices.number<double>(), choices.number<double>(), 0};
      record.velocity = {choices.number<float>(), 0, choices.number<float>()};
      record.radius_m = choices.number<float>();
      record.stretch = choices.number<float>();
      record.near_m = choices.number<float>();
      return table.send(record, FabricSender::Worker);
    }
    case say:
      return say_something(table, choices, session);
    case peer_bytes:
      return table.core->on_peer(WorkerSlot{1}, choices.bytes(200));
    case run_ticks:
      for (int i = 0; i <= who % 16; ++i) table.core->tick();
      return;
    default:
      ++table.map.version;
      table.map.workers[1].alive = (who & 1) != 0;
      table.map.regions[1].owner = WorkerSlot::at((who & 2) != 0 ? 0 : 1);
      return table.core->on_map(table.map, table.core->next_tick());
  }
}

void run(Input input) {
  Choices choices(input);
  Table table;
  for (int i = 0; i < steps_max && !choices.empty(); ++i) take_step(table, choices);
  for (int i = 0; i < 4; ++i) table.core->tick();
}

void append_step(Bytes& to, Step step, std::uint8_t who) { append(to, step), append(to, who); }

/// Kind 11 of the messages between workers: the neighbour's game tells all players "hi".
Bytes a_broadcast() {
  const Table table;
  Bytes out;
  append(out, std::uint8_t{11});
  append(out, std::uint32_t{table.map.cluster_id});
  append(out, std::uint8_t{0});
  const std::uint32_t oldest = 1, origin = table.map.workers[1].block().number, number = 1;
  for (const std::uint32_t field : {oldest, origin, number}) append(out, field);
  append(out, std::uint16_t{2});
  for (const char letter : {'h', 'i'}) append(out, letter);
  return out;
}
/// Kind 6, a part of the neighbour's replica: the first player's state of messages.
Bytes a_note() {
  Bytes out;
  append(out, std::uint8_t{6});
  for (const std::uint32_t number : {7U, 0U, 0U, 1U}) append(out, number);
  append(out, std::uint8_t{7});
  Bytes note(21);
  append(out, static_cast<std::uint32_t>(note.size()));
  append(out, Input(note));
  return out;
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  const Bytes zeros(16);
  Bytes script;
  for (int i = 0; i < 4; ++i) {
    append_step(script, control, 0);
    append(script, std::uint32_t{22 * 256});
    append(script, float{0});
    // Held: 0x105; own fields; a press of 0x1041 and a use.
    for (const int b : {127, 0, 0, 0, 5, 1, 9, 0, 3, 2, 1, 65, 0x10, 0xe9, 3})
      append(script, static_cast<std::uint8_t>(b));
    append_step(script, run_ticks, 2);
  }
  out.push_back(script);
  append_step(script, join, 1 << 4 | 1);
  append(script, std::uint8_t{0});
  append_step(script, leave, 128);
  append_step(script, join, 2);
  append(script, std::uint8_t{1});
  append_step(script, acknowledge, 0);
  append(script, zeros);
  append_step(script, observe, 5);
  append(script, zeros);
  append(script, zeros);
  append_step(script, run_ticks, 15);
  append_step(script, change_map, 3);
  append_step(script, report_chunks, 2);
  append(script, zeros);
  append_step(script, control_bytes, 0);
  append(script, std::uint32_t{0});
  append_sized(script, zeros);
  append_step(script, control_bytes, 128);
  append(script, std::uint32_t{0});
  append_sized(script, zeros);
  append_step(script, say, 0);
  for (const int b : {0, 0, 0, 0, 0, 2, 0, 7, 8, 2}) append(script, static_cast<std::uint8_t>(b));
  append_step(script, run_ticks, 3);
  append_step(script, peer_bytes, 0);
  append_sized(script, a_broadcast());
  append_step(script, peer_bytes, 0);
  append_sized(script, a_note());
  append_step(script, raw_datagram, 3);
  append_sized(script, zeros);
  out.push_back(script);
  return out;
}

}  // namespace

const Target target{run, seeds, 600};

}  // namespace perigee::fuzz
