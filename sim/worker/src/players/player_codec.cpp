#include "players/player_codec.hpp"

#include "lasting/lasting_codec.hpp"
#include "messages/message_codec.hpp"
#include "perigee/base/input_codec.hpp"
#include "perigee/replay/step_codec.hpp"
#include "put_written.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t player_bytes_max =
    32768 + message_state_bytes_max + profile_state_bytes_max +
    Player::records_ticks * (replay::step_bytes_max + sizeof(PlayerInput));

template <class Cursor, class S>
bool walk_set(Cursor& cursor, S& set, Tick from, Tick to) {
  if constexpr (Cursor::reading) set.clear();
  for (Tick tick = from; before(tick, to); ++tick) {
    std::uint8_t has = 0;
    if constexpr (!Cursor::reading) has = set.has(tick);
    if (!cursor.flag(has)) return false;
    if constexpr (Cursor::reading) {
      if (has != 0) set.add(tick);
    }
  }
  return true;
}

template <class Cursor, class J>
bool walk_judgement(Cursor& cursor, J& judgement) {
  return cursor.enumerator(judgement.reason, CancelReason::last) &&
         cursor.number(judgement.detail) && cursor.number(judgement.target);
}

/// The beginning of a player's bytes.
template <class Cursor, class P>
bool walk_client(Cursor& cursor, P& player) {
  return cursor.number(player.session) && cursor.number(player.client_id);
}

template <class Cursor, class P>
bool walk_identity(Cursor& cursor, P& player) {
  return walk_client(cursor, player) && cursor.number(player.issue) &&
         walk(cursor, player.account) && cursor.flag(player.lost) && cursor.number(player.avatar) &&
         player.avatar != no_entity && cursor.number(player.identity) &&
         cursor.number(player.ordinal) && cursor.flag(player.respawns) &&
         walk_optional(cursor, player.placed,
                       [&](auto& place) { return replay::walk_place(cursor, place); });
}

template <class Cursor, class P>
bool walk_promises(Cursor& cursor, P& player) {
  const auto promise = [&](auto& pending) {
    return cursor.number(pending.parent) && cursor.tick(pending.effect) &&
           cursor.enumerator(pending.vehicle, VehicleChange::last);
  };
  return cursor.number(player.tracker.wanted) && cursor.number(player.tracker.ticks) &&
         walk_optional(cursor, player.pending, promise) && cursor.vec3(player.vehicle.thrust) &&
         cursor.number(player.reset_epoch) && cursor.number(player.switch_version) &&
         cursor.number(player.other_parent_ticks);
}

template <class Cursor, class P>
bool walk_state(Cursor& cursor, P& player) {
  const auto event = [&](auto& received) { return replay::walk_event(cursor, received); };
  return cursor.number(player.parent) && replay::walk_state(cursor, player.state) &&
         replay::walk_game(cursor, player.game) && walk_list(cursor, player.events, event) &&
         walk(cursor, player.sent_game) && cursor.number(player.sent_game_version);
}

template <class Cursor, class P>
bool walk_receiving(Cursor& cursor, P& player, Tick next) {
  const auto claim = [&](auto& claimed) {
    return cursor.number(claimed.parent) && cursor.vec3(claimed.position);
  };
  auto& margins = player.margins;
  return cursor.flag(margins.any) && cursor.tick(margins.input) &&
         cursor.number(margins.margin_us) && cursor.number(margins.late) &&
         cursor.number(margins.guessed) && walk_tick(cursor, player.newest_input) &&
         cursor.tick(player.received) && PathLength::walk(cursor, player.ahead) &&
         walk_ring(cursor, player.claims, next - 15, next + 16, claim) &&
         cursor.tick(player.claims_checked);
}

template <class Cursor, class P>
bool walk_past(Cursor& cursor, P& player, Tick next, std::span<const world::ShapePtr> shapes) {
  constexpr auto records = static_cast<std::int32_t>(Player::records_ticks);
  constexpr std::int32_t judged_ticks = 64;  // older ones cannot run again elsewhere
  const auto byte = [&](auto& value) { return cursor.number(value); };
  const auto sent = [&](auto& of_tick) {
    for (auto& place : of_tick) {
      const auto judgement = [&](auto& each) { return walk_judgement(cursor, each); };
      if (!walk_optional(cursor, place, judgement)) return false;
    }
    return true;
  };
  const auto record = [&](auto& step) { return replay::walk_step(cursor, step, shapes); };
  return walk_set(cursor, player.wrong, next - records, next) &&
         walk_set(cursor, player.reread, next - records, next) &&
         LateAllowance::walk(cursor, player.lateness) &&
         walk_ring(cursor, player.judged, next - judged_ticks, next - 1, byte) &&
         walk_ring(cursor, player.sent, next - records, next - 1, sent) &&
         walk_ring(cursor, player.records, next - records, next - 1, record);
}

