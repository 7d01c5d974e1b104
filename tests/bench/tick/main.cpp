// bench_tick: a worker's whole tick with 200 players among 5,000 entities, phase by phase.
#include <array>

#include "bench/common/suite.hpp"
#include "bench/field/byte_split.hpp"
#include "bench/field/scene.hpp"
#include "perigee/worker/observation.hpp"

namespace perigee::bench {
namespace {

constexpr std::array<const char*, Scene::phases> phase_names{"rewind", "bodies",  "actors", "judge",
                                                             "gather", "publish", "send"};

/// One observation for viewers, which a worker makes every sixth tick while there are any.
double observation_ms(const world::World& world, int times) {
  worker::ObservationWriter writer;
  std::vector<double> all_ms;
  for (int i = 0; i < times; ++i) {
    const std::int64_t begin_ns = thread_time_ns();
    writer.write(world);
    all_ms.push_back(static_cast<double>(thread_time_ns() - begin_ns) * 1e-6);
  }
  return median(all_ms);
}

/// Measures another world or crowd: tick times, replication to its players, and an observation.
void measure(const Run& run, const std::string& name, const FieldPlan& plan, std::uint32_t players,
             Figures& figures) {
  print_progress("a tick with " + std::to_string(players) + " players: " + name);
  Scene scene(plan, players);
  const int ticks = run.quick ? 30 : 600;
  for (int i = 0; i < ticks; ++i) scene.tick();
  const auto before = scene.core().publisher().counters();
  std::vector<double> ticks_ms, publish_ms;
  for (int i = 0; i < ticks; ++i) {
    ticks_ms.push_back(static_cast<double>(scene.tick()) * 1e-6);
    const auto phase = static_cast<std::size_t>(worker::TickPhase::Publish);
    publish_ms.push_back(static_cast<double>(scene.phase_ns()[phase]) * 1e-6);
  }
  figures.add("tick_" + name + "_p50_ms", percentile(ticks_ms, 0.5), "ms");
  figures.add("tick_" + name + "_p99_ms", percentile(ticks_ms, 0.99), "ms");
  figures.add("tick_" + name + "_phase_publish_ms", median(publish_ms), "ms");
  add_replication(before, scene.core().publisher().counters(), ticks * seconds_per_tick * players,
                  figures, "_" + name);
  figures.add("observation_" + name + "_ms",
              observation_ms(scene.core().world(), run.quick ? 10 : 200), "ms");
}

Result<Ok> tick_suite(const Run& run, Figures& figures) {
  const FieldPlan plan = run.quick ? FieldPlan{.crates = 100, .drones = 20, .doors = 10}
                                   : FieldPlan{.crates = 4'000, .drones = 600, .doors = 200};
  const std::uint32_t players = run.quick ? 5 : 200;
  print_progress("building a world of " + std::to_string(plan.crates + plan.drones + plan.doors) +
                 " entities for " + std::to_string(players) + " players");
  Scene scene(plan, players);
  // crates fall asleep, and everything has been sent
  for (int i = 0; i < (run.quick ? 30 : 600); ++i) scene.tick();
  const auto before = scene.core().publisher().counters();
  const std::uint64_t encoded_before = scene.core().publisher().encoded();
  std::vector<double> ticks_ms;
  std::array<std::vector<double>, Scene::phases> phases_ms;
  const int ticks = run.quick ? 30 : 1'200;
  for (int i = 0; i < ticks; ++i) {
    if (i % 300 == 0) print_progress("tick " + std::to_string(i) + " of " + std::to_string(ticks));
    ticks_ms.push_back(static_cast<double>(scene.tick()) * 1e-6);
    for (std::size_t p = 0; p < Scene::phases; ++p) {
      phases_ms[p].push_back(static_cast<double>(scene.phase_ns()[p]) * 1e-6);
    }
  }
  figures.add("tick_p50_ms", percentile(ticks_ms, 0.5), "ms");
  figures.add("tick_p99_ms", percentile(ticks_ms, 0.99), "ms");
  for (std::size_t p = 0; p < Scene::phases; ++p) {
    figures.add(std::string("tick_phase_") + phase_names[p] + "_ms", median(phases_ms[p]), "ms");
  }
  const auto& after = scene.core().publisher().counters();
  const double seconds = ticks * seconds_per_tick * players;
  add_replication(before, after, seconds, figures);
  const std::uint64_t encoded = scene.core().publisher().encoded() - encoded_before;
  figures.add("records_per_encoding",
              static_cast<double>(after.records - before.records) / static_cast<double>(encoded),
              "");
  // K1: 100 players and 10,000 entities; and as many players as a worker can have.
  const FieldPlan wide =
      run.quick ? plan : FieldPlan{.crates = 8'000, .drones = 1'400, .doors = 600};
  measure(run, "10k", wide, run.quick ? 8 : 100, figures);
  measure(run, "full", plan, run.quick ? 8 : worker::Settings{}.players_max, figures);
  FieldPlan still = plan;
  still.drones = 0;
  measure(run, "walkers", still, players, figures);
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("tick", argc, argv, perigee::bench::tick_suite);
}
