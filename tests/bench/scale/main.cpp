// bench_scale: two workers with players become eight, and two again. Measures how long it takes
// until the load is shared, how evenly, the cost of a tick before, during and after, and the effect
// on players.
#include <signal.h>

#include <algorithm>
#include <chrono>

#include "bench/common/fleet.hpp"
#include "bench/common/suite.hpp"

namespace perigee::bench {
namespace {

constexpr unsigned few = 2, many = 8;
constexpr double shared_within_s = 10;
constexpr double even = 1.25;  ///< target of balancing: the most loaded worker's load to the mean

double since_s(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The load that the directory balances: a worker's thread, including messages of other workers.
double dearest_to_mean(const std::vector<Consumed>& workers) {
  double most = 0, sum = 0;
  for (const Consumed& each : workers) {
    most = std::max(most, each.load_ms());
    sum += each.load_ms();
  }
  return sum > 0 ? most * static_cast<double>(workers.size()) / sum : 0;
}

bool all_have_something(const Fleet& fleet) {
  for (unsigned i = 0; i < many; ++i) {
    if (fleet.of_worker(i, "perigee_sim_entities{role=\"owned\"}") <= 0) return false;
  }
  return true;
}

Result<Ok> scale(const Run& run, Figures& figures) {
  Fleet fleet(few, run.quick ? 6 : 100, {.crates = Crates::Field, .logs = run.logs});
  const double measured_s = run.quick ? 2 : 10;
  if (!fleet.play()) return Error{"the cluster did not begin to play within 30 s"};
  figures.add("tick_cpu_ms_2", mean_tick_ms(fleet.consumed_in(measured_s)), "ms");

  const auto grows = std::chrono::steady_clock::now();
  for (unsigned i = few; i < many; ++i) fleet.start_worker(i);
  const auto shared = [&] {
    return fleet.of_directory("perigee_directory_workers_alive") == many &&
           all_have_something(fleet) &&
           fleet.of_directory("perigee_directory_imbalance_ratio") <= even;
  };
  if (!Fleet::within(60, shared)) return Error{"eight workers did not share the load within 60 s"};
  const double shared_after_s = since_s(grows);
  figures.add("shared_after_s", shared_after_s, "s");
  print_progress("shared out among eight");
  const std::vector<Consumed> of_many = fleet.consumed_in(measured_s);
  figures.add("tick_cpu_ms_8", mean_tick_ms(of_many), "ms");
  const double imbalance = dearest_to_mean(of_many);
  figures.add("imbalance_8", imbalance, "");

  const auto shrinks = std::chrono::steady_clock::now();
  for (unsigned i = few; i < many; ++i) fleet.worker(i).signal(SIGTERM);
  for (unsigned i = few; i < many; ++i) {
    if (fleet.worker(i).wait() != 0)
      return Error{"a worker that was to leave did not end in order"};
    fleet.forget_worker(i);
  }
  figures.add("left_after_s", since_s(shrinks), "s");
  print_progress("two are left");
  const std::vector<Consumed> of_few = fleet.consumed_in(measured_s);
  figures.add("tick_cpu_ms_2_again", mean_tick_ms(of_few), "ms");
  figures.add("imbalance_2_again", dearest_to_mean(of_few), "");

  if (!run.quick && shared_after_s > shared_within_s) {
    return Error{"eight workers shared the load after " + std::to_string(shared_after_s) + " s"};
  }
  if (!run.quick && imbalance > even) {
    std::string loads;
    for (const Consumed& each : of_many) loads += ' ' + std::to_string(each.load_ms());
    return Error{"eight workers were not even, in ms of a processor per tick:" + loads};
  }
  const auto gaps = fleet.gaps();
  if (!gaps) return gaps.error();
  double longest_ms = 0;
  for (const Gap& gap : *gaps) longest_ms = std::max(longest_ms, gap.ms - gap.stalled_ms);
  figures.add("gap_max_ms", longest_ms, "ms");
  if (const std::string lost = fleet.lost(); !lost.empty()) return Error{lost};
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("scale", argc, argv, perigee::bench::scale);
}
