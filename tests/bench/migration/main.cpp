// bench_migration: ships with their crews cross the border between two workers back and forth; and
// the cost of serializing a group and of continuing it.
#include "bench/common/suite.hpp"
#include "perigee/lab/shuttle.hpp"
#include "perigee/world/group.hpp"

namespace perigee::bench {
namespace {

using lab::Shuttle;
using lab::ShuttleFigures;
using lab::ShuttlePlan;

/// Processor time of both workers alone, without players, links and ledger.
struct Clocked {
  Shuttle shuttle;
  std::int64_t began_ns = 0, spent_ns = 0;

  explicit Clocked(const ShuttlePlan& plan) : shuttle(plan) {
    shuttle.worker_begins = [this] { began_ns = thread_time_ns(); };
    shuttle.worker_ends = [this] { spent_ns += thread_time_ns() - began_ns; };
  }
  double ns_per_tick() const {
    return static_cast<double>(spent_ns) / static_cast<double>(shuttle.figures().ticks);
  }
};

bool all_is_well(const ShuttleFigures& f) {
  return f.finals_differ + f.ship_ticks_doubled + f.rider_ticks_missing + f.inputs_lost +
             f.inputs_wrong + f.things_wrong ==
         0;
}

Result<Ok> to_and_fro(const Run& run, Figures& figures) {
  const std::uint64_t migrations = run.quick ? 40 : 100'000;
  ShuttlePlan plan{.ships = run.quick ? 2U : 16U};
  Clocked clocked(plan);
  for (std::uint64_t part = 1; part <= 10; ++part) {
    clocked.shuttle.run(migrations * part / 10, 1'000'000);
    print_progress(std::to_string(clocked.shuttle.figures().migrations) + " of " +
                   std::to_string(migrations) + " migrations");
  }
  const std::uint64_t ticks = clocked.shuttle.figures().ticks;
  clocked.shuttle.settle();
  const ShuttleFigures& f = clocked.shuttle.figures();
  if (f.migrations < migrations || f.finals_compared != f.migrations || !all_is_well(f)) {
    return Error{
        "something was lost, doubled or changed: system_tests says what, by "
        "--gtest_filter='ShipsThatGoToAndFro.*'"};
  }
  plan.crosses = false;
  Clocked apart(plan);
  apart.shuttle.run(migrations, run.quick ? 60 : 6'000);
  const auto count = static_cast<double>(f.migrations);
  const double more_ns = clocked.ns_per_tick() - apart.ns_per_tick();
  figures.add("migrations", count, "");
  figures.add("migrations_per_virtual_s",
              static_cast<double>(migrations) / (static_cast<double>(ticks) * seconds_per_tick),
              "1/s");
  figures.add("migrations_per_core_s", count / (static_cast<double>(clocked.spent_ns) * 1e-9),
              "1/s");
  figures.add("cpu_us_per_migration", more_ns * static_cast<double>(f.ticks) / count * 1e-3, "us");
  figures.add("final_bytes", static_cast<double>(f.final_bytes) / count, "B");
  figures.add("final_bytes_max", static_cast<double>(f.final_bytes_max), "B");
  figures.add("inputs_applied", static_cast<double>(f.inputs_in_time), "");
  figures.add("inputs_lost", static_cast<double>(f.inputs_lost), "");
  return Ok{};
}

/// Migrates back and forth between two ticks, so that nothing else is measured.
void by_hand(const Run& run, const std::string& name, std::uint32_t crew, Figures& figures) {
  print_progress("a ship with a crew of " + std::to_string(crew));
  Shuttle shuttle({.ships = 1, .riders = crew, .crosses = false});
  shuttle.run(1, run.quick ? 40 : 120);
  const Handle ship = shuttle.ships().front();
  worker::Core* owner = &shuttle.core(0);
  worker::Core* other = &shuttle.core(1);
  std::vector<double> give_us, take_us;
  double bytes = 0, world_bytes = 0;
  for (int i = 0; i < (run.quick ? 2 : 400); ++i) {
    const auto members = owner->world().group_of(ship).members;
    world_bytes = static_cast<double>(world::to_bytes(owner->world().extract(members)).size());
    for (int way = 0; way < 2; ++way) {
      const std::int64_t began = thread_time_ns();
      const worker::Core::SentGroup sent = owner->send_group(ship);
      const std::int64_t sent_ns = thread_time_ns();
      const auto received = other->receive_group(sent.bytes);
      const std::int64_t received_ns = thread_time_ns();
      PERIGEE_ASSERT(received && received->size() == crew, "a group that was sent can be received");
      bytes = static_cast<double>(sent.bytes.size());
      give_us.push_back(static_cast<double>(sent_ns - began) * 1e-3);
      take_us.push_back(static_cast<double>(received_ns - sent_ns) * 1e-3);
      std::swap(owner, other);
    }
    shuttle.step();
  }
  figures.add(name + "give_us_p50", median(give_us), "us");
  figures.add(name + "take_us_p50", median(take_us), "us");
  figures.add(name + "final_bytes_alone", bytes, "B");
  figures.add(name + "final_world_bytes", world_bytes, "B");
}

Result<Ok> migration_suite(const Run& run, Figures& figures) {
  if (const auto done = to_and_fro(run, figures); !done) return done.error();
  by_hand(run, "", 2, figures);
  by_hand(run, "crew_of_100_", run.quick ? 25 : 100, figures);
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("migration", argc, argv, perigee::bench::migration_suite);
}
