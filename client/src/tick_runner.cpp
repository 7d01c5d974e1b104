#include "perigee/client/tick_runner.hpp"

namespace perigee::client {

bool TickRunner::run(Micros now_us, InputSampler& sampler) {
  Prediction& prediction = needs_.prediction;
  if (!pace_.hears(prediction.running(), prediction.compared())) prediction.stop();
  if (!prediction.running() || !needs_.clocks.time().ready()) return false;
  run_ticks(now_us, sampler);
  return true;
}

void TickRunner::run_ticks(Micros now_us, InputSampler& sampler) {
  Prediction& prediction = needs_.prediction;
  const bool starts = prediction.next() == needs_.inputs.first_tick();
  const auto due = pace_.due(now_us, prediction.next(), starts);
  if (!due) return;
  if (due->astray) return prediction.stop();  // the skipped ticks are void
  const InputLayout& own = needs_.game.input_layout();
  const std::uint16_t aimed = needs_.game.buttons_aimed();
  for (std::int32_t i = 0; i < due->ticks; ++i) {
    const Tick tick = prediction.next();
    PlayerInput input = sampler.sample(tick);
    input.tick = tick;
    own.confine(input.own);
    input.view_age = aims(input, aimed) ? needs_.display.view_age(tick) : std::uint16_t{0};
    if (due->too_late_to_send(i)) input = needs_.inputs.at_rest(tick);
    if (!run_tick(input, now_us, due->late_ticks - i)) break;
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
