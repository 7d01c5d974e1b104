// The own-avatar section of a player's blocks, and checking the player's claims.
#include <algorithm>

#include "buddies.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {
namespace {

constexpr double parents_told_m = 80;   // full motion of bodies this near
constexpr double versions_told_m = 30;  // versions of scheduled objects this near

}  // namespace

void Core::fill_own(const Player& player, OwnSection& own) const {
  own.avatar = player.avatar;
  own.reset_epoch = player.reset_epoch;
  if (const auto applied = buddies_->durable_input(player)) {
    own.has_echo = true;
    own.echo = applied->name;
    own.echo_age_ticks =
        static_cast<std::uint8_t>(std::clamp(ticks_between(applied->at, next_) - 1, 0, 255));
  }
  own.techniques = player.inputs.techniques();
  own.delay_ticks = static_cast<std::int8_t>(player.inputs.delay_ticks());
  own.has_margin = player.margins.any;
  own.margin_input = player.margins.input;
  own.margin_us = player.margins.margin_us;
  own.late = player.margins.late;
  own.guessed = player.margins.guessed;
  own.rate = rate_notice(map_.time, next_);
  own.final_tick = player.inputs.final_before(next_);
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
  own.speculative = own.final_tick != next_;
  own.newest_parent = player.parent;
  own.newest_state = player.state;

  // Bodies that it is on, moves along with or may soon stand on: prediction needs their full
  // motion.
  const auto add = [&](Handle handle) {
    const world::Entity* entity = world_->find(handle);
    if (entity == nullptr || own.parents.full()) return;
    if (world_->type_of(*entity).kind != world::EntityKind::Body) return;
    for (const ParentMotion& known : own.parents) {
      if (known.handle == handle) return;
    }
    if (const auto motion = world_->motion(handle, next_)) own.parents.push_back({handle, *motion});
  };
  add(player.parent);
  if (player.pending) add(player.pending->parent);
  fill_helm(player, own);
  const auto parent = world_->motion(player.parent, next_);
  if (!parent) return;
  const Vec3 at = transform(parent->pose, player.state.position);
  std::vector<Handle> near;
  world_->parents_within(at, parents_told_m, near);
  for (const Handle handle : near) add(handle);
  world_->doors_within(at, versions_told_m, near);
  for (const Handle handle : near) {
    if (!own.versions.push_back({handle, world_->timeline(handle)->last_version()})) break;
  }
}

GameBytes Core::game_bytes(const world::GameState& state, world::SeenBy reader) const {
  const world::GameStateCodec& codec = game_.state_codec();
  return codec.write(state, codec.initial, reader);
}

// Clients that know the actor receive its game state whenever the public part has changed.
void Core::tell_game_states() {
  for (Player& player : players_) {
    const GameBytes now = game_bytes(player.game, world::SeenBy::Everybody);
    if (now == player.told_game) continue;
    player.told_game = now;
    observers_.broadcast(player.avatar, GameStateEvent{player.avatar, now}, false);
  }
}

// A claim is compared once the state of its tick is final: before that, it may be the better guess.
void Core::check_claims(Player& player) {
  const Tick final_now = player.inputs.final_before(next_);
  for (; before(player.claims_checked, final_now); ++player.claims_checked) {
    const Tick at = player.claims_checked;
    const Claim* claim = player.claims.find(at);
    const world::StepRecord* led_there = player.records.find(at - 1);
    if (claim == nullptr || led_there == nullptr) continue;
    if (claim->parent != led_there->parent) {
      if (++player.other_parent_ticks > settings_.reset_parent_ticks) return hard_reset(player);
      continue;
    }
    player.other_parent_ticks = 0;
    const double meters = distance(to_double(claim->position), led_there->after.position);
    if (meters > settings_.surprise_m) note_surprise(player, at, meters);
    if (meters > settings_.reset_m) return hard_reset(player);
  }
}

/// Voids everything that the client has predicted or sent; it continues from the final state.
void Core::start_anew(Player& player) {
  ++player.reset_epoch;
  player.inputs.reset(next_);
  player.wrong.clear();
  player.reread.clear();
  player.claims.clear();
  player.claims_checked = next_ + settings_.reset_rest_ticks;
  player.other_parent_ticks = 0;
}

void Core::hard_reset(Player& player) {
  start_anew(player);
  counts_.add(Count::HardResets);
}

}  // namespace perigee::worker
