#include "perigee/worker/snapshots/own_state.hpp"

#include <algorithm>

namespace perigee::worker {
namespace {

constexpr double parents_sent_m = 80;   // full motion of bodies this near
constexpr double versions_sent_m = 30;  // versions of scheduled objects this near,
// while a change may be on its way: it is repeated in each block until it has arrived
constexpr std::int32_t change_under_way_ticks = 120;

bool changed_of_late(const world::TimelineLog& log, Tick now) {
  return log.size() > 0 && ticks_between(log[log.size() - 1].effect, now) <= change_under_way_ticks;
}

}  // namespace

void OwnState::fill(Player& player, const replication::SentTracks& arrivals, OwnSection& own) {
  own.tick = needs_.next;
  own.becomes_basis = player.told.basis_due(needs_.next);
  own.avatar = player.avatar;
  own.reset_epoch = player.reset_epoch;
  if (const auto applied = needs_.durable_input(player)) {
    own.has_echo = true;
    own.echo = applied->name;
    own.echo_age_ticks =
        static_cast<std::uint8_t>(std::clamp(ticks_between(applied->at, needs_.next) - 1, 0, 255));
  } else {
    const PlayerInput rest = player.inputs.at_rest(needs_.next);
    own.rest = {rest.yaw, rest.pitch, rest.own};
  }
  own.techniques = player.inputs.techniques();
  own.delay_ticks = static_cast<std::int8_t>(player.inputs.delay_ticks());
  own.has_margin = player.margins.any;
  own.margin_input = player.margins.input;
  own.margin_us = player.margins.margin_us;
  own.late = player.margins.late;
  own.guessed = player.margins.guessed;
  own.rate = rate_notice(needs_.map.time, needs_.next);
  own.final_tick = player.inputs.final_before(needs_.next);
  const world::StepRecord* led_there = player.records.find(own.final_tick - 1);
  if (led_there != nullptr) {
    own.final_parent = led_there->parent;
    own.final_state = led_there->after;
    own.final_game = game_bytes(led_there->game_after);
  } else {
    const world::StepRecord* first = player.records.find(own.final_tick);
    own.final_parent = first != nullptr ? first->parent : player.parent;
    own.final_state = first != nullptr ? first->before : player.state;
    own.final_game = game_bytes(first != nullptr ? first->game_before : player.game);
  }
  needs_.vehicles.fill_own(player, own);
  own.vehicle_thrust = rounded(own.vehicle_thrust);
  list_near(player, own);
  player.told.keep_motions({own.near.begin(), own.near.size()});
  for (const Handle handle : own.near) tell_motion(player, arrivals, own, handle);
}

// Bodies that it is on, moves along with or may soon stand on, and doors with recent changes.
void OwnState::list_near(const Player& player, OwnSection& own) {
  const auto add = [&](Handle handle) {
    const world::Entity* entity = needs_.world.find(handle);
    if (entity == nullptr || own.near.full()) return;
    if (needs_.world.type_of(*entity).kind != world::EntityKind::Body) return;
    if (std::find(own.near.begin(), own.near.end(), handle) != own.near.end()) return;
    if (needs_.world.motion(handle, needs_.next)) own.near.push_back(handle);
  };
  add(player.parent);
  if (player.pending) add(player.pending->parent);
  const auto parent = needs_.world.motion(player.parent, needs_.next);
  if (!parent) return;
  const Vec3 at = transform(parent->pose, player.state.position);
  needs_.world.parents_within(at, parents_sent_m, found_);
  for (const Handle handle : found_) add(handle);
  needs_.world.doors_within(at, versions_sent_m, found_);
  for (const Handle handle : found_) {
    const world::TimelineLog& log = *needs_.world.timeline(handle);
    if (!changed_of_late(log, needs_.next)) continue;
    if (!own.versions.push_back({handle, log.last_version()})) break;
  }
}

// The client extrapolates the motions that it was told. The body that it steers is in each section:
// it predicts that one from its final motion.
void OwnState::tell_motion(Player& player, const replication::SentTracks& arrivals, OwnSection& own,
                           Handle handle) {
  const Motion motion = *needs_.world.motion(handle, needs_.next);
  if (own.vehicle != VehiclePrediction::None && handle == player.parent) {
    own.parents.push_back({handle, needs_.next, rounded(motion)});
    return;
  }
  const world::EntityType& type = needs_.world.type_of(*needs_.world.find(handle));
  const AnnouncedMotions::Announced& told = announced_.current(handle, type, motion, needs_.next);
  if (!player.told.owes_motion(handle, told.tick, arrivals, needs_.next)) return;
  own.parents.push_back({handle, told.tick, told.motion});
}

void OwnState::settle() {
  constexpr std::uint32_t settle_ticks = 256;
  if (needs_.next.count % settle_ticks == 0) announced_.forget_unused(needs_.next);
}

GameBytes OwnState::game_bytes(const world::GameState& state) const {
  const world::GameStateCodec& codec = needs_.game.state_codec();
  return codec.write(state, codec.initial, world::SeenBy::Owner);
}

}  // namespace perigee::worker
