#include "perigee/lab/map_spreader.hpp"

#include <utility>

namespace perigee::lab {

MapSpreader::MapSpreader(Needs needs) : needs_(std::move(needs)) {}

void MapSpreader::spread(Micros late_us_max) {
  for (Party i = 0; i < needs_.processes.size(); ++i) send(i, late_us_max);
  send(the_gateway, late_us_max);
}

void MapSpreader::send(Party whom, Micros late_us_max) {
  if (!needs_.directory.receives(whom)) return;
  if (late_us_max == 0) return deliver(whom, needs_.directory.map());
  const auto late_us =
      static_cast<Micros>(needs_.random.next() % static_cast<std::uint64_t>(late_us_max + 1));
  needs_.queue.after(late_us, [this, whom, map = needs_.directory.map()] { deliver(whom, map); });
}

void MapSpreader::deliver(Party whom, const ClusterMap& map) {
  if (needs_.seals != nullptr) needs_.seals->on_map(whom, map);
  whom == the_gateway ? needs_.to_gateway(map) : adopt(whom, map);
}

/// A worker that has got its first region begins to tick.
void MapSpreader::adopt(std::size_t index, const ClusterMap& map) {
  WorkerProcess& process = needs_.processes[index];
  if (!process.core || map.version < process.map_version) return;
  if (needs_.processes.stands_still(index)) {
    return needs_.queue.at(process.stands_still_until_us + 1,
                           [this, index, incarnation = process.incarnation, map] {
                             if (needs_.processes[index].incarnation == incarnation)
                               adopt(index, map);
                           });
  }
  process.map_version = map.version;
  if (!is_its_incarnation(index, map)) return;
  process.knows.clear();
  for (const WorkerEntry& each : map.workers) {
    if (each.alive) process.knows[each.slot] = each.incarnation;
  }
  needs_.store.fence_the_dead(index, map);
  const Tick start = tick_at(map.time, needs_.processes.clock_us(index)) + 2;
  if (!needs_.processes.survives(index, [&](worker::Core& core) { core.on_map(map, start); }))
    return;
  load_world(index);
  if (process.core->ready()) needs_.begin_ticks(index);
}

/// False: the worker waits until a later map says that it is alive, or starts another incarnation.
bool MapSpreader::is_its_incarnation(std::size_t index, const ClusterMap& map) {
  WorkerProcess& process = needs_.processes[index];
  const WorkerEntry* entry = map.worker(process.slot);
  const bool its = entry != nullptr && entry->alive && entry->handle_base == process.handle_base;
  process.held = !its && process.core->ready();
  return its;
}

void MapSpreader::load_world(std::size_t index) {
  WorkerProcess& process = needs_.processes[index];
  if (!process.core->awaits_checkpoint()) return;
  if (!needs_.store.works()) {
    return needs_.queue.after(needs_.store.delay_us(),
                              [this, index, incarnation = process.incarnation] {
                                if (needs_.processes.runs(index, incarnation)) {
                                  adopt(index, needs_.directory.map());
                                }
                              });
  }
  const ClusterMap& map = needs_.directory.map();
  needs_.store.restore(index, map, tick_at(map.time, needs_.processes.clock_us(index)) + 2);
}

}  // namespace perigee::lab
