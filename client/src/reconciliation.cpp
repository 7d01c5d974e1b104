// A final state arrives and is compared with the prediction. If it differs, it is adopted and the
// later ticks are stepped again. Then the displacement of the present is smoothed.
#include <utility>

#include "perigee/base/reconcile.hpp"
#include "perigee/client/prediction.hpp"

namespace perigee::client {
namespace {

/// More than the usual error of an extrapolation. Such a difference moves a rider by centimetres
/// within a round trip.
constexpr double felt_m_s2 = 2;

/// A replay that deviates farther gathers neighbours again: reach_of() has a reserve of 0.25 m.
constexpr double astray_m_max = 0.2;

bool felt_otherwise(const world::FrameMotion& predicted, const world::FrameMotion& known) {
  return known.inertia == world::Inertia::Full &&
         distance(predicted.acceleration, known.acceleration) > felt_m_s2;
}

}  // namespace

std::optional<Correction> Prediction::on_own(const OwnSection& own, const ViewPoint& view) {
  avatar_.delay_ticks = own.delay_ticks;
  const bool hard_reset =
      running_ && (own.reset_epoch != reset_epoch_ || own.avatar != avatar_.handle);
  if (hard_reset) {
    ++counts_.hard_resets;
    running_ = false;
    cues_.cancel_all();
  }
  if (!running_) {
    start(own);
    return std::nullopt;
  }
  const auto avatar = correct_avatar(own, view);
  const auto body = correct_vehicle(own);
  return avatar ? avatar : body;
}

std::optional<Correction> Prediction::correct_avatar(const OwnSection& own, const ViewPoint& view) {
  world::StepRecord* predicted = predicted_step_to(own);
  const auto game = predicted != nullptr ? final_game(own) : std::nullopt;
  if (!game) return std::nullopt;
  ++counts_.compared;
  compared_ = compare(*predicted, own, *game);
  switches_.settle(own.final_parent, own.final_tick);
  const Present shown{state_, parent_};
  switch (repair_for(*predicted, own, *game)) {
    case Repair::None:
      break;
    case Repair::Shift:
      shift(own);
      break;
    case Repair::StepAgain:
      take_over(*predicted, own, *game);
      step_again(own, view);
      break;
  }
  cues_.on_final(own.final_tick);
  history_.settle(own.final_tick);
  return smooth(shown, own);
}

/// The step that led to the tick of a newer final state; null if there is none.
world::StepRecord* Prediction::predicted_step_to(const OwnSection& own) {
  if (!before(base_tick(), own.final_tick)) {
    ++counts_.nothing_newer;
    return nullptr;
  }
  return before(own.final_tick - 1, next_) ? history_.find(own.final_tick - 1) : nullptr;
}

ActorState Prediction::unrounded(const OwnSection& own) const {
  const world::StepRecord* predicted = history_.find(own.final_tick - 1);
  const bool same = predicted != nullptr && predicted->parent == own.final_parent && !own.exact &&
                    rounded(predicted->after) == own.final_state;
  return same ? predicted->after : own.final_state;
}

Prediction::Comparison Prediction::compare(const world::StepRecord& predicted,
                                           const OwnSection& own,
                                           const world::GameState& game) const {
  Comparison out;
  if (predicted.parent == own.final_parent) {
    out.error_m = distance(predicted.after.position, own.final_state.position);
  }
  out.state_differed = predicted.after.flags != own.final_state.flags ||
                       predicted.after.ground != own.final_state.ground ||
                       predicted.game_after != game;
  return out;
}

Prediction::Repair Prediction::repair_for(const world::StepRecord& predicted, const OwnSection& own,
                                          const world::GameState& game) const {
  const bool same_parents = predicted.parent == own.final_parent && parent_ == own.final_parent &&
                            switches_.parent_at(next_ - 1) == parent_;
  if (!same_parents || predicted.game_after != game) return Repair::StepAgain;
  if (compared_.error_m < techniques_.reconcile_beyond_m) return Repair::None;
  if (confirmed(predicted, own)) return Repair::None;
  return techniques_.reconciler == Reconciler::Shift ? Repair::Shift : Repair::StepAgain;
}

// Whether the server confirms the prediction bit for bit. Under a fixed parent only new obstacles
// nearby can change the ticks since; otherwise a replay would give the same result.
bool Prediction::confirmed(const world::StepRecord& predicted, const OwnSection& own) const {
  return entities_.stands_fast(parent_) && !switches_.any_before(next_) && !obstacle_received_ &&
         techniques_.relative_prediction && predicted.after == own.final_state &&
         next_ != own.final_tick;
}

void Prediction::shift(const OwnSection& own) {
  ++counts_.rewritten;
  const auto delta =
      shift_from(history_, own.final_tick - 1, own.final_state.position, next_ - 1,
                 [](world::StepRecord& record) -> Vec3& { return record.after.position; });
  PERIGEE_ASSERT(delta.has_value(), "the step before the final state must be in the history");
  state_.position += *delta;
  previous_.position += *delta;
}

void Prediction::take_over(world::StepRecord& predicted, const OwnSection& own,
                           const world::GameState& game) {
  predicted.parent = own.final_parent;
  predicted.game_after = game;
  if (next_ != own.final_tick) return;
  state_ = own.final_state;
  game_state_ = game;
  parent_ = own.final_parent;
}

/// Steps the ticks after the final state up to the present again, with the surroundings as known
/// now.
void Prediction::step_again(const OwnSection& own, const ViewPoint& view) {
  ++counts_.rewritten;
  findings_ = {};
  const bool search_obstacles = std::exchange(obstacle_received_, false);
  counts_.replayed_ticks +=
      replay_from(history_, own.final_tick - 1, own.final_state, next_ - 1,
                  [&](world::StepRecord& record, const ActorState& before_step) {
                    return step_tick_again(record, before_step, search_obstacles, view);
                  });
}

bool Prediction::step_tick_again(world::StepRecord& record, const ActorState& before_step,
                                 bool search_obstacles, const ViewPoint& view) {
  const world::StepRecord& last = *history_.find(record.tick - 1);
  const bool same_parent = record.parent == switches_.parent_at(record.tick) &&
                           record.switched_from.has_value() == (last.parent != record.parent);
  const world::FrameMotion predicted_frame = record.frame;
  if (!surroundings_.set_parent(record, last.parent)) return false;
  findings_.frame_differed |= felt_otherwise(predicted_frame, record.frame);
  const ActorState local = world::state_at_start(record, before_step);
  if (same_parent) {
    findings_.door_differed |= surroundings_.refresh_doors(record);
    const bool astray = distance(record.before.position, before_step.position) > astray_m_max;
    if (search_obstacles || astray) {
      const bool missed = surroundings_.add_missing(record, local);
      findings_.obstacle_missed |= missed && search_obstacles;
    }
  } else {
    surroundings_.gather(record, local, view);
  }
  surroundings_.finish(record, local, view);
  state_ = play(record, before_step, last.game_after);
  previous_ = local;
  parent_ = record.parent;
  return true;
}

/// `shown`: the present as predicted before. Returns a correction if the present moved visibly.
std::optional<Correction> Prediction::smooth(const Present& shown, const OwnSection& own) {
  if (shown.parent != parent_) return smooth_parent_switch(shown);
  const Vec3 error = shown.state.position - state_.position;
  const double meters = length(error);
  if (meters < 1e-9) return std::nullopt;
  if (meters < display_snap_m && !shadow_) smoother_.add_error(error);
  if (meters <= correction_m) return std::nullopt;
  const CorrectionCause at_once =
      cause_at_once(entities_, {.own = own,
                                .parent = switches_.base_parent(),
                                .state_differed = compared_.state_differed,
                                .predicted = history_.find(own.final_tick - 1),
                                .delay_ticks = avatar_.delay_ticks});
  return Correction{meters, cause_after_replay(at_once, findings_), next_, at_once};
}

// The parent switch arrived late: the displayed position moves once, over its own time.
std::optional<Correction> Prediction::smooth_parent_switch(const Present& shown) {
  const Tick now = avatar_.worker_tick(next_);
  const auto old_motion = entities_.motion_at(shown.parent, now);
  const auto new_motion = entities_.motion_at(parent_, now);
  if (!old_motion || !new_motion) return std::nullopt;
  const ActorState same = world::re_express(shown.state, *old_motion, *new_motion);
  const Vec3 error = same.position - state_.position;
  smoother_.turn(conjugate(new_motion->pose.rotation) * old_motion->pose.rotation);
  if (!shadow_) hide_jump(error);
  return Correction{length(error), CorrectionCause::ParentSwitch, next_,
                    CorrectionCause::ParentSwitch};
}

std::optional<Correction> Prediction::correct_vehicle(const OwnSection& own) {
  const double meters = vehicle_.on_final(own);
  if (meters <= correction_m) return std::nullopt;
  CorrectionCause cause = CorrectionCause::Residual;
  if (vehicle_.touched()) cause = CorrectionCause::HitAnimatedBody;
  if (own.guessed > 0) cause = CorrectionCause::InputLost;
  if (own.late > 0) cause = CorrectionCause::InputLate;
  return Correction{meters, cause, next_, cause};
}

std::optional<Correction> Prediction::receive_surroundings(const OwnSection& own,
                                                           bool ground_changed,
                                                           const ViewPoint& view) {
  if (!running_) return std::nullopt;
  ground_changed |= own_edits_.on_final(own);
  const bool newest = own.reset_epoch == reset_epoch_ && own.final_tick == base_tick();
  if (!newest || history_.find(base_tick() - 1) == nullptr) return std::nullopt;
  bool on_ground = false;
  for (Tick t = base_tick(); ground_changed && before(t, next_); ++t) {
    const world::StepRecord* record = history_.find(t);
    on_ground |= record != nullptr && !record->cutouts.empty();
  }
  if (!on_ground && !owes_replay()) return std::nullopt;
  const Present shown{state_, parent_};
  step_again(own, view);
  auto correction = smooth(shown, own);
  if (correction && on_ground && shown.parent == parent_) {
    correction->cause = CorrectionCause::StaleObject;
  }
  return correction;
}

}  // namespace perigee::client
