// bench_bytes: bytes on the wire for one client, and the errors that it sees, in two scenes: the
// 250 rigid bodies of the stage of asteroids, in which KinematicSoup measured six other frameworks,
// and 901 cubes in heaps.
#include <string>

#include "asteroids.hpp"
#include "bench/common/suite.hpp"
#include "cubes.hpp"
#include "play.hpp"

namespace perigee::bench {
namespace {

struct Case {
  std::string suffix;
  double spin_damping_per_s = 0;
  double loss = 0;
};
struct CubesCase {
  std::string prefix;
  double loss = 0;
  std::uint64_t seed = 1;
};

constexpr int known_ticks = 300;  // by then, the client knows all bodies
constexpr int ticks_of(const Run& run) { return run.quick ? 300 : 7'200; }

/// Published with the scene (the README of UnityNetworkTransformBenchmark): all bytes that a client
/// receives in a second, over at least two minutes. That of Reactor is with TCP; with UDP it is 20.
struct Framework {
  const char* name;
  double wire_kb_s;
};
constexpr Framework others[]{{"reactor_1_1", 15},   {"purrnet_1_14", 100}, {"fishnet_4_6", 103},
                             {"fusion_2_0_6", 112}, {"mirror_96", 122},    {"ngo_2_4", 185}};

/// Sizes and rates of what was sent while measured.
void report_bytes(const Play& play, const replication::Publisher::Counters& before, double s,
                  const std::string& suffix, Figures& figures) {
  const auto& after = play.counters();
  const auto records = static_cast<double>(after.records - before.records);
  const auto block_bits = 8 * static_cast<double>(after.bytes - before.bytes);
  const auto per_s = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / s * 1e-3; };
  figures.add("looks_per_s" + suffix, static_cast<double>(after.looks - before.looks) / s, "1/s");
  figures.add("updates_per_s" + suffix, records / s, "1/s");
  figures.add("bits_per_record" + suffix, block_bits / records, "bit");
  figures.add("payload_kb_s" + suffix, per_s(play.wire.payload_bytes()), "kB/s");
  figures.add("wire_kb_s" + suffix, per_s(play.wire.bytes()), "kB/s");
}

void report_errors(Errors& errors, const std::string& suffix, Figures& figures) {
  // Four digits of a share near 1 would not tell anything.
  const auto beyond = [&](std::uint64_t within) { return 100 * (1 - errors.share(within)); };
  figures.add("within_share" + suffix, errors.share(errors.within), "");
  figures.add("beyond_percent" + suffix, beyond(errors.within), "%");
  figures.add("beyond_position_percent" + suffix, beyond(errors.within_position), "%");
  figures.add("beyond_rotation_percent" + suffix, beyond(errors.within_rotation), "%");
  figures.add("error_p50_mm" + suffix, 1e3 * percentile(errors.position_m, 0.5), "mm");
  figures.add("error_p99_mm" + suffix, 1e3 * percentile(errors.position_m, 0.99), "mm");
  figures.add("error_p999_mm" + suffix, 1e3 * percentile(errors.position_m, 0.999), "mm");
  figures.add("error_p99_rotation_e3" + suffix, 1e3 * percentile(errors.rotation, 0.99), "1e-3");
}

Result<Ok> measure(const Run& run, const Case& with, Figures& figures) {
  print_progress("damping " + std::to_string(with.spin_damping_per_s) + ", loss " +
                 std::to_string(with.loss));
  Asteroids scene(with.spin_damping_per_s);
  Play play(scene, with.loss, {});
  const int ticks = ticks_of(run), early_ticks = ticks / 4;
  for (int i = 0; i < known_ticks; ++i) play.tick(false);
  const auto before = play.counters();
  for (int i = 0; i < ticks; ++i) {
    play.tick(true);
    if (i + 1 != early_ticks) continue;
    figures.add("wire_kb_s_first_quarter" + with.suffix,
                static_cast<double>(play.wire.bytes()) / (early_ticks * seconds_per_tick) * 1e-3,
                "kB/s");
  }
  if (play.malformed() > 0) return Error{"the client could not read a block"};
  report_bytes(play, before, ticks * seconds_per_tick, with.suffix, figures);
  report_errors(play.errors, with.suffix, figures);
  figures.add("publisher_us_tick" + with.suffix,
              static_cast<double>(play.publisher_ns) * 1e-3 / ticks, "us");
  return Ok{};
}

/// One bound for all cubes: near enough for it, and more of them than a client's near lane has room
/// for by default. No budget.
replication::ReplicationSettings all_near() {
  replication::ReplicationSettings out;
  out.near_max = 1'000;
  out.client_budget_bytes_per_s = 1'000'000;
  return out;
}

Result<Ok> measure_cubes(const Run& run, const CubesCase& with, Figures& figures) {
  print_progress(with.prefix);
  Cubes scene(with.seed);
  Play play(scene, with.loss, all_near());
  const int ticks = ticks_of(run);
  for (int i = 0; i < known_ticks; ++i) play.tick(false);
  const auto before = play.counters();
  for (int i = 0; i < ticks; ++i) play.tick(true);
  if (play.malformed() > 0) return Error{"the client could not read a block"};
  const auto& after = play.counters();
  const double s = ticks * seconds_per_tick;
  const auto records = static_cast<double>(after.records - before.records);
  const auto add = [&](const std::string& name, double value, const char* unit) {
    figures.add(with.prefix + name, value, unit);
  };
  const auto kbit_s = [&](std::uint64_t bytes) { return 8e-3 * static_cast<double>(bytes) / s; };
  add("_kbit_s", kbit_s(play.wire.payload_bytes()), "kbit/s");
  add("_wire_kbit_s", kbit_s(play.wire.bytes()), "kbit/s");
  add("_moving", static_cast<double>(play.errors.position_m.size()) / ticks, "cubes");
  add("_updates_per_s", records / s, "1/s");
  add("_bits_per_record", 8 * static_cast<double>(after.bytes - before.bytes) / records, "bit");
  add("_error_p50_mm", 1e3 * percentile(play.errors.position_m, 0.5), "mm");
  add("_error_p99_mm", 1e3 * percentile(play.errors.position_m, 0.99), "mm");
  add("_error_p50_rotation_e3", 1e3 * percentile(play.errors.rotation, 0.5), "1e-3");
  add("_error_p99_rotation_e3", 1e3 * percentile(play.errors.rotation, 0.99), "1e-3");
  add("_publisher_us_tick", static_cast<double>(play.publisher_ns) * 1e-3 / ticks, "us");
  return Ok{};
}

Result<Ok> bytes_suite(const Run& run, Figures& figures) {
  const Case cases[]{{"", 0.05, 0},
                     {"_1pct_loss", 0.05, 0.01},
                     {"_undamped", 0, 0},
                     {"_undamped_1pct_loss", 0, 0.01}};
  for (const Case& with : cases) {
    if (const auto done = measure(run, with, figures); !done) return done;
  }
  const CubesCase heaps[]{{"cubes", 0, 1}, {"cubes_seed_2", 0, 2}, {"cubes_1pct_loss", 0.01, 1}};
  for (const CubesCase& with : heaps) {
    if (const auto done = measure_cubes(run, with, figures); !done) return done;
  }
  for (const Framework& other : others) {
    figures.add(std::string("wire_kb_s_published_") + other.name, other.wire_kb_s, "kB/s");
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("bytes", argc, argv, perigee::bench::bytes_suite);
}
