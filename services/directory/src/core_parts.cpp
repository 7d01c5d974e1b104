#include "core_parts.hpp"

#include <algorithm>
#include <utility>

namespace perigee::directory {

Core::Parts::Parts(const CoreSettings& settings, Saved saved, Space space, Micros now_us)
    : map(std::move(saved.map)),
      stalls(now_us),
      blocks(saved.handle_blocks, now_us),
      reports(map),
      members({.map = map,
               .workers = map.workers,
               .gateways = map.gateways,
               .version = map.version,
               .silence_us_max = settings.silence_us_max,
               .slot_rest_us = settings.slot_rest_us},
              std::move(saved.workers), std::move(saved.gateways)),
      regions({.map = map,
               .entries = map.regions,
               .version = map.version,
               .world = {settings.world_low, settings.world_high}},
              std::move(space)),
      loads({.map = map,
             .regions = regions,
             .reports = reports,
             .arrive_us_max = settings.arrive_us_max,
             .idle_ms = settings.balancing.idle_ms}),
      balance({.regions = regions, .loads = loads, .on = settings.balance}, settings.balancing,
              saved.balance),
      region_orders({.map = map, .members = members, .loads = loads, .regions = regions}),
      time({.time = map.time,
            .cluster_id = map.cluster_id,
            .version = map.version,
            .strains = [this] { return loads.strains(balance.on()); }},
           settings.dilating, saved.rate_percent),
      losses({.map = map,
              .members = members,
              .reports = reports,
              .stalls = stalls,
              .regions = regions}),
      assignment({.map = map,
                  .members = members,
                  .regions = regions,
                  .losses = losses,
                  .workers = settings.workers,
                  .settle_us = settings.settle_us}),
      records({.workers = map.workers, .records = map.failover_records, .version = map.version}),
      standbys({.map = map,
                .workers = map.workers,
                .version = map.version,
                .losses = losses,
                .regions = regions,
                .stalls = stalls,
                .records = records,
                .uncopied = uncopied,
                .on = settings.standbys}),
      failover({.map = map,
                .version = map.version,
                .members = members,
                .reports = reports,
                .regions = regions,
                .losses = losses,
                .records = records,
                .uncopied = uncopied,
                .standbys = standbys}),
      registration({.map = map,
                    .schema_hash = map.schema_hash,
                    .version = map.version,
                    .members = members,
                    .blocks = blocks,
                    .reports = reports,
                    .losses = losses,
                    .uncopied = uncopied,
                    .standbys = standbys,
                    .failover = failover}),
      fabric({.map = map}, settings.fabric, saved.fabric) {}

void Core::Parts::assign_regions(Micros now_us) {
  reports.forget_dead();
  assignment.assign(now_us);
}

void Core::Parts::assign_regions_and_standbys(Micros now_us) {
  assign_regions(now_us);
  standbys.choose();
}

/// There are no unreported entities while every worker reports, every region's content was created,
/// and no silent worker can come back.
void Core::Parts::watch_handles(Micros now_us) {
  bool all = loads.not_acknowledged().empty();
  for (const WorkerEntry& worker : map.workers) {
    if (members.given_up(now_us, worker.slot)) continue;
    blocks.name(block_of(worker.handle_base, handles_per_worker), now_us);
    all = all && worker.alive && reports.of(worker.slot) != nullptr;
  }
  blocks.all_reported(all, now_us);
}

}  // namespace perigee::directory
