// bench_size: the intended load of one core: 500 players, 1,000 bodies, 19,000 wheels, 200,000
// resting entities.
#include <unistd.h>

#include <algorithm>
#include <array>

#include "bench/common/suite.hpp"
#include "bench/field/byte_split.hpp"
#include "bench/field/scene.hpp"

namespace perigee::bench {
namespace {

constexpr std::array<const char*, Scene::phases> phase_names{"rewind", "bodies",  "actors", "judge",
                                                             "gather", "publish", "send"};

constexpr std::uint32_t players_full = 500, players_few = 5;

/// The full load: small entities that are visible only nearby, doors and wheels that are visible
/// from a kilometre.
FieldPlan whole_plan() {
  FieldPlan plan{.drones = 900, .doors = 20'000, .half_m = 4'000};
  plan.asleep = 140'000;
  plan.posts = 40'000;
  plan.wheels = 19'000;
  plan.heaps = 10;
  plan.towns = 10;
  return plan;
}

FieldPlan small_plan() {
  FieldPlan plan{.drones = 9, .doors = 20, .half_m = 2'000};
  plan.asleep = 140;
  plan.posts = 40;
  plan.wheels = 19;
  plan.heaps = plan.towns = 1;
  return plan;
}

struct Round {
  std::vector<double> ticks_ms;
  std::array<std::vector<double>, Scene::phases> phases_ms;
  std::vector<double> bytes_s;  ///< per player and second
  replication::Publisher::Counters before, after;
  double player_seconds = 0;
  std::uint32_t awake = 0;
};

Round play(const Run& run) {
  worker::Settings settings;
  settings.entities_max = 1U << 18;
  Scene scene(run.quick ? small_plan() : whole_plan(), run.quick ? players_few : players_full,
              settings);
  for (int i = 0; i < (run.quick ? 60 : 1'200); ++i) scene.tick();
  scene.take_bytes();
  Round out;
  out.before = scene.core().publisher().counters();
  const int ticks = run.quick ? 60 : 1'200;
  for (int i = 0; i < ticks; ++i) {
    out.ticks_ms.push_back(static_cast<double>(scene.tick()) * 1e-6);
    for (std::size_t p = 0; p < Scene::phases; ++p) {
      out.phases_ms[p].push_back(static_cast<double>(scene.phase_ns()[p]) * 1e-6);
    }
    if (i % 60 != 59) continue;
    const std::vector<double> second = scene.take_bytes();
    out.bytes_s.insert(out.bytes_s.end(), second.begin(), second.end());
  }
  out.after = scene.core().publisher().counters();
  out.player_seconds = ticks * seconds_per_tick * (run.quick ? players_few : players_full);
  out.awake = scene.core().world().physics().statistics().awake;
  return out;
}

/// The same ticks again: disturbances of the machine make some of them slower, and none faster.
void keep_least(std::vector<double>& least, const std::vector<double>& again) {
  for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], again[i]);
}

Result<Ok> size_suite(const Run& run, Figures& figures) {
  std::vector<double> p99_ms;
  Round least;
  const int rounds = run.quick ? 1 : 3;
  for (int i = 0; i < rounds; ++i) {
    print_progress("round " + std::to_string(i + 1) + " of " + std::to_string(rounds));
    Round round = play(run);
    std::vector<double> of_round = round.ticks_ms;
    p99_ms.push_back(percentile(of_round, 0.99));
    if (i == 0) {
      least = std::move(round);
      continue;
    }
    keep_least(least.ticks_ms, round.ticks_ms);
    for (std::size_t p = 0; p < Scene::phases; ++p) {
      keep_least(least.phases_ms[p], round.phases_ms[p]);
    }
  }
  figures.add("bodies_awake", least.awake, "");
  figures.add("tick_p50_ms", percentile(least.ticks_ms, 0.5), "ms");
  figures.add("tick_p99_ms", percentile(least.ticks_ms, 0.99), "ms");
  figures.add("tick_p99_of_one_round_ms", *std::min_element(p99_ms.begin(), p99_ms.end()), "ms");
  for (std::size_t p = 0; p < Scene::phases; ++p) {
    const std::string name = std::string("tick_phase_") + phase_names[p];
    figures.add(name + "_ms", median(least.phases_ms[p]), "ms");
    figures.add(name + "_p99_ms", percentile(least.phases_ms[p], 0.99), "ms");
  }
  figures.add("client_p50_bytes_s", percentile(least.bytes_s, 0.5), "B/s");
  figures.add("client_p99_bytes_s", percentile(least.bytes_s, 0.99), "B/s");
  add_replication(least.before, least.after, least.player_seconds, figures);
  figures.add("resident_mb", static_cast<double>(resident_bytes(getpid())) * 1e-6, "MB");
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("size", argc, argv, perigee::bench::size_suite);
}
