// perigee-directory: settings, gRPC, the admin port and the clock around the directory's core.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "control.hpp"
#include "perigee/host/admin_server.hpp"
#include "perigee/host/grpc_server.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/secrets.hpp"
#include "service.hpp"

namespace perigee::directory {
namespace {

constexpr std::string_view process = "perigee-directory";

struct Options {
  host::ProcessOptions common;
  CoreSettings core;
  bool new_world = false;
};

constexpr std::array<std::string_view, 2> save_results{"written", "failed"};
constexpr std::array<std::string_view, change_kinds> change_names{"split", "merge", "slide",
                                                                  "move"};
enum class Count : std::uint8_t {
  Deaths,
  SignOffs,
  Refusals,
  MapVersions,
  Saves,
  Changes,
  ReportsRefused,
  Bequeathed,
  SuspicionsRefuted,
  RateChanges,
  last = RateChanges
};
constexpr std::array count_rows{
    host::CounterRow<Count>{Count::Deaths, "directory_deaths_total",
                            "Members that fell silent for more than 5 s."},
    host::CounterRow<Count>{Count::SignOffs, "directory_sign_offs_total",
                            "Members that stopped in good order."},
    host::CounterRow<Count>{Count::Refusals, "directory_refusals_total",
                            "Registrations refused; the member's log says why."},
    host::CounterRow<Count>{Count::MapVersions, "directory_map_versions_total",
                            "Changes of the cluster map."},
    host::CounterRow<Count>{Count::Saves,
                            "directory_saves_total",
                            "Writes of directory.state; failed ones are tried again.",
                            {"result", save_results}},
    host::CounterRow<Count>{Count::Changes,
                            "directory_region_changes_total",
                            "Changes of how the world is cut and whose it is, but for deaths.",
                            {"kind", change_names}},
    host::CounterRow<Count>{Count::ReportsRefused, "directory_reports_refused_total",
                            "Reports of workers that cannot be."},
    host::CounterRow<Count>{Count::Bequeathed, "directory_workers_bequeathed_total",
                            "Workers' lives that ended, and their buddy went on with."},
    host::CounterRow<Count>{Count::SuspicionsRefuted, "directory_suspicions_refuted_total",
                            "Workers that their buddy took for dead, and that answered."},
    host::CounterRow<Count>{Count::RateChanges, "directory_rate_changes_total",
                            "Changes of how fast world time passes."},
};
static_assert(host::one_row_each(count_rows, Count::last), "one row for each Count");

constexpr std::array<std::string_view, 2> region_states{"owned", "ownerless"};
enum class Level : std::uint8_t {
  Workers,
  Gateways,
  Regions,
  Watchers,
  HandleBlocks,
  Imbalance,
  Draining,
  Away,
  Rate,
  Overloaded,
  LargestIsland,
  last = LargestIsland
};
constexpr std::array level_rows{
    host::GaugeRow<Level>{Level::Workers, "directory_workers_alive", "Simulation workers alive."},
    host::GaugeRow<Level>{Level::Gateways, "directory_gateways_alive", "Gateways alive."},
    host::GaugeRow<Level>{Level::Regions,
                          "directory_regions",
                          "Regions by state; ownerless ones stand still.",
                          {"state", region_states}},
    host::GaugeRow<Level>{Level::Watchers, "directory_watchers", "Streams of the map."},
    host::GaugeRow<Level>{Level::HandleBlocks, "directory_handle_blocks_left",
                          "Starts of workers that this world has entity handles for now."},
    host::GaugeRow<Level>{Level::Imbalance, "directory_imbalance_ratio",
                          "Most loaded worker to the mean; 1 while there is next to no load."},
    host::GaugeRow<Level>{Level::Draining, "directory_workers_draining",
                          "Living workers that shall own nothing."},
    host::GaugeRow<Level>{Level::Away, "directory_entities_away",
                          "Entities in a region whose owner is not the worker that has them."},
    host::GaugeRow<Level>{Level::Rate, "directory_time_rate_ratio",
                          "World time to real time, once the last change is in force."},
    host::GaugeRow<Level>{Level::Overloaded, "directory_workers_overloaded",
                          "Workers whose ticks cost too much whatever they leave out."},
    host::GaugeRow<Level>{Level::LargestIsland, "directory_largest_island_seconds",
                          "Processor time per tick of what no cut of space can divide."},
};
static_assert(host::one_row_each(level_rows, Level::last), "one row for each Level");

template <class Entries, class Predicate>
std::size_t count(const Entries& entries, Predicate predicate) {
  return static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(), predicate));
}

struct Tables {
  Tables(host::Metrics& metrics, std::uint64_t version)
      : counts(metrics, count_rows), levels(metrics, level_rows), first_version(version) {}
  host::CounterTable<Count> counts;
  host::GaugeTable<Level> levels;
  std::uint64_t first_version;  ///< of this process

