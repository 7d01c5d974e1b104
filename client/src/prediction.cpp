#include "perigee/client/prediction.hpp"

#include <algorithm>
#include <utility>

#include "perigee/netcode/reconcile.hpp"

namespace perigee::client {
namespace {

/// More than the usual error of an extrapolation: it moves a rider by centimetres within a round
/// trip.
constexpr double felt_m_s2 = 2;

/// A replay that deviates farther gathers neighbours again: reach_of() has a reserve of 0.25 m.
constexpr double astray_m_max = 0.2;

bool felt_otherwise(const world::FrameMotion& believed, const world::FrameMotion& known) {
  return known.inertia == world::Inertia::Full &&
         distance(believed.acceleration, known.acceleration) > felt_m_s2;
}

}  // namespace

void Prediction::start(const OwnSection& own) {
  const ClientEntity* avatar = entities_.find(own.avatar);
  if (avatar == nullptr) return;  // its spawn has not arrived yet
  if (own.final_parent != no_entity && entities_.find(own.final_parent) == nullptr) return;
  const auto game = final_game(own);
  if (!game) return;
  avatar_ = own.avatar;
  identity_ = avatar->identity;
  params_ = &entities_.type_of(*avatar).actor;
  reset_epoch_ = own.reset_epoch;
  next_ = own.final_tick;
  parent_ = base_parent_ = own.final_parent;
  base_tick_ = own.final_tick;
  state_ = previous_ = own.final_state;
  game_state_ = *game;
  history_.clear();
  own_edits_.clear();
  smoother_.clear();
  helm_.let_go();
  forget_past_switches();
  ++rewritten_;
  running_ = true;
}

// None: another version of the game, which the schema hash should have refused.
std::optional<world::GameState> Prediction::final_game(const OwnSection& own) const {
  const world::GameStateCodec& codec = game_.state_codec();
  world::GameState game;
  if (!codec.read(own.final_game, codec.initial, world::SeenBy::Owner, game)) return std::nullopt;
  return game;
}

void Prediction::use(const Techniques& techniques) {
  if (techniques.smoothing != techniques_.smoothing) {
    smoother_.choose(techniques.smoothing);
    helm_.choose(techniques.smoothing);
  }
  techniques_ = techniques;
}

void Prediction::stop() {
  running_ = false;
  cues_.cancel_all();
  history_.clear();
  own_edits_.clear();
  helm_.let_go();
}

// base_parent_ already includes them.
void Prediction::forget_past_switches() {
  while (!switches_.empty() && before(switches_[0].effect, base_tick_)) switches_.erase(0);
}

void Prediction::start_over() {
  stop();
  switches_.clear();
  smoother_.clear();
}

Handle Prediction::parent_at(Tick tick) const {
  Handle parent = base_parent_;
  for (const Switch& change : switches_) {
    if (not_after(change.effect, tick)) parent = change.parent;
  }
  return parent;
}

HelmChange Prediction::helm_change_at(Tick tick) const {
  for (const Switch& change : switches_) {
    if (change.effect == tick) return change.helm;
  }
  return HelmChange::None;
}

void Prediction::on_parent_switch(const ParentSwitchEvent& event) {
  if (event.handle != avatar_ && running_) return;
  if (not_after(event.effect, base_tick_ - 1)) return;  // already included in a final state
  std::size_t place = switches_.size();
  while (place > 0 && before(event.effect, switches_[place - 1].effect)) --place;
  if (switches_.full()) {
    switches_.erase(0);
    if (place > 0) --place;
  }
  switches_.insert(place, {event.parent, event.effect, event.helm});
}

bool Prediction::step(const PlayerInput& input, const ViewPoint& view) {
  PERIGEE_ASSERT(running_, "step() before the first own state");
  world::StepRecord filled;
  filled.tick = next_;
  filled.actor = identity_;
  if (!fill(filled, parent_)) return false;
  world::StepRecord& record = history_.claim(next_);
  record = filled;
  const ActorState local = world::state_at_start(record, state_);
  gather(record, local, view);
  feel_gravity(record, local, view);
  cut_out(record, local);
  record.input = input;
  const ActorState after = world::play_tick(game_, *params_, record, state_, game_state_);
  game_state_ = record.game_after;
  if (record.wishes.refused != 0) ++ticks_refused_;
  if (record.switched_from) {
    // Not a correction: the visible part is blended over its own time. (K35)
    const Quat turn =
        conjugate(record.parent_motion.pose.rotation) * record.switched_from->pose.rotation;
    smoother_.turn(turn);
    const auto old_drawn = entities_.drawn_world(parent_, view);
    const auto new_drawn = entities_.drawn_world(record.parent, view);
    if (old_drawn && new_drawn && !shadow_) {
      const Vec3 seen = inverse_transform(*new_drawn, transform(*old_drawn, state_.position));
      hide_jump(seen - local.position);
    }
  }
  if (record.helm != HelmChange::None && !record.switched_from && !shadow_) {
    hide_jump(state_.position - local.position);
  }
  previous_ = local;
  state_ = after;
  cues_.on_step(record);
  own_edits_.on_step(record, avatar_);
  parent_ = record.parent;
  ++next_;
  if ((state_.flags & actor_at_helm) != 0) {
    const world::StepRecord* last = history_.find(record.tick - 1);
    const bool muted = last != nullptr && last->wishes.muted;
    helm_.drive(parent_, worker_tick(record.tick), muted ? neutral(input, record.tick) : input,
                view);
  } else if (helm_.running()) {
    helm_.let_go();
  }
  return true;
}

void Prediction::replay(const OwnSection& own, const ViewPoint& view) {
  ++rewritten_;
  Handle from = base_parent_;
  announced_otherwise_ = unheard_ = moved_otherwise_ = false;
  const bool news = std::exchange(news_, false);
  const auto step_again = [&](world::StepRecord& record, const ActorState& before_step) {
    const bool same_parent = record.parent == parent_at(record.tick) &&
                             record.switched_from.has_value() == (from != record.parent);
    const world::FrameMotion believed = record.frame;
    if (!fill(record, from)) return false;
    moved_otherwise_ = moved_otherwise_ || felt_otherwise(believed, record.frame);
    const ActorState local = world::state_at_start(record, before_step);
    if (same_parent) {
      announced_otherwise_ = refresh(record) || announced_otherwise_;
      const bool astray = distance(record.before.position, before_step.position) > astray_m_max;
      if (news || astray) unheard_ = (add_missing(record, local) && news) || unheard_;
    } else {
      gather(record, local, view);
    }
    feel_gravity(record, local, view);
    cut_out(record, local);
    const world::StepRecord* led_here = history_.find(record.tick - 1);
    state_ = world::play_tick(game_, *params_, record, before_step, led_here->game_after);
    game_state_ = record.game_after;
    if (record.wishes.refused != 0) ++ticks_refused_;
    cues_.on_step(record);
    own_edits_.on_step(record, avatar_);
    previous_ = local;
    parent_ = from = record.parent;
    return true;
  };
  replayed_ticks_ +=
      replay_from(history_, own.final_tick - 1, own.final_state, next_ - 1, step_again);
}

void Prediction::shift(const OwnSection& own) {
  ++rewritten_;
  const auto delta =
      shift_from(history_, own.final_tick - 1, own.final_state.position, next_ - 1,
                 [](world::StepRecord& record) -> Vec3& { return record.after.position; });
  PERIGEE_ASSERT(delta.has_value(), "the step before the final state must be in the history");
  state_.position += *delta;
  previous_.position += *delta;
}

// Whether the server confirms the prediction bit for bit. Under a fixed parent only news of nearby
// objects can change the ticks since; otherwise a replay would give the same result.
bool Prediction::confirmed(const world::StepRecord& led_there, const OwnSection& own) const {
  const bool switches = !switches_.empty() && before(switches_[0].effect, next_);
  return entities_.stands_fast(parent_) && !switches && !news_ && techniques_.relative_prediction &&
         led_there.after == own.final_state && next_ != own.final_tick;
}

// `led_there` is the step that led to the final state.
void Prediction::reconcile(world::StepRecord& led_there, const OwnSection& own,
                           const world::GameState& game, const ViewPoint& view) {
  const bool same_parents = led_there.parent == own.final_parent && parent_ == own.final_parent &&
                            parent_at(next_ - 1) == parent_ && led_there.game_after == game;
  if (same_parents && last_error_m_ < techniques_.reconcile_beyond_m) return;
  if (same_parents && confirmed(led_there, own)) return;
  if (same_parents && techniques_.reconciler == Reconciler::Shift) return shift(own);
  led_there.parent = own.final_parent;
  led_there.game_after = game;
  if (next_ == own.final_tick) {
    state_ = own.final_state;
    game_state_ = game;
    parent_ = own.final_parent;
  }
  replay(own, view);
}

CorrectionCause Prediction::storm_of(const OwnSection& own, Handle old_parent) const {
  if (own.final_parent != base_parent_ || old_parent != parent_) {
    return CorrectionCause::ParentSwitch;
  }
  for (const ObjectVersion& version : own.versions) {
    if (!entities_.up_to_date(version)) return CorrectionCause::StaleObject;
  }
  if (own.late > 0) return CorrectionCause::InputLate;
  if (own.guessed > 0) return CorrectionCause::InputLost;
  if (compared_differs_) return CorrectionCause::ControllerState;
  const world::StepRecord* record = history_.find(own.final_tick - 1);
  if (record != nullptr) {
    for (const world::Contact& contact : record->report.contacts) {
      const ClientEntity* touched = entities_.find(contact.id);
      if (touched != nullptr && !entities_.motion_at(contact.id, worker_tick(record->tick))) {
        return CorrectionCause::HitAnimatedBody;
      }
    }
  }
  return CorrectionCause::Unknown;
}

// The earlier prediction used the doors and the parent's motion as known then. The lab, which has
// both sides, finds the same cause in most cases: docs/feel.md.
CorrectionCause Prediction::cause_of(CorrectionCause storm) const {
  if (storm == CorrectionCause::ParentSwitch) return storm;
  if (announced_otherwise_) return CorrectionCause::StaleObject;
  if (unheard_) return CorrectionCause::NotStreamed;
  const bool sure = storm == CorrectionCause::StaleObject || storm == CorrectionCause::InputLost ||
                    storm == CorrectionCause::InputLate;
  return moved_otherwise_ && !sure ? CorrectionCause::RotatingFrame : storm;
}

std::optional<Correction> Prediction::displaced(const ActorState& old_state, Handle old_parent,
                                                const OwnSection& own) {
  if (old_parent != parent_) {
    // The parent switch arrived late: the displayed position moves once, over its own time.
    const auto old_motion = entities_.motion_at(old_parent, worker_tick(next_));
    const auto new_motion = entities_.motion_at(parent_, worker_tick(next_));
    if (!old_motion || !new_motion) return std::nullopt;
    const ActorState same = world::re_express(old_state, *old_motion, *new_motion);
    const Vec3 error = same.position - state_.position;
    smoother_.turn(conjugate(new_motion->pose.rotation) * old_motion->pose.rotation);
    if (!shadow_) hide_jump(error);
    return Correction{length(error), CorrectionCause::ParentSwitch, next_,
                      CorrectionCause::ParentSwitch};
  }
  const Vec3 error = old_state.position - state_.position;
  const double meters = length(error);
  if (meters < 1e-9) return std::nullopt;
  if (meters < display_snap_m && !shadow_) smoother_.add_error(error);
  if (meters <= correction_m) return std::nullopt;
  const CorrectionCause storm = storm_of(own, old_parent);
  return Correction{meters, cause_of(storm), next_, storm};
}

std::optional<Correction> Prediction::correct_helm(const OwnSection& own) {
  const double meters = helm_.on_final(own);
  if (meters <= correction_m) return std::nullopt;
  CorrectionCause cause = CorrectionCause::Residual;
  if (helm_.touched()) cause = CorrectionCause::HitAnimatedBody;
  if (own.guessed > 0) cause = CorrectionCause::InputLost;
  if (own.late > 0) cause = CorrectionCause::InputLate;
  return Correction{meters, cause, next_, cause};
}

std::optional<Correction> Prediction::on_own(const OwnSection& own, const ViewPoint& view) {
  delay_ticks_ = own.delay_ticks;
  if (!running_) {
    start(own);
    return std::nullopt;
  }
  const auto avatar = correct_avatar(own, view);
  const auto body = running_ ? correct_helm(own) : std::nullopt;
  return avatar ? avatar : body;
}

std::optional<Correction> Prediction::correct_avatar(const OwnSection& own, const ViewPoint& view) {
  if (own.reset_epoch != reset_epoch_ || own.avatar != avatar_) {
    ++hard_resets_;
    running_ = false;
    cues_.cancel_all();
    start(own);
    return std::nullopt;
  }
  if (!before(base_tick_, own.final_tick)) {
    ++nothing_newer_;
    return std::nullopt;
  }
  world::StepRecord* led_there = history_.find(own.final_tick - 1);
  if (led_there == nullptr || not_after(next_, own.final_tick - 1)) return std::nullopt;
  const auto game = final_game(own);
  if (!game) return std::nullopt;
  const Handle believed_parent = led_there->parent;
  ++compared_;
  last_error_m_ = believed_parent == own.final_parent
                      ? distance(led_there->after.position, own.final_state.position)
                      : 0;
  compared_differs_ = led_there->after.flags != own.final_state.flags ||
                      led_there->after.ground != own.final_state.ground ||
                      led_there->game_after != *game;
  const ActorState old_state = state_;
  const Handle old_parent = parent_;
  base_parent_ = own.final_parent;
  base_tick_ = own.final_tick;
  forget_past_switches();
  reconcile(*led_there, own, *game, view);
  cues_.on_final(own.final_tick);
  return displaced(old_state, old_parent, own);
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
  ++rewritten_;
  news_ = true;  // replayed with the next final state, even if that is equal
}

}  // namespace perigee::client
