#include "perigee/host/map_proto.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "directory.pb.h"

namespace perigee::host {
namespace v1 = directory::v1;
namespace {

void write_vector(const Vec3& from, v1::Vector& to) {
  to.set_x(from.x);
  to.set_y(from.y);
  to.set_z(from.z);
}
Vec3 read_vector(const v1::Vector& from) { return {from.x(), from.y(), from.z()}; }

bool good_box(const RegionEntry& region) {
  const Vec3 size = region.high - region.low;
  return std::isfinite(dot(region.low, region.low) + dot(region.high, region.high)) && size.x > 0 &&
         size.y > 0 && size.z > 0;
}

Error refuse(const std::string& what) {
  return Error{"the directory's map is malformed (" + what +
               "); do the directory and this process have the same version?"};
}

Result<WorkerEntry> read_worker(const v1::Worker& from) {
  const auto fabric = parse_address(from.fabric_address());
  if (!fabric || from.slot() >= workers_max || from.handle_count() == 0) {
    return refuse("worker " + from.name());
  }
  WorkerEntry worker{.slot = WorkerSlot::at(from.slot()),
                     .fabric = *fabric,
                     .handle_base = HandleBase{from.handle_base()},
                     .handle_count = from.handle_count(),
                     .alive = from.alive(),
                     .incarnation = Incarnation{from.incarnation()},
                     .draining = from.draining(),
                     .standby_in_sync = from.standby_in_sync(),
                     .standby_word = from.standby_word(),
                     .run = from.fabric_run()};
  if (from.has_standby()) {
    if (from.standby() >= workers_max) return refuse("standby of worker " + from.name());
    worker.standby = WorkerSlot::at(from.standby());
  }
  return worker;
}

Result<FailoverRecord> read_failover_record(const v1::FailoverRecord& from) {
  // Bounds both signs, so that no difference overflows.
  constexpr Micros since_us_max = Micros{1} << 60;
  const bool timely =
      from.crashing_since_us() >= -since_us_max && from.crashing_since_us() <= since_us_max;
  if (from.successor() >= workers_max || !timely) return refuse("failover record of a worker");
  return FailoverRecord{.handle_base = HandleBase{from.handle_base()},
                        .successor = WorkerSlot::at(from.successor()),
                        .successor_handle_base = HandleBase{from.successor_handle_base()},
                        .epoch = Epoch{from.epoch()},
                        .crashes = from.crashes(),
                        .crashing_since_us = from.crashing_since_us(),
                        .copied = from.copied()};
}

Result<GatewayEntry> read_gateway(const v1::Gateway& from) {
  const auto fabric = parse_address(from.fabric_address());
  const auto public_udp = parse_address(from.public_udp_address());
  if (!fabric || !public_udp || from.slot() >= gateways_max)
    return refuse("gateway " + from.name());
  return GatewayEntry{.slot = GatewaySlot::at(from.slot()),
                      .fabric = *fabric,
                      .public_udp = *public_udp,
                      .alive = from.alive(),
                      .run = from.fabric_run()};
}

Result<RegionEntry> read_region(const v1::Region& from) {
  RegionEntry region{
      .region = RegionId{from.region()},
      .epoch = Epoch{from.epoch()},
      .low = read_vector(from.low()),
      .high = read_vector(from.high()),
      .created_epoch = Epoch{from.has_created_epoch() ? from.created_epoch() : from.epoch()},
      .from_checkpoint = from.from_checkpoint()};
  if (from.has_owner()) {
    if (from.owner() >= workers_max) return refuse("owner of a region");
    region.owner = WorkerSlot::at(from.owner());
  }
  if (!good_box(region)) return refuse("box of a region");
  if (region.created_epoch > region.epoch) return refuse("created epoch of a region");
  return region;
}

void write_segment(const TimeSegment& from, v1::TimeSegment& to) {
  to.set_wall_us(from.wall_us);
  to.set_tick(from.tick.count);
  to.set_tick_rate_hz(from.tick_rate_hz);
  to.set_rate_ppm(from.rate_ppm);
}

Result<WorldTime> read_time(const v1::ClusterMap& message) {
  const auto read = [](const v1::TimeSegment& from) {
    return TimeSegment{.wall_us = from.wall_us(),
                       .tick = Tick{from.tick()},
                       .tick_rate_hz = from.tick_rate_hz(),
                       .rate_ppm = from.rate_ppm()};
  };
  if (message.time_size() < 1 || message.time_size() > 2) return refuse("world time");
  WorldTime time{.base = read(message.time(0))};
  if (message.time_size() == 2) time.change = read(message.time(1));
  for (const v1::TimeSegment& segment : message.time()) {
    if (segment.tick_rate_hz() == 0 || segment.tick_rate_hz() > 1000 ||
        segment.tick_rate_hz() != time.base.tick_rate_hz || segment.rate_ppm() < slowest_ppm ||
        segment.rate_ppm() > real_time_ppm) {
      return refuse("tick rate");
    }
  }
  // The base and the change must agree on the tick at which the change takes effect.
  if (time.change && *time.change != go_on(time.base, time.change->tick, time.change->rate_ppm)) {
    return refuse("a change of the tick rate");
  }
  return time;
}

}  // namespace

void write_map(const ClusterMap& map, v1::ClusterMap& message) {
  message.set_cluster_id(map.cluster_id);
  message.set_version(map.version);
  message.set_schema_hash(map.schema_hash);
  write_segment(map.time.base, *message.add_time());
  if (map.time.change) write_segment(*map.time.change, *message.add_time());
  for (const WorkerEntry& from : map.workers) {
    v1::Worker& to = *message.add_workers();
    to.set_slot(from.slot.number);
    to.set_fabric_address(to_string(from.fabric));
    to.set_handle_base(from.handle_base.number);
    to.set_handle_count(from.handle_count);
    to.set_alive(from.alive);
    to.set_incarnation(from.incarnation.number);
    to.set_draining(from.draining);
    if (from.standby) to.set_standby(from.standby->number);
    to.set_standby_in_sync(from.standby_in_sync);
    to.set_standby_word(from.standby_word);
    to.set_fabric_run(from.run);
  }
  for (const FailoverRecord& from : map.failover_records) {
    v1::FailoverRecord& to = *message.add_failover_records();
    to.set_handle_base(from.handle_base.number);
    to.set_successor(from.successor.number);
    to.set_successor_handle_base(from.successor_handle_base.number);
    to.set_epoch(from.epoch.number);
    to.set_crashes(from.crashes);
    to.set_crashing_since_us(from.crashing_since_us);
    to.set_copied(from.copied);
  }
  for (const GatewayEntry& from : map.gateways) {
    v1::Gateway& to = *message.add_gateways();
    to.set_slot(from.slot.number);
    to.set_fabric_address(to_string(from.fabric));
    to.set_public_udp_address(to_string(from.public_udp));
    to.set_alive(from.alive);
    to.set_fabric_run(from.run);
  }
  for (const RegionEntry& from : map.regions) {
    v1::Region& to = *message.add_regions();
    to.set_region(from.region.number);
    to.set_epoch(from.epoch.number);
    write_vector(from.low, *to.mutable_low());
    write_vector(from.high, *to.mutable_high());
    if (from.owner) to.set_owner(from.owner->number);
    to.set_created_epoch(from.created_epoch.number);
    to.set_from_checkpoint(from.from_checkpoint);
  }
}

Result<ClusterMap> read_map(const v1::ClusterMap& message) {
  ClusterMap map;
  map.cluster_id = message.cluster_id();
  map.version = message.version();
  map.schema_hash = message.schema_hash();
  const auto time = read_time(message);
  if (!time) return time.error();
  map.time = *time;
  for (const v1::Worker& from : message.workers()) {
    const auto worker = read_worker(from);
    if (!worker) return worker.error();
    map.workers.push_back(*worker);
  }
  for (const v1::Gateway& from : message.gateways()) {
    const auto gateway = read_gateway(from);
    if (!gateway) return gateway.error();
    map.gateways.push_back(*gateway);
  }
  for (const v1::Region& from : message.regions()) {
    const auto region = read_region(from);
    if (!region) return region.error();
    map.regions.push_back(*region);
  }
  for (const v1::FailoverRecord& from : message.failover_records()) {
    const auto failover_record = read_failover_record(from);
    if (!failover_record) return failover_record.error();
    map.failover_records.push_back(*failover_record);
  }
  return map;
}

Speaks read_speaks(std::uint32_t fabric, std::uint32_t workers) {
  return {.fabric = std::max(fabric, 1U), .workers = std::max(workers, 1U)};
}

}  // namespace perigee::host