  void show(const Service::Picture& picture) {
    const auto alive = [](const auto& entry) { return entry.alive; };
    const std::size_t owned =
        count(picture.map.regions, [](const auto& region) { return region.owner.has_value(); });
    counts.follow(Count::Deaths, picture.deaths);
    counts.follow(Count::Refusals, picture.refusals);
    counts.follow(Count::SignOffs, picture.signed_off);
    counts.follow(Count::MapVersions, picture.map.version - first_version);
    counts.follow_labelled(Count::Saves, 0, picture.saved);
    counts.follow_labelled(Count::Saves, 1, picture.save_failures);
    for (std::size_t kind = 0; kind < change_kinds; ++kind) {
      counts.follow_labelled(Count::Changes, kind, picture.changes[kind]);
    }
    counts.follow(Count::ReportsRefused, picture.reports_refused);
    counts.follow(Count::Bequeathed, picture.bequeathed);
    counts.follow(Count::SuspicionsRefuted, picture.suspicions_refuted);
    counts.follow(Count::RateChanges, picture.rate_changes);
    counts.flush();
    levels.set(Level::Imbalance, picture.imbalance);
    levels.set(Level::Draining,
               static_cast<double>(count(picture.map.workers, [](const WorkerEntry& worker) {
                 return worker.alive && worker.draining;
               })));
    levels.set(Level::Away, picture.away);
    const WorldTime& time = picture.map.time;
    levels.set(Level::Rate, (time.change ? *time.change : time.base).rate_ppm * 1e-6);
    levels.set(Level::Overloaded, picture.overloaded);
    levels.set(Level::LargestIsland, picture.largest_island_ms * 1e-3);
    levels.set(Level::Workers, static_cast<double>(count(picture.map.workers, alive)));
    levels.set(Level::Gateways, static_cast<double>(count(picture.map.gateways, alive)));
    levels.set_labelled(Level::Regions, 0, static_cast<double>(owned));
    levels.set_labelled(Level::Regions, 1, static_cast<double>(picture.map.regions.size() - owned));
    levels.set(Level::Watchers, picture.watchers);
    levels.set(Level::HandleBlocks, picture.handle_blocks_left);
  }
};

void declare(host::Settings& settings, Options& options) {
  host::declare(settings, options.common);
  settings.number("directory.regions", &options.core.regions, {1, 16}, "regions",
                  "slices of a new world along x, to begin with");
  settings.number("directory.workers", &options.core.workers, {1, workers_max}, "workers",
                  "regions get owners once so many are there, or 5 s after the first");
  settings.flag("directory.balance", &options.core.balance,
                "cut and move regions by their load; off: only operators and deaths do");
  settings.flag("directory.buddies", &options.core.buddies,
                "each worker tells another one of all that it has, which goes on with it; off: "
                "what a worker has dies with it");
  BalanceSettings& balancing = options.core.balancing;
  settings.number("directory.uneven_max", &balancing.uneven_max, {1.05, 10}, "",
                  "most loaded worker to mean: less moves more things for less");
  settings.number("directory.idle_ms", &balancing.idle_ms, {0.01, 16}, "ms",
                  "mean load per tick below which all is well: less moves things of idle worlds");
  settings.number("directory.merge_share", &balancing.merge_share, {0, 1}, "",
                  "of the mean, that two regions become one below: more leaves less to move");
  settings.number("directory.slide_share", &balancing.slide_share, {0, 1}, "",
                  "of the mean, that neighbours may differ by: less lets planes follow noise");
  settings.number("directory.changes_max", &balancing.changes_max, {1, 64}, "regions",
                  "that may be on their way at once: fewer follow a crowd more slowly");
  settings.number("directory.busy_max", &options.core.dilating.busy_max, {0.5, 1}, "",
                  "of a worker's time; above it time slows down: less slows it without need");
  settings.flag("new_world", &options.new_world,
                "begin at tick 0 with an empty map; the old directory.state is put aside");
}

int run(const Options& options, const std::string& config) {
  const auto listen = host::listen_address(options.common, host::port::directory_grpc);
  const auto admin = host::listen_address(options.common, host::port::directory_admin);
  if (!listen) return host::report_failure(process, listen.error());
  if (!admin) return host::report_failure(process, admin.error());

  host::Loop loop;
  host::Metrics metrics("directory");
  StateFile::World world;
  auto file = StateFile::open(options.common.state_dir, options.core, options.new_world, world);
  if (!file) return host::report_failure(process, file.error());
  const bool goes_on = world.saved.has_value();
  const Micros now_us = world.clock.now_us();
  Core core = goes_on
                  ? Core(options.core, *std::move(world.saved), now_us)
                  : Core(options.core, static_cast<std::uint32_t>(host::random_u64()) | 1U, now_us);
  Tables tables(metrics, core.map().version);
  Service service(std::move(core), world.clock, std::move(file).value());
  auto admin_server = host::AdminServer::start(loop, metrics, {*admin, config});
  if (!admin_server) return host::report_failure(process, admin_server.error());
  Control control(service);
  const std::array<grpc::Service*, 2> services{&service, &control};
  auto server = host::GrpcServer::start({*listen, options.common.insecure}, services);
  if (!server) return host::report_failure(process, server.error());

  host::Timer duty(loop, [&] {
    service.advance();
    tables.show(service.picture());
  });
  duty.every(250'000);
  (*admin_server)->set_ready();
  host::log_info("ready", {{"grpc", to_string(*listen)},
                           {"admin", "http://" + to_string(*admin)},
                           {"world", goes_on ? "goes on" : "new"},
                           {"incarnation", service.picture().map.incarnation}});
  loop.run();
  (*admin_server)->set_not_ready("stopping");
  service.stop();
  host::log_info("stopped");
  return host::exit_ok;
}

}  // namespace
}  // namespace perigee::directory

int main(int argc, char** argv) {
  using namespace perigee;
  directory::Options options;
  host::Settings settings(std::string(directory::process),
                          "Keeps the cluster map: members, regions and their owners, world time.",
                          "  perigee-directory\n"
                          "  perigee-directory --new-world\n"
                          "  perigee-directory --port-base 41000 --directory-workers 4 "
                          "--directory-regions 4\n"
                          "  perigee-directory --directory-balance=false");
  directory::declare(settings, options);
  settings.printable("metrics", "print the metrics that this process exports as Markdown and exit",
                     [] {
                       host::Metrics metrics("directory");
                       const directory::Tables tables(metrics, 0);
                       return metrics.markdown();
                     });
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  host::apply_log("directory", options.common);
  return directory::run(options, settings.print());
}
