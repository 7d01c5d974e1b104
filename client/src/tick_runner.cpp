#include "perigee/client/tick_runner.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::client {
namespace {

constexpr std::int32_t settle_ticks = 6;
/// Limit of ticks from a final state to the present, on any path. For an older final state there is
/// no prediction: catching up could block a frame for ever, and no comparison would be possible.
constexpr std::int32_t start_ticks_max = Prediction::history_ticks;
/// If the lead has jumped back this far, waiting for the next due tick would freeze the own avatar:
/// prediction continues from the server's state instead.
constexpr double predicted_too_far_ticks = 30;

}  // namespace

bool TickRunner::run(Micros now_us, InputSampler& sampler) {
  watch_comparisons();
  if (!needs_.prediction.running() || !needs_.clocks.time().ready()) return false;
  run_ticks(now_us, sampler);
  return true;
}

// Restarts a prediction that no final state has confirmed for two seconds longer than the path
// takes.
void TickRunner::watch_comparisons() {
  const Micros now_us = needs_.clocks.now_us();
  const Micros path_us = std::max<Micros>(needs_.telemetry.lead_us(), 0);
  if (!needs_.prediction.running() || needs_.prediction.compared() != compared_) {
    compared_ = needs_.prediction.compared();
    compared_at_us_ = now_us;
  } else if (now_us - compared_at_us_ > needs_.settings.uncompared_us_max + path_us) {
    needs_.telemetry.count_stall();
    compared_at_us_ = now_us;  // the next final state may restart it before the next check
    needs_.prediction.stop();
  }
}

void TickRunner::run_ticks(Micros now_us, InputSampler& sampler) {
  if (!needs_.clocks.find_lead()) return;
  const Settings& settings = needs_.settings;
  Prediction& prediction = needs_.prediction;
  const double owed_ticks = std::trunc(needs_.clocks.predicted_ticks(now_us)) -
                            ticks_between(needs_.clocks.time().origin(), prediction.next());
  const bool starts = starting();
  if (owed_ticks > (starts ? start_ticks_max : settings.skip_ticks) ||
      owed_ticks < -predicted_too_far_ticks) {
    prediction.stop();  // the skipped ticks are void
    return;
  }
  auto owed = static_cast<std::int32_t>(std::max(owed_ticks, 0.0));
  if (!starts) owed = std::min(owed, settings.ticks_per_call_max);
  // The first inputs are created for ticks that have already run: their margins are meaningless.
  if (starts) settled_ = prediction.next() + owed + settle_ticks;
  for (std::int32_t i = 0; i < owed; ++i) {
    const Tick tick = prediction.next();
    PlayerInput input = sampler.sample(tick);
    input.tick = tick;
    input.view_age = aims(input) ? needs_.display.view_age(tick) : std::uint16_t{0};
    if (starts && i + 2 < owed) input = neutral(input, tick);  // too late to be sent: as guessed
    if (!run_tick(input, now_us, owed_ticks - i - 1)) break;
  }
  needs_.search_hits();
}

/// False: the parent is not known yet.
bool TickRunner::run_tick(const PlayerInput& input, Micros now_us, double late_ticks) {
  if (!needs_.prediction.step(input, needs_.display.view(now_us))) return false;
  const world::StepRecord& record = *needs_.prediction.record(input.tick);
  needs_.projectiles.on_step(record, needs_.clocks.delay_ticks());
  needs_.recorder.note_step(record);
  needs_.inputs.add(input);
  needs_.latency.on_sampled(input.tick, now_us);
  needs_.clocks.lead().sampled(input.tick, late_ticks);
  return true;
}

}  // namespace perigee::client
