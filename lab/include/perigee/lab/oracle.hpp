/// The observer outside client and worker: per tick and player the first-predicted, the displayed
/// and the server-final state, and the figures derived from them. It never uses the parties' own
/// measurements. (metrics M0, M1, M2, M4, M6, M7, M8 of the lab)
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "perigee/client/client.hpp"
#include "perigee/lab/attribution.hpp"
#include "perigee/lab/play_meter.hpp"
#include "perigee/lab/reset_meter.hpp"

namespace perigee::lab {

/// One correction (M1) and its cause.
struct CauseFound {
  Micros at_us = 0;
  CorrectionCause cause = CorrectionCause::Unknown;
  double meters = 0;
  Tick since;  ///< the first tick that differs between the two sides
};

/// Measurements of one player's game.
struct PlayerFigures {
  double minutes = 0;
  std::uint64_t corrections = 0;         ///< M1: the present moved by > 5 cm, at least 0.25 s apart
  std::uint64_t resets = 0;              ///< predictions that restarted: corrections if > 5 cm
  std::uint64_t corrections_static = 0;  ///< of these, with a parent that never moves
  std::array<std::uint64_t, enum_count<CorrectionCause>> reported_causes{};  ///< by the client
  std::vector<CauseFound> causes;  ///< of each correction, found by counterfactual replay (M9)
  std::uint64_t parent_jumps = 0;  ///< times that a change of the present's parent was noticed late
  double correction_max_m = 0;     ///< M2
  double correction_static_max_m = 0;
  std::vector<double> errors_m;        ///< M0: |first predicted - final| per tick, same parent
  std::vector<double> corrections_m;   ///< M2: the peak of each
  std::vector<double> shown_errors_m;  ///< |displayed - final| per frame, same parent
  std::vector<double> roughness_m_s;   ///< M4: change of velocity of displayed - final, per frame
  std::vector<double> switch_roughness_m_s;  ///< the same while a change of parents is blended
  Micros unapplied_us_max =
      0;  ///< longest time on a usable path without an applied input, minus 2 RTT
  std::uint64_t frames = 0;
  std::uint64_t frames_animated =
      0;  ///< the avatar or its steered vehicle was displayed from server states
  std::uint64_t ticks_other_parent = 0;  ///< final and first-predicted parent differ
  double minutes_static = 0;             ///< time with a parent that never moves
  std::uint64_t attempts = 0;            ///< M6: to board or leave a ship
  std::uint64_t attempts_wrong = 0;      ///< ... another parent was displayed than became final
  std::uint64_t words = 0;           ///< ticks after which the worker had a newer final state ...
  std::uint64_t compared = 0;        ///< ... that reached the client and was compared
  std::uint64_t replayed_ticks = 0;  ///< stepped again by the client (M8)
  PlayFigures play;

  PlayerFigures& operator+=(const PlayerFigures& more);
};

class PlayerOracle {
 public:
  PlayerOracle() = default;
  /// An input takes at least `way_us` to the worker, which rewinds up to `window_us`.
  PlayerOracle(const world::GameModule& game, Micros way_us, Micros window_us)
      : game_(&game), way_us_(way_us), window_us_(window_us) {}

  /// Call them before and after the client receives a message.
  void before_receive(const client::Client& client);
  void after_receive(Micros now_us, const client::Client& client);
  /// Records new predictions and the displayed state, once per frame. `client_us` is the client's
  /// own clock.
  void after_advance(Micros now_us, Micros client_us, const client::Client& client);
  /// Records the ticks that became final on the worker; once per tick, after the tick before `next`
  /// has run.
  void after_tick(Micros now_us, const worker::Core& core, const worker::Player& player, Tick next);
  /// The worker is about to end.
  void forget(const worker::Core& core) { attribution_.forget(core); }
  /// Drops the figures so far, e.g. those of the warm-up.
  void restart();
  const PlayerFigures& figures() const { return figures_; }

