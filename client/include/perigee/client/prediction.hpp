/// Prediction of the own avatar: steps every tick with the same function as the worker, compares
/// with final states, replays, and reports displacements of the present.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/correction_cause.hpp"
#include "perigee/base/techniques.hpp"
#include "perigee/client/correction_causes.hpp"
#include "perigee/client/cue_log.hpp"
#include "perigee/client/entity_store.hpp"
#include "perigee/client/own_edits.hpp"
#include "perigee/client/step_history.hpp"
#include "perigee/client/surroundings.hpp"
#include "perigee/client/switch_schedule.hpp"
#include "perigee/client/vehicle_predictor.hpp"
#include "perigee/world/game.hpp"

namespace perigee::client {

/// A visible displacement of the present state.
struct Correction {
  double meters = 0;
  CorrectionCause cause = CorrectionCause::Unknown;
  Tick at;  ///< the present tick at that time
  /// The cause as known at once, for the storm breaker: without later findings.
  CorrectionCause storm = CorrectionCause::Unknown;
};

class Prediction {
 public:
  /// 4.3 s: a round trip and the rollback window.
  static constexpr std::uint32_t history_ticks = StepHistory::capacity_ticks;
  static constexpr double correction_m = 0.05;  ///< smaller displacements are not counted
  static constexpr double display_snap_m = 64;  ///< larger ones are displayed at once

  Prediction(const EntityStore& entities, const world::GameModule& game,
             const Techniques& techniques = {});
  /// Applies from now on.
  void use(const Techniques& techniques);

  bool running() const { return running_; }
  /// Of the hard reset that it started from.
  std::uint8_t reset_epoch() const { return reset_epoch_; }
  /// The next tick to predict.
  Tick next() const { return next_; }
  /// Tick of the newest final state: all earlier ticks are final.
  Tick base_tick() const { return switches_.base_tick(); }
  Handle avatar() const { return avatar_.handle; }
  std::uint64_t identity() const { return avatar_.identity; }
  Handle parent() const { return parent_; }
  const ActorState& state() const { return state_; }
  const world::GameState& game_state() const { return game_state_; }

  /// Applies a final state of the server, for a tick as the client's inputs name it. The first one
  /// starts prediction; later ones are compared and replayed. Returns a correction if the present
  /// moved visibly.
  std::optional<Correction> on_own(const OwnSection& own, const ViewPoint& view);
  /// The section's final state. The prediction's own bits, if the section says that it was right.
  ActorState unrounded(const OwnSection& own) const;
  void on_parent_switch(const ParentSwitchEvent& event);

  /// Discards the history: continues from the next final state.
  void stop();
  /// Discards everything, including announced parent switches: another world, or the same with
  /// another time.
  void start_over();

  /// Predicts next() with this input. Returns false and does nothing while the parent is not known.
  bool step(const PlayerInput& input, const ViewPoint& view);
  /// Once per frame: blends the remaining corrections. The argument is the position to be rendered
  /// without display_offset(): true_position(), unless another one is rendered instead.
  void advance_display(double dt_s, const Vec3& truth) { smoother_.advance(dt_s, truth); }
  Vec3 display_offset() const { return smoother_.offset(); }
  /// In the parent's frame, `part` of a tick after the last step.
  Vec3 true_position(double part) const;
  /// The displayed position jumps by -`error`: blends it over time, as at a parent switch.
  void hide_jump(const Vec3& error);
  /// Steps and compares without being displayed: corrections are reported, but not smoothed.
  void set_shadow(bool shadow) { shadow_ = shadow; }
  /// A correction is being blended out.
  bool smoothing() const { return smoother_.active(); }
  /// The displayed position of the prediction.
  Vec3 display_position(double part) const { return true_position(part) + display_offset(); }

  /// The avatar's edits of ground that are not replicated yet.
  const OwnEdits& own_edits() const { return own_edits_; }
  /// A static or scheduled object was received: its present or future place.
  void receive_fixture(Handle handle);
  /// Such an object is in the way of ticks that are not final yet.
  bool owes_replay() const { return obstacle_received_; }
  /// Called after a whole block was applied; `own` is the newest section. If the block contained
  /// such objects, if ground has changed, or if an own edit of ground was refused, the newer ticks
  /// are stepped again: otherwise the next step would find the avatar inside an obstacle and push
  /// it out visibly.
  std::optional<Correction> receive_surroundings(const OwnSection& own, bool ground_changed,
                                                 const ViewPoint& view);

