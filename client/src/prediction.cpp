#include "perigee/client/prediction.hpp"

#include <algorithm>

namespace perigee::client {
namespace {

/// Limit of a path's deviation from the line between its ends.
constexpr double detour_m = 10;

}  // namespace

Prediction::Prediction(const EntityStore& entities, const world::GameModule& game,
                       const Techniques& techniques)
    : entities_(entities),
      game_(game),
      techniques_(techniques),
      smoother_(techniques.smoothing),
      vehicle_(entities, techniques.smoothing),
      own_edits_(entities),
      surroundings_({.entities = entities_,
                     .avatar = avatar_,
                     .switches = switches_,
                     .own_edits = own_edits_,
                     .techniques = techniques_}) {}

void Prediction::use(const Techniques& techniques) {
  if (techniques.smoothing != techniques_.smoothing) {
    smoother_.choose(techniques.smoothing);
    vehicle_.choose(techniques.smoothing);
  }
  techniques_ = techniques;
}

void Prediction::start(const OwnSection& own) {
  const ClientEntity* avatar = entities_.find(own.avatar);
  if (avatar == nullptr) return;  // its spawn has not arrived yet
  if (own.final_parent != no_entity && entities_.find(own.final_parent) == nullptr) return;
  const auto game = final_game(own);
  if (!game) return;
  avatar_.handle = own.avatar;
  avatar_.identity = avatar->identity;
  avatar_.params = &entities_.type_of(*avatar).actor;
  reset_epoch_ = own.reset_epoch;
  next_ = own.final_tick;
  parent_ = own.final_parent;
  state_ = previous_ = own.final_state;
  game_state_ = *game;
  switches_.settle(own.final_parent, own.final_tick);
  history_.clear();
  own_edits_.clear();
  smoother_.clear();
  vehicle_.let_go();
  ++counts_.rewritten;
  running_ = true;
}

// None: another version of the game, which the schema hash should have refused.
std::optional<world::GameState> Prediction::final_game(const OwnSection& own) const {
  const world::GameStateCodec& codec = game_.state_codec();
  world::GameState game;
  if (!codec.read(own.final_game, codec.initial, world::SeenBy::Owner, game)) return std::nullopt;
  return game;
}

void Prediction::stop() {
  running_ = false;
  cues_.cancel_all();
  history_.clear();
  own_edits_.clear();
  vehicle_.let_go();
}

void Prediction::start_over() {
  stop();
  switches_.clear();
  smoother_.clear();
}

void Prediction::on_parent_switch(const ParentSwitchEvent& event) {
  if (event.handle == avatar_.handle || !running_) switches_.add(event);
}

bool Prediction::step(const PlayerInput& input, const ViewPoint& view) {
  PERIGEE_ASSERT(running_, "step() before the first own state");
  world::StepRecord& record = history_.claim(next_);
  record.tick = next_;
  record.actor = avatar_.identity;
  if (!surroundings_.set_parent(record, parent_)) {
    history_.forget(next_);
    return false;
  }
  const ActorState local = world::state_at_start(record, state_);
  surroundings_.gather(record, local, view);
  surroundings_.finish(record, local, view);
  record.input = input;
  const ActorState after = play(record, state_, game_state_);
  show_in_new_parent(record, local, view);
  previous_ = local;
  state_ = after;
  parent_ = record.parent;
  ++next_;
  steer(record, view);
  return true;
}

/// For every tick that is stepped, or stepped again.
const ActorState& Prediction::play(world::StepRecord& record, const ActorState& before,
                                   const world::GameState& game_before) {
  const ActorState& after = world::play_tick(game_, *avatar_.params, record, before, game_before);
  game_state_ = record.game_after;
  if (record.wishes.refused != 0) ++counts_.ticks_refused;
  cues_.on_step(record);
  own_edits_.on_step(record, avatar_.handle);
  return after;
}

// A parent switch and a change at the controls are no corrections: the visible part of the jump is
// blended over its own time.
void Prediction::show_in_new_parent(const world::StepRecord& record, const ActorState& local,
                                    const ViewPoint& view) {
  if (record.switched_from) {
    const Quat turn =
        conjugate(record.parent_motion.pose.rotation) * record.switched_from->pose.rotation;
    smoother_.turn(turn);
    const auto old_drawn = entities_.drawn_world(parent_, view);
    const auto new_drawn = entities_.drawn_world(record.parent, view);
    if (old_drawn && new_drawn && !shadow_) {
      const Vec3 seen = inverse_transform(*new_drawn, transform(*old_drawn, state_.position));
      hide_jump(seen - local.position);
    }
  } else if (record.vehicle != VehicleChange::None && !shadow_) {
    hide_jump(state_.position - local.position);
  }
}

/// Drives the body that the avatar steers.
void Prediction::steer(const world::StepRecord& record, const ViewPoint& view) {
  if ((state_.flags & actor_at_controls) == 0) {
    if (vehicle_.running()) vehicle_.let_go();
    return;
  }
  const world::StepRecord* last = history_.find(record.tick - 1);
  const bool muted = last != nullptr && last->wishes.muted;
  vehicle_.drive(parent_, avatar_.worker_tick(record.tick),
                 muted ? neutral(record.input, record.tick) : record.input, view);
}

void Prediction::receive_fixture(Handle handle) {
  const ClientEntity* entity = entities_.find(handle);
  const world::StepRecord* oldest = history_.find(base_tick() - 1);
  if (!running_ || entity == nullptr || oldest == nullptr) return;
  const auto parent = entities_.motion_at(parent_, avatar_.worker_tick(next_));
  if (!parent || oldest->parent != parent_) {
    obstacle_received_ = true;  // a parent switch needs two frames
    return;
  }
  const EntityStore::Viewer viewer{parent_, state_.position,
                                   transform(parent->pose, state_.position)};
  const double reach_m = length(world::reach_of(*avatar_.params, state_).size()) +
                         2 * distance(oldest->before.position, state_.position) + detour_m;
  obstacle_received_ = obstacle_received_ || !entities_.surely_beyond(*entity, viewer, reach_m);
}

void Prediction::hide_jump(const Vec3& error) {
  smoother_.add_error(error, parent_switch_seconds(length(error)));
}

Vec3 Prediction::true_position(double part) const {
  return lerp(previous_.position, state_.position, std::clamp(part, 0.0, 1.0));
}

void Prediction::inject_desync(const Vec3& meters) {
  state_.position += meters;
  if (world::StepRecord* last = history_.find(next_ - 1)) last->after.position += meters;
  ++counts_.rewritten;
  obstacle_received_ = true;
}

}  // namespace perigee::client
