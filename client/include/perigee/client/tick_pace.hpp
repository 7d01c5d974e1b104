/// The ticks that are due, for every client that creates inputs: with prediction, or without.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/player_input.hpp"
#include "perigee/client/clocks.hpp"

namespace perigee::client {

/// Called for one tick's controls, right before that tick is played.
class InputSampler {
 public:
  virtual ~InputSampler() = default;
  virtual PlayerInput sample(Tick tick) = 0;
};

class TickPace {
 public:
  struct Needs {
    const Settings& settings;
    Clocks& clocks;
    TelemetryLog& telemetry;
  };
  explicit TickPace(const Needs& needs) : needs_(needs) {}

  void forget_world() { settled_ = Tick{}; }
  /// Once per frame, with the number of final states so far. False: none has arrived for two
  /// seconds longer than the path takes, and the player has to start anew.
  bool hears(bool running, std::uint64_t finals);

  struct Due {
    std::int32_t ticks = 0;
    double late_ticks = 0;  ///< time since the first of them was due
    bool starts = false;    ///< they are the first ones since a start
    bool astray = false;    ///< the present is too far away: the player has to start anew
    /// The first inputs are created for ticks that have already run: they are as the worker
    /// guessed.
    bool too_late_to_send(std::int32_t i) const { return starts && i + 2 < ticks; }
  };
  /// None: the lead is not known yet. `next`: the tick to play next.
  std::optional<Due> due(Micros now_us, Tick next, bool starts);
  /// Margins of inputs up to here reflect the start, not the path.
  Tick settled() const { return settled_; }

 private:
  Needs needs_;
  Tick settled_;
  std::uint64_t finals_ = 0;  ///< when ...
  Micros heard_at_us_ = 0;    ///< ... the last new one was noticed
};

}  // namespace perigee::client