  CueLog& cues() { return cues_; }
  const CueLog& cues() const { return cues_; }
  /// The body that the avatar steers.
  const VehiclePredictor& vehicle() const { return vehicle_; }
  VehiclePredictor& vehicle() { return vehicle_; }

  /// The step from `tick`; none if it is StepHistory::kept_ticks older than base_tick().
  const world::StepRecord* record(Tick tick) const { return history_.find(tick); }
  /// Number of ticks stepped again.
  std::uint64_t replayed_ticks() const { return counts_.replayed_ticks; }
  /// Changes whenever predicted ticks may have been changed or discarded.
  std::uint64_t rewritten() const { return counts_.rewritten; }
  std::uint64_t compared() const { return counts_.compared; }
  /// Own sections without a newer final state.
  std::uint64_t nothing_newer() const { return counts_.nothing_newer; }
  std::uint64_t hard_resets() const { return counts_.hard_resets; }
  /// Ticks, including repeated steps, in which a value of the game's step was refused: see
  /// GameValue.
  std::uint64_t ticks_refused() const { return counts_.ticks_refused; }
  /// Parent-local error at the last compared tick, metres.
  double last_error_m() const { return compared_.error_m; }
  /// Displaces the present state, to demonstrate corrections.
  void inject_desync(const Vec3& meters);

 private:
  /// The prediction of the newest final state's tick, compared with that state.
  struct Comparison {
    double error_m = 0;
    bool state_differed = false;  ///< flags, ground or game state
  };
  /// The state at the start of next(), in its parent's frame.
  struct Present {
    ActorState state;
    Handle parent = no_entity;
  };
  struct Counts {
    std::uint64_t replayed_ticks = 0;
    std::uint64_t rewritten = 0;
    std::uint64_t compared = 0;
    std::uint64_t nothing_newer = 0;
    std::uint64_t hard_resets = 0;
    std::uint64_t ticks_refused = 0;
  };
  enum class Repair : std::uint8_t { None, Shift, StepAgain };

  void start(const OwnSection& own);
  std::optional<world::GameState> final_game(const OwnSection& own) const;
  const ActorState& play(world::StepRecord& record, const ActorState& before,
                         const world::GameState& game_before);
  void show_in_new_parent(const world::StepRecord& record, const ActorState& local,
                          const ViewPoint& view);
  void steer(const world::StepRecord& record, const ViewPoint& view);

  // The steps of a final state, in this order:
  std::optional<Correction> correct_avatar(const OwnSection& own, const ViewPoint& view);
  world::StepRecord* predicted_step_to(const OwnSection& own);
  Comparison compare(const world::StepRecord& predicted, const OwnSection& own,
                     const world::GameState& game) const;
  Repair repair_for(const world::StepRecord& predicted, const OwnSection& own,
                    const world::GameState& game) const;
  bool confirmed(const world::StepRecord& predicted, const OwnSection& own) const;
  void shift(const OwnSection& own);
  void take_over(world::StepRecord& predicted, const OwnSection& own, const world::GameState& game);
  void step_again(const OwnSection& own, const ViewPoint& view);
  bool step_tick_again(world::StepRecord& record, const ActorState& before, bool search_obstacles,
                       const ViewPoint& view);
  std::optional<Correction> smooth(const Present& shown, const OwnSection& own);
  std::optional<Correction> smooth_parent_switch(const Present& shown);
  std::optional<Correction> correct_vehicle(const OwnSection& own);

  const EntityStore& entities_;
  const world::GameModule& game_;
  Techniques techniques_;
  bool running_ = false;
  bool shadow_ = false;
  PredictedAvatar avatar_;
  std::uint8_t reset_epoch_ = 0;
  Tick next_;
  Handle parent_ = no_entity;
  ActorState state_;
  ActorState previous_;  ///< one tick earlier, in the same parent's frame
  world::GameState game_state_;
  SwitchSchedule switches_;
  StepHistory history_;
  DisplaySmoother smoother_;
  CueLog cues_;
  VehiclePredictor vehicle_;
  OwnEdits own_edits_;
  Surroundings surroundings_;
  Comparison compared_;
  ReplayFindings findings_;
  bool obstacle_received_ = false;  ///< step again with the next final state, even if that is equal
  Counts counts_;
};

}  // namespace perigee::client
