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

namespace perigee::client {

/// Called for one tick's controls, right before that tick is predicted.
class InputSampler {
 public:
  virtual ~InputSampler() = default;
  virtual PlayerInput sample(Tick tick) = 0;
};

class TickRunner {
 public:
  struct Needs {
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
  explicit TickRunner(Needs needs) : needs_(std::move(needs)) {}

  void forget_world() { settled_ = Tick{}; }
  /// Once per frame while connected. False: ticks cannot be predicted yet.
  bool run(Micros now_us, InputSampler& sampler);
  /// Margins of inputs up to here reflect the start, not the path.
  Tick settled() const { return settled_; }

 private:
  bool starting() const { return needs_.prediction.next() == needs_.inputs.first_tick(); }
  void watch_comparisons();
  void run_ticks(Micros now_us, InputSampler& sampler);
  bool run_tick(const PlayerInput& input, Micros now_us, double late_ticks);

  Needs needs_;
  Tick settled_;
  std::uint64_t compared_ = 0;  ///< number of comparisons when ...
  Micros compared_at_us_ = 0;   ///< ... the last new one was noticed
};

}  // namespace perigee::client
