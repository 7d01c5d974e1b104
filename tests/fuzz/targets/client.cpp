// The client library, driven by a script: a gateway and workers that may send anything under the
// right keys, with rendered frames in between.
#include <algorithm>
#include <array>
#include <cmath>

#include "fuzz/fuzz.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/client/client.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::fuzz {
namespace {

using transport::PacketType;

enum Step : std::uint8_t {
  payload,
  frame,
  block_sections,  ///< a valid header, then anything
  own_state,
  spawn_event,
  small_event,
  entity_record,
  echo,
  draw,
  sealed_packet,
  cues_of_others,
  steps
};
constexpr int steps_max = 80;
constexpr Handle avatar = 900;
const Address door = Address::v4(203, 0, 113, 1, 40000);

class Walker final : public client::InputSampler {
 public:
  PlayerInput sample(Tick) override { return input; }
  PlayerInput input;
};

struct Table {
  test::Yard game{{.ground = true}};
  client::Client client{game, {}};
  Walker walker;
  transport::PublicToken token;
  std::uint64_t sequence = 0;
  Micros now_us = 1'000'000;
  Tick tick{5000};
  std::uint16_t cluster_id = 7;
  std::uint16_t epoch = 1;
  Sequence next_event;
  std::optional<OwnBasis> basis;  ///< that the client may have

