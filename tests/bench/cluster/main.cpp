// bench_cluster: processor time, bytes, packets and memory of a cluster's processes while bots play
// in it, per player and per worker. The basis of docs/scale.md.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <thread>

#include "bench/common/fleet.hpp"
#include "bench/common/suite.hpp"

namespace perigee::bench {
namespace {

struct Case {
  const char* name;
  unsigned workers, players;
  FleetWorld world;
  bool quick = false;  ///< runs also in quick runs, which check only the format
};
constexpr std::array cases{
    Case{"alone_50", 1, 50, {.crates = Crates::None, .standbys = false}},
    Case{"alone_100", 1, 100, {.crates = Crates::None, .standbys = false}},
    Case{"two_100_without_standby", 2, 100, {.crates = Crates::None, .standbys = false}},
    Case{"two_100", 2, 100, {.crates = Crates::None, .standbys = true}, true},
    Case{"two_crowded_without_standby", 2, 50, {.crates = Crates::Clouds, .standbys = false}},
    Case{"two_crowded", 2, 50, {.crates = Crates::Clouds, .standbys = true}},
    Case{"two_empty", 2, 2, {.crates = Crates::None, .standbys = true}},
    Case{"eight_empty", 8, 2, {.crates = Crates::None, .standbys = true}},
    Case{"four_crowded", 4, 50, {.crates = Crates::Clouds, .standbys = true}},
    Case{"eight_crowded", 8, 50, {.crates = Crates::Clouds, .standbys = true}, true},
};

enum class Who : std::uint8_t { Gateway, Workers, Directory, Session };
enum class Per : std::uint8_t { Player, Worker, One };
struct Row {
  const char* figure;
  const char* unit;
  Who who;
  Per per;
  const char* series;  ///< in its metrics; null: processor time
  double factor = 1;
};
/// Counters, as rates per second.
constexpr std::array rates{
    Row{"gateway_cpu_us", "us/s", Who::Gateway, Per::Player, nullptr, 1e-3},
    Row{"workers_cpu_ms", "ms/s", Who::Workers, Per::Worker, nullptr, 1e-6},
    Row{"workers_tick_cpu_ms", "ms/s", Who::Workers, Per::Worker,
        "perigee_sim_tick_cpu_seconds_sum", 1e3},
    Row{"directory_cpu_ms", "ms/s", Who::Directory, Per::One, nullptr, 1e-6},
    Row{"session_cpu_ms", "ms/s", Who::Session, Per::One, nullptr, 1e-6},
    Row{"up_packets_s", "1/s", Who::Gateway, Per::Player,
        "perigee_gateway_packets_total{direction=\"client_in\"}"},
    Row{"up_bytes_s", "B/s", Who::Gateway, Per::Player,
        "perigee_gateway_bytes_total{direction=\"client_in\"}"},
    Row{"down_packets_s", "1/s", Who::Gateway, Per::Player,
        "perigee_gateway_packets_total{direction=\"client_out\"}"},
    Row{"down_bytes_s", "B/s", Who::Gateway, Per::Player,
        "perigee_gateway_bytes_total{direction=\"client_out\"}"},
    Row{"blocks_s", "1/s", Who::Gateway, Per::Player,
        "perigee_gateway_blocks_total{direction=\"in\"}"},
    Row{"fabric_in_packets_s", "1/s", Who::Gateway, Per::Player,
        "perigee_gateway_packets_total{direction=\"fabric_in\"}"},
    Row{"fabric_in_bytes_s", "B/s", Who::Gateway, Per::Player,
        "perigee_gateway_bytes_total{direction=\"fabric_in\"}"},
    Row{"fabric_out_packets_s", "1/s", Who::Gateway, Per::Player,
        "perigee_gateway_packets_total{direction=\"fabric_out\"}"},
    Row{"fabric_out_bytes_s", "B/s", Who::Gateway, Per::Player,
        "perigee_gateway_bytes_total{direction=\"fabric_out\"}"},
    Row{"link_bytes_s", "B/s", Who::Workers, Per::Worker,
        "perigee_sim_link_bytes_total{direction=\"out\"}"},
    Row{"replica_bytes_s", "B/s", Who::Workers, Per::Worker, "perigee_sim_replica_bytes_total"},
    Row{"own_bytes_s", "B/s", Who::Workers, Per::Player,
        "perigee_sim_block_bytes_total{part=\"own\"}"},
    Row{"event_bytes_s", "B/s", Who::Workers, Per::Player,
        "perigee_sim_block_bytes_total{part=\"events\"}"},
    Row{"track_bytes_s", "B/s", Who::Workers, Per::Player,
        "perigee_sim_block_bytes_total{part=\"tracks\"}"},
    Row{"block_header_bytes_s", "B/s", Who::Workers, Per::Player,
        "perigee_sim_block_bytes_total{part=\"header\"}"},
};
/// Counters of which all series are added.
constexpr std::array families{
    Row{"records_s", "1/s", Who::Workers, Per::Player, "perigee_sim_records_total"},
};
/// Gauges, at the end.
constexpr std::array levels{
    Row{"players", "", Who::Workers, Per::Worker, "perigee_sim_players"},
    Row{"observers", "", Who::Workers, Per::Player, "perigee_sim_observers"},
    Row{"owned", "", Who::Workers, Per::Worker, "perigee_sim_entities{role=\"owned\"}"},
    Row{"ghosts", "", Who::Workers, Per::Worker, "perigee_sim_entities{role=\"ghost\"}"},
};

/// All processes of a fleet at one moment, by Who.
struct Moment {
  std::array<std::vector<Seen>, 4> seen;
  std::array<double, 4> cpu_ns{};
  std::chrono::steady_clock::time_point at = std::chrono::steady_clock::now();

