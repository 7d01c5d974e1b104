/// The observer outside client and worker: per tick and player the first-predicted, the displayed
/// and the server-final state, and the figures derived from them. It never uses measurements of the
/// client or the worker. (metrics M0, M1, M2, M4, M6, M7, M8 of the lab)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/client/client.hpp"
#include "perigee/lab/attempt_meter.hpp"
#include "perigee/lab/cause_finder.hpp"
#include "perigee/lab/correction_meter.hpp"
#include "perigee/lab/display_meter.hpp"
#include "perigee/lab/drawn_meter.hpp"
#include "perigee/lab/first_predictions.hpp"
#include "perigee/lab/input_trace.hpp"
#include "perigee/lab/play_meter.hpp"
#include "perigee/lab/player_figures.hpp"
#include "perigee/lab/present.hpp"
#include "perigee/lab/reset_meter.hpp"

namespace perigee::lab {

class PlayerOracle {
 public:
  PlayerOracle() = default;
  /// An input takes at least `way_us` to the worker, which rewinds up to `window_us`.
  PlayerOracle(const world::GameModule& game, Micros way_us, Micros window_us)
      : inputs_(way_us, window_us), causes_(game) {}

  /// Call them before and after the client receives a message.
  void before_receive(const client::Client& client);
  void after_receive(Micros now_us, const client::Client& client);
  /// Records new predictions and the displayed state, once per frame. `client_us` is the client's
  /// own clock.
  void after_advance(Micros now_us, Micros client_us, const client::Client& client);
  /// Records the ticks that became final on the worker. Called once per tick, after the tick before
  /// `next` has run.
  void after_tick(Micros now_us, const worker::Core& core, const worker::Player& player, Tick next);
  /// Compares what the client drew of others with what this worker owns, once per tick of it. No
  /// input changes a tick before `final_tick` any more.
  void judge_drawn(const worker::Core& core, Tick final_tick) {
    drawn_.judge(core, final_tick, figures_);
  }
  /// The worker is about to end.
  void forget(const worker::Core& core) { causes_.forget(core); }
  /// Drops the figures so far, e.g. those of the warm-up.
  void restart();
  const PlayerFigures& figures() const { return figures_; }

 private:
  /// The client's totals.
  struct Totals {
    std::uint64_t words = 0, compared = 0, replayed_ticks = 0;
  };
  static Totals totals_of(const client::Client& client);
  void note_reset(Micros now_us, const Reset& reset, const client::Client& client);
  void note_shown(Micros now_us, Micros client_us, const client::Client& client);
  void note_predictions(Micros now_us, const client::Prediction& prediction);
  void note_respawns(const worker::Player& player);
  void note_final(const worker::Core& core, const worker::Player& player,
                  const world::StepRecord& record, Tick named);
  void compare(const ComparedState& predicted, const ComparedState& became);

  PlayerFigures figures_;
  InputTrace inputs_;
  CauseFinder causes_;
  CorrectionMeter corrections_;
  DisplayMeter display_;
  DrawnMeter drawn_;
  AttemptMeter attempts_;
  FirstPredictions first_predicted_;
  PlayMeter play_;
  ResetMeter resets_;
  Present before_;  ///< the message
  Totals totals_before_;
  Micros last_advance_us_ = 0;
  std::optional<Tick> final_seen_;
  TickRing<Pose, 256> parents_;  ///< past poses of the parent
  FinalStates finals_;
};

/// The q-quantile; 0 for an empty vector.
double quantile(std::vector<double> values, double q);

}  // namespace perigee::lab
