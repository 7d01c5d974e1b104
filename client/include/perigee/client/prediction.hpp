/// Prediction of the own avatar: steps every tick with the same function as the worker, compares
/// with final states, replays, and reports displacements of the present. (mission E2-E4, B4, K24,
/// K33-K41)
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/client/cue_log.hpp"
#include "perigee/client/entity_store.hpp"
#include "perigee/client/helm_prediction.hpp"
#include "perigee/client/own_edits.hpp"
#include "perigee/netcode/correction_cause.hpp"
#include "perigee/netcode/techniques.hpp"
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
  static constexpr std::uint32_t history_ticks =
      256;                                      ///< 4.3 s: a round trip and the rollback window
  static constexpr double correction_m = 0.05;  ///< smaller displacements are not counted
  static constexpr double display_snap_m = 64;  ///< larger ones are displayed at once

  Prediction(const EntityStore& entities, const world::GameModule& game,
             const Techniques& techniques = {})
      : entities_(entities),
        game_(game),
        techniques_(techniques),
        smoother_(techniques.smoothing),
        helm_(entities, techniques.smoothing),
        own_edits_(entities) {}
  /// Applies from now on.
  void use(const Techniques& techniques);

  bool running() const { return running_; }
  /// Of the hard reset that it started from.
  std::uint8_t reset_epoch() const { return reset_epoch_; }
  /// The next tick to predict.
  Tick next() const { return next_; }
  /// Tick of the newest final state: all earlier ticks are final.
  Tick base_tick() const { return base_tick_; }
  Handle avatar() const { return avatar_; }
  std::uint64_t identity() const { return identity_; }
  Handle parent() const { return parent_; }
  const ActorState& state() const { return state_; }
  const world::GameState& game_state() const { return game_state_; }

  /// Applies a final state of the server, for a tick as the client's inputs name it. The first one
  /// starts prediction; later ones are compared and replayed. Returns a correction if the present
  /// moved visibly.
  std::optional<Correction> on_own(const OwnSection& own, const ViewPoint& view);
  void on_parent_switch(const ParentSwitchEvent& event);

  /// Discards the history: continues from the next final state.
  void stop();
  /// Discards everything, including announced parent switches: another world, or the same with
  /// another time.
  void start_over();

  /// Predicts next() with this input. Returns false and does nothing while the parent is not known.
  bool step(const PlayerInput& input, const ViewPoint& view);
  /// Blends the remaining corrections; once per frame, with the position to be rendered without
  /// display_offset(): true_position(), unless another one is rendered instead.
  void advance_display(double dt_s, const Vec3& truth) { smoother_.advance(dt_s, truth); }
  Vec3 display_offset() const { return smoother_.offset(); }
  /// In the parent's frame, `part` of a tick after the last step.
  Vec3 true_position(double part) const;
  /// The displayed position jumps by -`error`: blends it over time, as at a parent switch.
  void hide_jump(const Vec3& error);
  /// Steps and compares without being displayed: corrections are reported, but not smoothed.
  void set_shadow(bool shadow) { shadow_ = shadow; }
  /// A correction is being blended out. (E9)
  bool smoothing() const { return smoother_.active(); }
  /// The displayed position of the prediction. (E4)
  Vec3 display_position(double part) const { return true_position(part) + display_offset(); }

  /// The avatar's edits of ground that are not replicated yet.
  const OwnEdits& own_edits() const { return own_edits_; }
  /// A static or scheduled object was received: its present or future place.
  void hear_of_fixture(Handle handle);
  /// Such an object is in the way of ticks that are not final yet.
  bool owes_replay() const { return news_; }
  /// Called after a whole block was applied; `own` is the newest section. If the block contained
  /// such objects, if ground has changed, or if an own edit of it was refused, the newer ticks are
  /// stepped again: otherwise the next step would find the avatar inside an obstacle and push it
  /// out visibly.
  std::optional<Correction> hear_of_surroundings(const OwnSection& own, bool ground_changed,
                                                 const ViewPoint& view);

  CueLog& cues() { return cues_; }
  const CueLog& cues() const { return cues_; }
  /// The body that the avatar steers. (K40)
  const HelmPrediction& helm() const { return helm_; }
  HelmPrediction& helm() { return helm_; }

  const world::StepRecord* record(Tick tick) const { return history_.find(tick); }
  /// Number of ticks stepped again. (M8)
  std::uint64_t replayed_ticks() const { return replayed_ticks_; }
  /// Changes whenever predicted ticks may have been changed or discarded.
  std::uint64_t rewritten() const { return rewritten_; }
  std::uint64_t compared() const { return compared_; }
  /// Own sections without a newer final state.
  std::uint64_t nothing_newer() const { return nothing_newer_; }
  std::uint64_t hard_resets() const { return hard_resets_; }
  /// Ticks, including repeated steps, in which a value of the game's step was refused: see
  /// GameValue.
  std::uint64_t ticks_refused() const { return ticks_refused_; }
  /// Parent-local error at the last compared tick, metres.
  double last_error_m() const { return last_error_m_; }
  /// Displaces the present state, to demonstrate corrections. (E9)
  void inject_desync(const Vec3& meters);

 private:
  struct Switch {
    Handle parent = no_entity;
    Tick effect;
    HelmChange helm = HelmChange::None;
  };
  void start(const OwnSection& own);
  std::optional<world::GameState> final_game(const OwnSection& own) const;
  void forget_past_switches();
  Handle parent_at(Tick tick) const;
  /// The worker's tick for an input that names `named`: later if the worker delays inputs. All
  /// ticks in blocks are the worker's.
  Tick worker_tick(Tick named) const { return named + delay_ticks_; }
  bool fill(world::StepRecord& record, Handle from) const;
  void gather(world::StepRecord& record, const ActorState& local, const ViewPoint& view) const;
  /// Poses relative to the record's parent, over its tick.
  struct Ends {
    Pose previous, pose;
  };
  bool is_own_door(const ClientEntity& entity, const world::StepRecord& record) const;
  Ends door_ends(const ClientEntity& entity, Tick now) const;
  std::optional<Ends> known_ends(const ClientEntity& entity, const world::StepRecord& record,
                                 const std::optional<Motion>& parent_end) const;
  bool drawn_only(const world::EntityType& type) const;
  void feel_gravity(world::StepRecord& record, const ActorState& local,
                    const ViewPoint& view) const;
  bool refresh(world::StepRecord& record) const;
  bool add_missing(world::StepRecord& record, const ActorState& local) const;
  void cut_out(world::StepRecord& record, const ActorState& local) const;
  bool confirmed(const world::StepRecord& led_there, const OwnSection& own) const;
  void reconcile(world::StepRecord& led_there, const OwnSection& own, const world::GameState& game,
                 const ViewPoint& view);
  void replay(const OwnSection& own, const ViewPoint& view);
  void shift(const OwnSection& own);
  std::optional<Correction> displaced(const ActorState& old_state, Handle old_parent,
                                      const OwnSection& own);
  CorrectionCause storm_of(const OwnSection& own, Handle old_parent) const;
  CorrectionCause cause_of(CorrectionCause storm) const;
  std::optional<Correction> correct_helm(const OwnSection& own);
  HelmChange helm_change_at(Tick tick) const;
  std::optional<Correction> correct_avatar(const OwnSection& own, const ViewPoint& view);

  const EntityStore& entities_;
  const world::GameModule& game_;
  Techniques techniques_;
  bool running_ = false;
  bool shadow_ = false;
  Handle avatar_ = no_entity;
  std::uint64_t identity_ = 0;
  const world::ActorParams* params_ = nullptr;
  std::uint8_t reset_epoch_ = 0;
  Tick next_;
  Handle parent_ = no_entity;
  ActorState state_;
  ActorState previous_;  ///< one tick earlier, in the same parent's frame
  world::GameState game_state_;
  /// Parent during the step that led to base_tick_, and the announced switches after it, by effect.
  Handle base_parent_ = no_entity;
  Tick base_tick_;
  std::int32_t delay_ticks_ = 0;
  FixedVector<Switch, 8> switches_;
  TickRing<world::StepRecord, history_ticks> history_;
  DisplaySmoother smoother_;
  CueLog cues_;
  HelmPrediction helm_;
  OwnEdits own_edits_;
  std::uint8_t compared_flags_ = 0;
  bool compared_differs_ = false;
  // Findings of the last replay about the ticks predicted before:
  bool announced_otherwise_ = false;
  bool unheard_ = false;
  bool moved_otherwise_ = false;
  bool news_ = false;
  double last_error_m_ = 0;
  std::uint64_t replayed_ticks_ = 0;
  std::uint64_t rewritten_ = 0;
  std::uint64_t compared_ = 0;
  std::uint64_t nothing_newer_ = 0;
  std::uint64_t hard_resets_ = 0;
  std::uint64_t ticks_refused_ = 0;
};

}  // namespace perigee::client
