// bench_rollback: the inputs of 50 players are 15 ticks late, all at once; the worker's cost of
// applying them at their ticks. Once all players are apart, once they push each other.
#include "bench/common/suite.hpp"
#include "bench/field/scene.hpp"

namespace perigee::bench {
namespace {

constexpr std::uint32_t late_ticks = 15;
constexpr std::uint32_t rest_ticks = 20;

Result<Ok> measure(const Run& run, bool huddled, Figures& figures) {
  const std::uint32_t late_players = run.quick ? 5 : 50;
  const std::uint32_t players = run.quick ? 8 : 200;
  Scene scene({.crates = 400, .drones = 60, .doors = 20, .huddle = huddled ? late_players : 0},
              players);
  for (int i = 0; i < (run.quick ? 30 : 600); ++i) scene.tick();
  const auto count = [&](worker::Count what) { return scene.core().counts()[what]; };

  std::vector<double> rewinds_ms, per_step_ns;
  std::uint64_t stepped = 0;
  const int bursts = run.quick ? 3 : 200;
  for (int i = 0; i < bursts; ++i) {
    for (std::uint32_t t = 0; t < late_ticks; ++t) scene.tick(late_players);
    const std::uint64_t before = count(worker::metric.rollback_ticks);
    scene.arrive(late_players, late_ticks + 1);
    scene.tick();
    stepped = count(worker::metric.rollback_ticks) - before;
    if (stepped == 0) return Error{"no tick was run again: the inputs came too late, or in time"};
    const auto rewind_ns =
        static_cast<double>(scene.phase_ns()[static_cast<std::size_t>(worker::TickPhase::Rewind)]);
    rewinds_ms.push_back(rewind_ns * 1e-6);
    per_step_ns.push_back(rewind_ns / static_cast<double>(stepped));
    for (std::uint32_t t = 0; t < rest_ticks; ++t) scene.tick();
  }
  if (count(worker::metric.rollback_ticks_refused) != 0)
    return Error{"more than one tick may rewind"};
  const std::string of = huddled ? "huddle_" : "";
  figures.add(of + "rollback_p50_ms", percentile(rewinds_ms, 0.5), "ms");
  figures.add(of + "rollback_p99_ms", percentile(rewinds_ms, 0.99), "ms");
  figures.add(of + "actor_steps", static_cast<double>(stepped), "");
  figures.add(of + "ns_per_actor_step", median(per_step_ns), "ns");
  return Ok{};
}

Result<Ok> rollback_suite(const Run& run, Figures& figures) {
  for (const bool huddled : {false, true}) {
    if (const auto done = measure(run, huddled, figures); !done.ok()) return done;
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("rollback", argc, argv, perigee::bench::rollback_suite);
}