  Table() {
    walker.input.forward = 127;
    walker.input.pitch = -12000;
    walker.input.held = button_dig;
    transport::ConnectTokenSpec spec{.create_time_s = 1, .expire_time_s = 31, .timeout_s = 5};
    spec.public_addresses.push_back(door);
    spec.server_addresses.push_back(door);
    const auto bytes = make_connect_token(spec, transport::Key{}, seeded(1)).value();
    token = *transport::read_connect_token(bytes);
    client.begin(now_us, bytes);
    sealed(PacketType::Challenge, Bytes(transport::challenge_body_bytes));
    sealed(PacketType::KeepAlive, Bytes(transport::keep_alive_body_bytes));
    PERIGEE_ASSERT(client.connected(), "two packets connect it");
  }
  void sealed(PacketType type, Input body) {
    std::array<std::byte, transport::datagram_bytes_max> out;
    const std::size_t size = transport::seal_packet(type, sequence++, body, token.protocol_id,
                                                    token.server_to_client, out);
    client.receive(now_us, door, std::span(out).first(size));
  }
  void send(Input bytes) {
    if (!bytes.empty()) {
      sealed(PacketType::Payload, bytes.first(std::min<std::size_t>(bytes.size(), 1200)));
    }
  }
  void send_frame(StreamId stream, Input bytes) {
    Bytes space(1200);
    FrameWriter frames(space);
    if (frames.add(stream, bytes)) send(frames.payload());
  }
  BlockHeader header() const { return {cluster_id, epoch, tick}; }
  template <class Fill>
  void send_block(Fill fill) {
    Bytes space(1190);
    BlockWriter writer(space, header());
    fill(writer);
    send_frame(stream_of_worker(WorkerSlot{0}), writer.bytes());
  }
  void send_event(const WorldEvent& event) {
    send_block([&](BlockWriter& writer) { writer.event(next_event, event); });
    next_event = next_event + 1;
  }
  /// Spawns the yard's deck, a door, a barge, and the own avatar on the deck.
  void populate() {
    const auto spawn = [&](Handle handle, test::YardRow row, Handle parent, Vec3 at) {
      send_event(SpawnEvent{.handle = handle,
                            .identity = handle,
                            .type = static_cast<std::uint8_t>(row),
                            .parent = parent,
                            .pose = {at, {}}});
    };
    spawn(10, test::deck_row, no_entity, {});
    spawn(11, test::door_row, 10, {2, 0, 0});
    spawn(12, test::barge_row, no_entity, {0, 20, 0});
    spawn(13, test::ground_row, no_entity, {-16, -3, -16});
    spawn(avatar, test::person_row, 10, {0, 0.91, 0});
    send_own({});
  }
  OwnSection own() const {
    OwnSection out;
    out.avatar = avatar;
    out.final_tick = tick;
    out.final_parent = 10;
    out.final_state.position = {0, 0.91, 0};
    return out;
  }
  /// The client refuses other states, so they are no basis.
  static bool is_readable(const ActorState& state) {
    constexpr double most = 1 << 30;
    const auto fits = [](double x) { return std::abs(x) <= most; };
    const Vec3 velocity = to_double(state.velocity);
    return std::ranges::all_of(std::array{state.position.x, state.position.y, state.position.z,
                                          velocity.x, velocity.y, velocity.z},
                               fits);
  }
  void send_own(const OwnSection& given, bool on_basis = false) {
    const OwnSection section = given.avatar == no_entity ? own() : given;
    const std::int32_t age = basis ? ticks_between(basis->tick, tick) : 0;
    const bool has_basis = on_basis && age > 0 && age <= basis_ticks_max;
    send_block([&](BlockWriter& writer) { writer.own(section, has_basis ? &*basis : nullptr); });
    if (!section.becomes_basis || !is_readable(section.final_state)) return;
    basis = section;
    basis->tick = tick;
  }
  void draw_frame(Micros span_us) {
    now_us += span_us;
    tick = tick + static_cast<std::int32_t>(span_us * 60 / 1'000'000);
    client.advance(now_us, walker);
    for (const client::SceneEntity& entity : client.scene(now_us)) {
      PERIGEE_ASSERT(entity.handle != no_entity, "what is drawn has a name");
    }
    PERIGEE_ASSERT(client.heard().size() <= client::HeardCues::waiting_max, "cues are bounded");
    while (const auto out = client.poll_send()) {
      PERIGEE_ASSERT(!out->datagram.empty(), "it sends datagrams");
    }
  }
};

Handle some_handle(Choices& choices) {
  constexpr std::array<Handle, 6> known{no_entity, 10, 11, 12, avatar, 901};
  const std::uint32_t which = choices.below(8);
  return which < known.size() ? known[which] : choices.number<std::uint32_t>();
}
Vec3 some_place(Choices& choices) {
  return {choices.number<float>(), choices.number<float>(), choices.number<double>()};
}

/// Finite, as those of our own encoder are.
Vec3 some_rate(Choices& choices) {
  const auto part = [&] { return choices.number<std::int32_t>() * 1e-4; };
  return {part(), part(), part()};
}

TrackRecord some_record(Choices& choices) {
  const std::uint8_t what = choices.byte();
  TrackRecord out{some_handle(choices), {}};
  out.heading_only = (what & 128) != 0;
  out.track.curve = static_cast<TrackCurve>(what & 3);
  out.track.turn = static_cast<TrackTurn>(what / 4 % 3);
  out.track.position = some_rate(choices);
  out.track.velocity = some_rate(choices);
  out.track.acceleration = some_rate(choices);
  out.track.angular_velocity = some_rate(choices);
  out.track.rotation = yaw_rotation(what);
  return out;
}

void send_own(Table& table, Choices& choices) {
  OwnSection own = table.own();
  const auto flags = choices.number<std::uint16_t>();
  if ((flags & 1) != 0) own.final_tick = table.tick + choices.number<std::int8_t>();
  if ((flags & 2) != 0) own.final_tick = Tick{choices.number<std::uint32_t>()};
  if ((flags & 4) != 0) own.avatar = some_handle(choices);
  if ((flags & 8) != 0) own.final_parent = some_handle(choices);
  if ((flags & 16) != 0) own.reset_epoch = choices.byte();
  if ((flags & 32) != 0) {
    own.has_echo = own.has_margin = true;
    own.echo = table.tick + choices.number<std::int8_t>();
    own.margin_input = table.tick + choices.number<std::int8_t>();
    own.margin_us = choices.number<std::int32_t>();
  }
  own.becomes_basis = (flags & 1024) != 0;
  own.exact = (flags & 192) != 0;  // any bits are written
  if ((flags & 64) != 0) own.final_state.position = some_place(choices);
  if ((flags & 128) != 0) {
    own.final_state.velocity = {choices.number<float>(), choices.number<float>(), 0};
    own.final_state.flags = choices.byte() & actor_flags_all;
    own.final_state.ground = some_handle(choices);
  }
  if ((flags & 256) != 0) {
    Motion motion{{some_rate(choices), {}}, some_rate(choices), some_rate(choices), {}, {}};
    own.near.push_back(some_handle(choices));
    own.parents.push_back({own.near.back(), table.tick + choices.number<std::int16_t>(), motion});
  }
  if ((flags & 512) != 0) own.versions.push_back({some_handle(choices), choices.byte()});
  for (int i = flags >> 12; i > 7; --i) own.chunks.push_back({13, choices.byte(), choices.byte()});
  table.send_own(own, (flags & 2048) != 0);
}

void send_small_event(Table& table, Choices& choices) {
  const Handle handle = some_handle(choices);
  const Tick effect = table.tick + choices.number<std::int16_t>();
  switch (choices.byte() % 9) {
    case 8:
      return table.send_event(LostEvent{handle});
    case 7:
      return table.send_event(ProjectileHitEvent{handle, effect, choices.byte(), choices.byte(),
                                                 effect + choices.byte()});
    case 5:
      return table.send_event(VoxelEvent{13, choices.number<std::uint16_t>() % 9000U,
                                         choices.byte(), effect, handle, choices.byte(),
                                         (effect.count & 1) != 0, (effect.count & 2) != 0});
    case 6: {
      ChunkEvent chunk{{13, choices.byte(), choices.byte()}, {}};
      for (std::uint8_t& eight : chunk.bits) eight = choices.byte();
      return table.send_event(chunk);
    }
    case 0:
      return table.send_event(DespawnEvent{handle, 1});
    case 1:
      return table.send_event(ParentSwitchEvent{handle, some_handle(choices), effect, 1});
    case 2:
      return table.send_event(TimelineEvent{handle, effect, choices.byte(), choices.byte()});
    case 3:
      return table.send_event(EffectEvent{effect, choices.byte()});
    default:
      return table.send_event(ParentSwitchEvent{avatar, some_handle(choices), effect, 1});
  }
}

void send_cues(Table& table, Choices& choices) {
  table.send_block([&](BlockWriter& writer) {
    for (int more = choices.byte() % 8; more >= 0; --more) {
      CueEvent cue{.entity = some_handle(choices), .effect = choices.byte()};
      cue.tick = table.tick - static_cast<std::int32_t>(choices.below(cue_age_ticks_max + 1));
      cue.subject = some_handle(choices);
      if (cue.entity == no_entity) cue.place = to_float(some_rate(choices));
      writer.cue(cue);
    }
  });
}

void take_step(Table& table, Choices& choices) {
  const auto step = static_cast<Step>(choices.byte() % steps);
  switch (step) {
    case payload:
      return table.send(choices.bytes());
    case frame: {
      const StreamId stream = choices.byte();
      return table.send_frame(stream, choices.bytes(1197));
    }
    case block_sections: {
      const std::uint8_t what = choices.byte();
      if ((what & 1) != 0) ++table.epoch;
      if ((what & 2) != 0) ++table.cluster_id;
      if ((what & 4) != 0) table.tick = Tick{choices.number<std::uint32_t>()};
      Bytes space(64);
      const BlockWriter writer(space, table.header());
      Bytes block = bytes_of(writer.bytes());
      append(block, choices.bytes(1100));
      return table.send_frame(static_cast<std::uint8_t>(1 + what / 8), block);
    }
    case own_state:
      return send_own(table, choices);
    case spawn_event:
      return table.send_event(
          SpawnEvent{.handle = some_handle(choices),
                     .type = static_cast<std::uint8_t>(choices.byte() % test::yard_rows),
                     .parent = some_handle(choices),
                     .goal = choices.byte(),
                     .pose = {some_place(choices), {}}});
    case small_event:
      return send_small_event(table, choices);
    case entity_record:
      return table.send_block([&](BlockWriter& writer) {
        const TrackRecord record = some_record(choices);
        const GroupFrame group{.parent = some_handle(choices),
                               .precision = static_cast<Precision>(choices.below(precisions)),
                               .block = handle_block(record.handle)};
        const EncodedHeading heading = encode_heading(record.handle, record.track.rotation);
        const EncodedTrack whole = encode_track(record, group.precision, 1);
        const auto bytes = record.heading_only ? std::span<const std::byte>(heading)
                                               : std::span<const std::byte>(whole);
        const Tick began = table.tick - choices.number<std::uint16_t>();
        if (!writer.begin_group(group)) return;
        writer.record(bytes, began);
        // The next one of the same entity, as the difference to it, or to what never was.
        const std::uint8_t ago = choices.byte();
        if (record.heading_only || ago == 0 || not_after(table.tick, began + ago)) return;
        const TrackSteps steps = steps_of(record.track, group.precision, 1, ago % 4);
        const EncodedDifference difference =
            encode_difference(record.handle, steps, began + ago, {group, began - ago / 128, steps},
                              0.05, track_record_bytes_max);
        if (!difference.empty()) writer.record(difference, began + ago);
      });
    case echo: {
      std::array<std::byte, echo_frame_bytes> bytes;
      ByteWriter writer(bytes);
      write_echo(writer, {choices.number<std::uint16_t>(), choices.number<std::uint16_t>()});
      return table.send_frame(stream_gateway, writer.written());
    }
    case cues_of_others:
      return send_cues(table, choices);
    case draw: {
      const auto ms = choices.number<std::uint16_t>();
      return table.draw_frame(ms % 5 == 0 ? ms * 100 : 16'667);
    }
    default: {
      const auto type = static_cast<PacketType>(1 + choices.below(6));
      return table.sealed(type, choices.bytes(1200));
    }
  }
}

void run(Input input) {
  static const bool crypto = transport::init_crypto().ok();
  PERIGEE_ASSERT(crypto, "libsodium works");
  Choices choices(input);
  Table table;
  if ((choices.byte() & 1) == 0) {
    table.populate();
    for (std::uint16_t i = 0; i < 3; ++i) {
      std::array<std::byte, echo_frame_bytes> bytes;
      ByteWriter writer(bytes);
      write_echo(writer, {i, 0});
      table.draw_frame(16'667);
      table.send_frame(stream_gateway, writer.written());
    }
  }
  for (int i = 0; i < steps_max && !choices.empty(); ++i) take_step(table, choices);
  table.draw_frame(16'667);
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  Bytes script;
  const auto step = [&](Step what) { append(script, what); };
  const auto byte = [&](int value) { append(script, static_cast<std::uint8_t>(value)); };
  const auto half = [&](int value) { append(script, static_cast<std::uint16_t>(value)); };
  byte(0);
  for (int i = 0; i < 4; ++i) {
    step(draw), half(16);
    step(own_state), half(1), byte(i);
    step(cues_of_others), byte(0), byte(i), byte(7), byte(i), byte(1);
  }
  out.push_back(script);
  step(small_event), half(4), half(3), byte(1), half(3);  // the avatar's parent
  step(small_event), half(2), half(3), byte(2), byte(1), byte(1);
  step(spawn_event), half(5), byte(test::barge_row), half(1), byte(0);
  append(script, Bytes(16));
  step(entity_record), half(5), half(0);
  append_sized(script, Bytes(16, std::byte{1}));
  step(own_state), half(256);
  append(script, Bytes(16 * 3));
  half(3);
  step(draw), half(500);
  out.push_back(script);
  step(block_sections), byte(2);
  append_sized(script, {});
  step(echo), append(script, Bytes(8));
  step(frame), byte(stream_gateway), append_sized(script, Bytes(5, std::byte{2}));
  step(payload), append_sized(script, Bytes(5));
  step(sealed_packet), half(1), append_sized(script, Bytes(8));
  step(draw), half(16);
  out.push_back(script);
  return out;
}

}  // namespace

const Target target{run, seeds, 1000};

}  // namespace perigee::fuzz