 private:
  struct State {
    Handle parent = no_entity;
    bool steers = false;  ///< then the position is in world space, since the parent is what moves
    Vec3 position;
    bool comparable(const State& other) const {
      return parent == other.parent && steers == other.steers && reset_epoch == other.reset_epoch;
    }
    std::uint8_t reset_epoch = 0;  ///< a prediction from before a respawn is not an error
  };
  /// The state displayed in one frame: at fraction `part` of a tick after the start of `tick`.
  struct Shown {
    Micros at_us = 0;
    Tick tick;
    double part = 0;
    State state;
    bool switching = false;  ///< a change of parents is being blended
  };
  struct Consumed {
    Micros at_us = 0;
    bool guessed = false;
  };
  /// Displayed minus final in the previous frame, and its rate of change.
  struct Deviation {
    Micros at_us = 0;
    State of;
    Vec3 meters;
    std::optional<Vec3> meters_per_s;
  };
  bool on_static(const client::Client& client) const;
  struct Displacement {
    double avatar_m = 0;
    double steered_m = 0;  ///< of the vehicle that it steers
  };
  Displacement displacement(const client::Client& client) const;
  CauseFound find_cause(Micros now_us, const Displacement& moved,
                        const client::Client& client) const;
  CorrectionCause cause_of_steered(const client::Client& client) const;
  bool sampled_too_late(Tick input) const;
  void learn_what_came_late(const worker::Player& player);
  bool is_another_correction(Micros now_us) const;
  void note_correction(Micros now_us, double meters, bool fixed, const CauseFound& found);
  void note_reset(Micros now_us, const Reset& reset, const client::Client& client);
  void note_shown(Micros now_us, Micros client_us, const client::Client& client);
  void judge(const Shown& shown);
  void note_attempt(Tick tick, Handle predicted, Handle became);
  /// `ship`: pose of the parent after the tick, if the avatar steers it.
  static State state_of(const world::StepRecord& record, const Pose* ship,
                        std::uint8_t reset_epoch);
  /// `delay_ticks` after the tick that the client calls it.
  void note_final(const world::StepRecord& record, std::uint8_t reset_epoch,
                  std::int32_t delay_ticks);

  const world::GameModule* game_ = nullptr;
  Micros way_us_ = 0;
  Micros window_us_ = 0;
  PlayerFigures figures_;
  Attribution attribution_;
  std::int32_t delay_ticks_ = 0;  ///< of the newest tick that ran
  /// Differences within this time are one attempt.
  static constexpr std::int32_t attempt_ticks = 20;
  std::optional<Handle> final_parent_;
  std::optional<Tick> attempt_;  ///< its start
  bool attempt_wrong_ = false;
  bool had_state_ = false;
  Handle parent_ = no_entity;
  ActorState state_;
  Handle steered_ = no_entity;
  Handle steered_frame_ = no_entity;
  Vec3 steered_at_;  ///< in steered_frame_
  Tick next_;
  std::uint64_t words_ = 0, compared_ = 0, replayed_ticks_ = 0;  ///< of the client
  Micros last_correction_us_ = -1'000'000;
  Micros last_advance_us_ = 0;
  std::optional<Tick> seen_;  ///< first-predicted ticks noted so far
  std::optional<Tick> final_seen_;
  std::unordered_map<std::uint32_t, State> first_predicted_;  ///< by tick of the state
  TickRing<Pose, 256> parents_;                               ///< past poses of the parent
  TickRing<State, 256> finals_;                               ///< by tick of the state
  TickRing<Micros, 512> sampled_us_;                          ///< by tick of the input
  TickRing<Consumed, 256> consumed_;
  PlayMeter play_;
  ResetMeter resets_;
  bool respawns_ = false;         ///< the worker is about to respawn the avatar
  std::uint8_t reset_epoch_ = 0;  ///< the worker's
  std::deque<Shown> shown_;       ///< frames that wait for their final states
  std::optional<Deviation> deviation_;
  int frames_of_blend_ = 0;  ///< a change of velocity spans three frames: so many more are affected
  Handle shown_parent_ = no_entity;
  bool switching_ = false;
};

/// The q-quantile; 0 for an empty vector.
double quantile(std::vector<double> values, double q);

}  // namespace perigee::lab