/// Leaves out state that the next packets of the client contain again.
template <class Cursor, class P>
bool walk_receiving_of_replica(Cursor& cursor, P& player) {
  return walk_tick(cursor, player.newest_input) && cursor.tick(player.received) &&
         PathLength::walk(cursor, player.ahead);
}

template <class Cursor, class P>
bool walk_player(Cursor& cursor, P& player, Tick next, std::span<const world::ShapePtr> shapes) {
  return walk_identity(cursor, player) && walk_state(cursor, player) &&
         walk_promises(cursor, player) && walk_receiving(cursor, player, next) &&
         InputTimeline::walk(cursor, player.inputs, next) &&
         walk_message_state(cursor, player.messages.state) &&
         walk_profile(cursor, player.profile) && walk_past(cursor, player, next, shapes);
}

}  // namespace

bool play_again(Player& player, Tick next, const world::GameModule& game) {
  bool same = true;
  constexpr auto open_ticks = static_cast<std::int32_t>(Player::records_ticks) - 1;  // see Rollback
  for (Tick tick = next - open_ticks; before(tick, next); ++tick) {
    world::StepRecord* record = player.records.find(tick);
    if (record == nullptr) continue;
    record->actor = player.identity;
    const ActorState after = record->after;
    const world::GameState game_after = record->game_after;
    const ActorState from = record->before;
    const world::GameState game_from = record->game_before;
    world::play_tick(game, *player.params, *record, from, game_from);
    if (record->after == after && record->game_after == game_after) continue;
    same = same && player.wrong.has(tick);
    record->after = after;
    record->game_after = game_after;
  }
  return same;
}

std::vector<world::ShapePtr> shapes_of(const world::GameModule& game) {
  std::vector<world::ShapePtr> out;
  for (const world::EntityType& type : game.types()) out.push_back(type.shape);
  return out;
}

void append(std::vector<std::byte>& out, const Player& player, Tick next,
            std::span<const world::ShapePtr> shapes) {
  const std::size_t at = out.size();
  out.resize(at + player_bytes_max);
  ByteWriter writer({out.data() + at, player_bytes_max});
  PERIGEE_ASSERT(walk_player(writer, player, next, shapes),
                 "player_bytes_max is too small for a player");
  out.resize(at + writer.size());
}

std::unique_ptr<Player> read_player(ByteReader& reader, Tick next,
                                    const InputTimeline::Settings& inputs,
                                    std::span<const world::ShapePtr> shapes) {
  auto player = std::make_unique<Player>();
  player->inputs = InputTimeline(inputs);
  if (!walk_player(reader, *player, next, shapes)) return nullptr;
  return player;
}

void append_replica(std::vector<std::byte>& out, const Player& player, Tick next, Tick settled,
                    std::span<const world::ShapePtr> shapes) {
  constexpr std::size_t bytes_max = 16384;
  std::vector<const world::StepRecord*> open;
  for (Tick tick = settled + 1; before(tick, next); ++tick) {
    const world::StepRecord* record = player.records.find(tick);
    if (record != nullptr && !record->wishes.proposals.empty()) open.push_back(record);
  }
  put_written<bytes_max>(out, [&](ByteWriter& writer) {
    return walk_identity(writer, player) && walk_state(writer, player) &&
           walk_promises(writer, player) && walk_receiving_of_replica(writer, player) &&
           InputTimeline::walk_open(writer, player.inputs, next) &&
           writer.number(static_cast<std::uint8_t>(open.size()));
  });
  for (const world::StepRecord* record : open) {
    put_written<replay::step_bytes_max>(
        out, [&](ByteWriter& writer) { return replay::walk_step(writer, *record, shapes); });
  }
}

std::unique_ptr<Player> read_replica(ByteReader& reader, Tick next,
                                     const InputTimeline::Settings& inputs,
                                     std::span<const world::ShapePtr> shapes) {
  auto player = std::make_unique<Player>();
  player->inputs = InputTimeline(inputs);
  std::uint8_t open = 0;
  const bool ok = walk_identity(reader, *player) && walk_state(reader, *player) &&
                  walk_promises(reader, *player) && walk_receiving_of_replica(reader, *player) &&
                  InputTimeline::walk_open(reader, player->inputs, next) && reader.number(open);
  if (!ok) return nullptr;
  for (; open > 0; --open) {
    world::StepRecord record;
    if (!replay::walk_step(reader, record, shapes)) return nullptr;
    const std::int32_t ago = ticks_between(record.tick, next);
    if (ago < 1 || ago > static_cast<std::int32_t>(Player::records_ticks)) return nullptr;
    player->records.claim(record.tick) = record;
  }
  player->claims_checked = next;
  return player;
}

std::optional<std::uint64_t> client_of_replica(std::span<const std::byte> bytes) {
  struct {
    SessionId session = 0;
    std::uint64_t client_id = 0;
  } of;
  ByteReader reader(bytes);
  return walk_client(reader, of) ? std::optional(of.client_id) : std::nullopt;
}

}  // namespace perigee::worker
