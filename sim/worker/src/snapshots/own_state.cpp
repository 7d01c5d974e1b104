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

void OwnState::fill(const Player& player, OwnSection& own) const {
  own.avatar = player.avatar;
  own.reset_epoch = player.reset_epoch;
  if (const auto applied = needs_.durable_input(player)) {
    own.has_echo = true;
    own.echo = applied->name;
    own.echo_age_ticks =
        static_cast<std::uint8_t>(std::clamp(ticks_between(applied->at, needs_.next) - 1, 0, 255));
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
    own.final_game = game_bytes(led_there->game_after, world::SeenBy::Owner);
  } else {
    const world::StepRecord* first = player.records.find(own.final_tick);
    own.final_parent = first != nullptr ? first->parent : player.parent;
    own.final_state = first != nullptr ? first->before : player.state;
    own.final_game =
        game_bytes(first != nullptr ? first->game_before : player.game, world::SeenBy::Owner);
  }
  own.speculative = own.final_tick != needs_.next;

  // Bodies that it is on, moves along with or may soon stand on: prediction needs their full
  // motion.
  const auto add = [&](Handle handle) {
    const world::Entity* entity = needs_.world.find(handle);
    if (entity == nullptr || own.parents.full()) return;
    if (needs_.world.type_of(*entity).kind != world::EntityKind::Body) return;
    for (const ParentMotion& known : own.parents) {
      if (known.handle == handle) return;
    }
    if (const auto motion = needs_.world.motion(handle, needs_.next))
      own.parents.push_back({handle, *motion});
  };
  add(player.parent);
  if (player.pending) add(player.pending->parent);
  needs_.vehicles.fill_own(player, own);
  const auto parent = needs_.world.motion(player.parent, needs_.next);
  if (!parent) return;
  const Vec3 at = transform(parent->pose, player.state.position);
  std::vector<Handle> near;
  needs_.world.parents_within(at, parents_sent_m, near);
  for (const Handle handle : near) add(handle);
  needs_.world.doors_within(at, versions_sent_m, near);
  for (const Handle handle : near) {
    const world::TimelineLog& log = *needs_.world.timeline(handle);
    if (!changed_of_late(log, needs_.next)) continue;
    if (!own.versions.push_back({handle, log.last_version()})) break;
  }
}

GameBytes OwnState::game_bytes(const world::GameState& state, world::SeenBy reader) const {
  const world::GameStateCodec& codec = needs_.game.state_codec();
  return codec.write(state, codec.initial, reader);
}

void OwnState::send_game_states() {
  for (Player& player : needs_.players) {
    const GameBytes now = game_bytes(player.game, world::SeenBy::Everybody);
    if (now == player.sent_game) continue;
    player.sent_game = now;
    needs_.observers.broadcast(player.avatar, GameStateEvent{player.avatar, now}, false);
  }
}

}  // namespace perigee::worker
