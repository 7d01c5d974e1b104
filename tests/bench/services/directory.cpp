// A directory process with members, and the size of a map.
#include <thread>

#include "bench/common/place.hpp"
#include "members.hpp"
#include "parts.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/base/worker_report.hpp"
#include "perigee/host/map_difference.hpp"
#include "perigee/host/map_proto.hpp"

namespace perigee::bench {
namespace {

using process_test::Child;

constexpr unsigned directory_grpc = 11, gateways = 8;

/// The map's message, with names like those of containers and machines.
directory::v1::ClusterMap map_of(unsigned workers, unsigned regions, unsigned doors) {
  ClusterMap map{.cluster_id = 0x7fffffff, .version = 100'000};
  map.time.base = {.wall_us = 1'700'000'000'000'000, .tick_rate_hz = 60};
  for (unsigned i = 0; i < workers; ++i) {
    map.workers.push_back({.slot = WorkerSlot::at(i),
                           .fabric = Address::v4(10, 1, 100, 200, 40'040),
                           .handle_base = HandleBase{(i + 1) << 20},
                           .handle_count = 1 << 20,
                           .alive = true,
                           .incarnation = Incarnation{1},
                           .standby = WorkerSlot::at((i + 1) % workers_max),
                           .standby_in_sync = true,
                           .standby_word = 5});
  }
  for (unsigned i = 0; i < doors; ++i) {
    map.gateways.push_back({.slot = GatewaySlot::at(i),
                            .fabric = Address::v4(10, 2, 100, 200, 40'030),
                            .public_udp = Address::v4(203, 0, 113, 100, 40'000),
                            .alive = true});
  }
  for (unsigned i = 0; i < regions; ++i) {
    map.regions.push_back({.region = RegionId{i + 1},
                           .epoch = Epoch{300},
                           .low = {-4'000, -2'000, 1'000},
                           .high = {-3'000, 2'000, 2'000},
                           .owner = WorkerSlot::at(i),
                           .created_epoch = Epoch{0}});
  }
  directory::v1::ClusterMap message;
  host::write_map(map, message);
  for (auto& worker : *message.mutable_workers()) {
    worker.set_name("sim-worker-123");
    worker.set_grpc_address("10.1.100.200:40020");
    worker.set_build("0.1.0-1a2b3c4d");
  }
  for (auto& gateway : *message.mutable_gateways()) {
    gateway.set_name("gateway-123");
    gateway.set_grpc_address("10.2.100.200:40031");
    gateway.set_build("0.1.0-1a2b3c4d");
  }
  return message;
}

std::size_t map_bytes(unsigned workers, unsigned regions, unsigned doors) {
  return map_of(workers, regions, doors).ByteSizeLong();
}

/// Bytes to a member that has the map before a change of the largest map, and processor time of
/// both ends.
void weigh_changes(Figures& figures) {
  const auto base = map_of(workers_max, WorkerReport::regions_max, gateways_max);
  const auto weigh = [&](const char* what, auto change) {
    auto map = base;
    map.set_version(base.version() + 1);
    change(map);
    const auto difference = host::map_difference(base, map);
    if (difference) {
      figures.add(std::string("map_change_bytes_") + what,
                  static_cast<double>(difference->ByteSizeLong()), "B");
    }
  };
  figures.add("map_bytes_largest", static_cast<double>(base.ByteSizeLong()), "B");
  weigh("move", [](auto& map) {
    map.mutable_regions(500)->set_owner(3);
    map.mutable_regions(500)->set_epoch(301);
  });
  weigh("split", [](auto& map) {
    map.mutable_regions(500)->mutable_high()->set_x(-3'500);
    auto& part = *map.mutable_regions(1'023);  // in the place of another one
    part = map.regions(500);
    part.set_region(2'000);
  });
  weigh("standby", [](auto& map) {
    map.mutable_workers(500)->set_standby(3);
    map.mutable_workers(500)->set_standby_word(6);
  });
  weigh("gateway", [](auto& map) { map.mutable_gateways(500)->set_alive(false); });
  weigh("death", [](auto& map) {  // of a worker with one region, which was the standby of another
    map.mutable_workers(500)->set_alive(false);
    map.mutable_workers(500)->clear_standby();
    map.mutable_workers(499)->clear_standby();
    map.mutable_regions(500)->set_owner(501);
    map.mutable_regions(500)->set_epoch(301);
    auto& record = *map.add_failover_records();
    record.set_handle_base(501U << 20);
    record.set_successor(501);
    record.set_successor_handle_base(502U << 20);
    record.set_epoch(1);
  });

  auto map = base;
  map.set_version(base.version() + 1);
  map.mutable_regions(500)->set_owner(3);
  constexpr int times = 20;
  const std::int64_t begun = thread_time_ns();
  for (int i = 0; i < times; ++i) host::map_difference(base, map);
  const std::int64_t made = thread_time_ns();
  const auto difference = *host::map_difference(base, map);
  std::int64_t taken_ns = 0;
  for (int i = 0; i < times; ++i) {
    host::FollowedMap followed;
    bool ok = followed.take(base).ok();
    const std::int64_t before = thread_time_ns();
    ok = followed.take(difference).ok() && ok;
    taken_ns += thread_time_ns() - before;
    PERIGEE_ASSERT(ok, "a difference must fit its base");
  }
  const auto us = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-3 / times; };
  figures.add("map_difference_us", us(made - begun), "us");
  figures.add("map_take_us", us(taken_ns), "us");
}

void weigh(Figures& figures) {
  constexpr unsigned many = 100;
  const auto each = [&](std::size_t with, std::size_t without) {
    return static_cast<double>(with - without) / many;
  };
  const std::size_t none = map_bytes(0, 0, 0);
  figures.add("map_bytes_worker", each(map_bytes(many, 0, 0), none), "B");
  figures.add("map_bytes_region", each(map_bytes(0, many, 0), none), "B");
  figures.add("map_bytes_gateway", each(map_bytes(0, 0, gateways_max), none) * many / gateways_max,
              "B");
}

/// Processor time of the process while `seconds` pass, in nanoseconds per second.
double taken_ns_per_s(const Child& process, double seconds) {
  const std::int64_t before = cpu_time_ns(process.pid()), begun = now_ns();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  return static_cast<double>(cpu_time_ns(process.pid()) - before) * 1e9 /
         static_cast<double>(now_ns() - begun);
}

Result<Ok> measure(const Run& run, unsigned workers, Figures& figures) {
  print_progress("a directory with " + std::to_string(workers) + " workers");
  const Place place;
  Child process(place.command(PERIGEE_DIRECTORY_BINARY,
                              {"--directory-workers", std::to_string(workers),
                               "--directory-regions", "16", "--log-level", "error"}));
  Members members(place.target(directory_grpc), workers, gateways);
  if (!members.enrol()) return Error{"the directory refused a member"};
  members.begin();
  const auto received = [&] { return members.all_have(members.newest_version()); };
  if (!within(30, [&] { return members.newest_version() > 0 && received(); })) {
    return Error{"not all members received the map within 30 s"};
  }
  std::this_thread::sleep_for(std::chrono::seconds(run.quick ? 1 : 3));
  const double quiet_ns = taken_ns_per_s(process, run.quick ? 1 : 10);

  const int changes = run.quick ? 2 : 20;
  const std::int64_t before = cpu_time_ns(process.pid()), begun = now_ns();
  for (int i = 0; i < changes; ++i) {
    const std::uint64_t version = members.newest_version();
    if (!members.change_map()) return Error{"the directory did not take a change"};
    if (!within(10, [&] { return members.all_have(version + 1); })) {
      return Error{"not all members received a change within 10 s"};
    }
  }
  const double passed_s = static_cast<double>(now_ns() - begun) * 1e-9;
  const double taken_ns = static_cast<double>(cpu_time_ns(process.pid()) - before);
  const double watchers = members.size();
  const std::string n = "_" + std::to_string(workers);
  figures.add("directory_quiet_cpu_ms" + n, quiet_ns * 1e-6, "ms/s");
  figures.add("directory_push_cpu_us" + n,
              (taken_ns - quiet_ns * passed_s) * 1e-3 / changes / watchers, "us");
  figures.add("directory_map_bytes" + n, static_cast<double>(members.map_bytes()), "B");
  figures.add("directory_change_bytes" + n, static_cast<double>(members.change_bytes()), "B");
  figures.add("directory_resident_mb" + n,
              static_cast<double>(resident_bytes(process.pid())) * 1e-6, "MB");
  if (workers == 50) figures.add("directory_member_cpu_us", quiet_ns * 1e-3 / watchers, "us/s");
  return Ok{};
}

}  // namespace

Result<Ok> measure_directory(const Run& run, Figures& figures) {
  weigh(figures);
  weigh_changes(figures);
  for (const unsigned workers : {10U, 50U, 200U}) {
    if (run.quick && workers != 50) continue;
    if (auto done = measure(run, workers, figures); !done) return done;
  }
  return Ok{};
}

}  // namespace perigee::bench