  explicit Moment(const Fleet& fleet)
      : seen{std::vector{fleet.seen_gateway()}, fleet.seen_workers(),
             std::vector{fleet.seen_directory()}, std::vector{fleet.seen_session()}} {
    for (std::size_t who = 0; who < seen.size(); ++who) {
      for (const Seen& each : seen[who]) {
        cpu_ns[who] += static_cast<double>(cpu_time_ns(each.pid));
      }
    }
  }
  double of(const Row& row) const {
    const auto who = static_cast<std::size_t>(row.who);
    if (row.series == nullptr) return cpu_ns[who];
    double sum = 0;
    for (const Seen& each : seen[who]) sum += std::max(0.0, each.value(row.series));
    return sum;
  }
  double of_family(const Row& row) const {
    double sum = 0;
    for (const Seen& each : seen[static_cast<std::size_t>(row.who)]) sum += each.sum(row.series);
    return sum;
  }
};

double divisor(Per per, const Case& of) {
  switch (per) {
    case Per::Player:
      return of.players;
    case Per::Worker:
      return of.workers;
    case Per::One:
      break;
  }
  return 1;
}

double resident_mb(const std::vector<Seen>& of) {
  double bytes = 0;
  for (const Seen& each : of) bytes += static_cast<double>(resident_bytes(each.pid));
  return bytes * 1e-6 / static_cast<double>(of.size());
}

void add_sizes(const Moment& end, Figures& figures) {
  constexpr std::array<const char*, 4> names{"gateway", "worker", "directory", "session"};
  for (std::size_t who = 0; who < names.size(); ++who) {
    const std::string name = names[who];
    figures.add(name + "_series", static_cast<double>(end.seen[who].front().size()), "");
    figures.add(name + "_resident_mb", resident_mb(end.seen[who]), "MB");
  }
}

Result<Ok> play(const Run& run, Case of, bool last, Figures& figures) {
  if (run.quick) of.players = std::min(of.players, 6U);
  print_progress(of.name);
  Fleet fleet(of.workers, of.players, of.world);
  if (!fleet.play()) return Error{std::string(of.name) + " did not begin to play within 30 s"};
  // A player that has just joined receives everything once.
  std::this_thread::sleep_for(std::chrono::seconds(run.quick ? 1 : 5));
  const Moment begin(fleet);
  std::this_thread::sleep_for(std::chrono::seconds(run.quick ? 1 : 15));
  const Moment end(fleet);
  const double seconds = std::chrono::duration<double>(end.at - begin.at).count();
  const std::string prefix = std::string(of.name) + "_";
  for (const Row& row : rates) {
    const double value = (end.of(row) - begin.of(row)) * row.factor / seconds;
    figures.add(prefix + row.figure, value / divisor(row.per, of), row.unit);
  }
  for (const Row& row : families) {
    const double value = (end.of_family(row) - begin.of_family(row)) * row.factor / seconds;
    figures.add(prefix + row.figure, value / divisor(row.per, of), row.unit);
  }
  constexpr Row ticks{"", "", Who::Workers, Per::One, "perigee_sim_tick_cpu_seconds_count"};
  constexpr Row cpu{"", "", Who::Workers, Per::One, "perigee_sim_tick_cpu_seconds_sum"};
  const double ticked = end.of(ticks) - begin.of(ticks);
  figures.add(prefix + "tick_ms", ticked > 0 ? 1e3 * (end.of(cpu) - begin.of(cpu)) / ticked : 0,
              "ms");
  for (const Row& row : levels) {
    figures.add(prefix + row.figure, end.of(row) / divisor(row.per, of), row.unit);
  }
  if (last) add_sizes(end, figures);
  return Ok{};
}

Result<Ok> cluster(const Run& run, Figures& figures) {
  for (const Case& each : cases) {
    if (run.quick && !each.quick) continue;
    const bool last = &each == &cases.back();
    if (auto done = play(run, each, last, figures); !done) return done;
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("cluster", argc, argv, perigee::bench::cluster);
}
