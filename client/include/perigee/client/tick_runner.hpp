/// Runs the due ticks: asks for the controls, predicts, and passes the input on to the sender.
#pragma once

#include <cstdint>
#include <functional>

#include "perigee/client/clocks.hpp"
#include "perigee/client/display.hpp"
#include "perigee/client/input_sender.hpp"
#include "perigee/client/prediction.hpp"
#include "perigee/client/projectiles.hpp"
#include "perigee/client/recorder.hpp"
#include "perigee/client/tick_pace.hpp"

namespace perigee::client {

class TickRunner {
 public:
  struct Needs {
    const world::GameModule& game;
    const Settings& settings;
    Clocks& clocks;
    Prediction& prediction;
    Projectiles& projectiles;
    const Display& display;
    InputSender& inputs;
    Recorder& recorder;
    LatencyLog& latency;
    TelemetryLog& telemetry;
    /// Searches new predicted ticks for projectiles that hit the avatar.
    std::function<void()> search_hits;
  };
  explicit TickRunner(Needs needs)
      : needs_(std::move(needs)),
        pace_(
            {.settings = needs_.settings, .clocks = needs_.clocks, .telemetry = needs_.telemetry}) {
  }

  void forget_world() { pace_.forget_world(); }
  /// Once per frame while connected. False: ticks cannot be predicted yet.
  bool run(Micros now_us, InputSampler& sampler);
  /// Margins of inputs up to here reflect the start, not the path.
  Tick settled() const { return pace_.settled(); }

 private:
  void run_ticks(Micros now_us, InputSampler& sampler);
  bool run_tick(const PlayerInput& input, Micros now_us, double late_ticks);

  Needs needs_;
  TickPace pace_;
};

}  // namespace perigee::client
