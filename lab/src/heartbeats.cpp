#include "perigee/lab/heartbeats.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace perigee::lab {
namespace {

constexpr Micros period_us = 1'000'000;

}  // namespace

Heartbeats::Heartbeats(Needs needs) : needs_(std::move(needs)) {}

void Heartbeats::second() {
  needs_.queue.after(period_us, [this] { second(); });
  if (needs_.directory.away()) return;
  const std::uint64_t version = needs_.directory.core().map().version;
  for (std::size_t i = 0; i < needs_.processes.size(); ++i) report(i);
  if (needs_.gateway_runs() && needs_.directory.receives(the_gateway)) beat_of_gateway();
  if (needs_.seals != nullptr) needs_.seals->add_due_key();
  needs_.directory.core().advance(needs_.queue.now_us());
  if (needs_.directory.core().map().version != version) needs_.map_changed();
}

void Heartbeats::beat_of_gateway() {
  directory::Core& core = needs_.directory.core();
  const bool known = core.heartbeat(needs_.queue.now_us(), directory::MemberKind::Gateway, 0,
                                    "gateway-0", core.map().cluster_id, 0);
  PERIGEE_ASSERT(known, "the gateway must be registered");
  if (needs_.seals != nullptr) needs_.seals->on_heartbeat(the_gateway);
}

void Heartbeats::report(std::size_t index) {
  const bool sends = needs_.processes.runs(index) && !needs_.processes.stands_still(index);
  if (!sends || !needs_.directory.receives(static_cast<Party>(index))) return;
  WorkerProcess& process = needs_.processes[index];
  if (!needs_.directory.beat(index, process.incarnation, needs_.queue.now_us())) {
    return begin_another_incarnation(index);
  }
  if (needs_.seals != nullptr) needs_.seals->on_heartbeat(static_cast<Party>(index));
  if (needs_.store && !process.core->ready()) {
    process.core->idle(tick_at(needs_.directory.time(), needs_.processes.clock_us(index)));
  }
  const WorkerReport report = full_report(index);
  needs_.directory.core().report(needs_.queue.now_us(), WorkerSlot::at(index).number, report);
  if (process.leaving) leave_if_done(index, report);
}

WorkerReport Heartbeats::full_report(std::size_t index) {
  const WorkerTicks::Spent spent = needs_.ticks.take_spent(index);
  WorkerReport report = needs_.processes[index].core->report(spent.load_ms);
  report.leaving = needs_.processes[index].leaving;
  report.level = needs_.ticks.budget(index).level();
  const bool ticks = needs_.ticks.ticks(index);
  report.late_ms = ticks ? static_cast<double>(needs_.ticks.late_us(index)) * 1e-3 : 0;
  report.pace_ms = spent.pace_ms;
  return report;
}

/// A worker that leaves ends once it has migrated everything away.
void Heartbeats::leave_if_done(std::size_t index, const WorkerReport& report) {
  const auto slot = WorkerSlot::at(index);
  directory::Core& core = needs_.directory.core();
  const ClusterMap& known = core.map();
  const bool owns = std::any_of(known.regions.begin(), known.regions.end(),
                                [&](const RegionEntry& region) { return region.owner == slot; });
  if (owns || report.entities > 0 || !needs_.processes[index].core->messages_settled()) return;
  const bool left =
      core.sign_off(needs_.queue.now_us(), directory::MemberKind::Worker, slot.number,
                    core.worker_name(slot), known.cluster_id, needs_.processes[index].incarnation);
  PERIGEE_ASSERT(left, "this incarnation must be registered");
  needs_.processes[index].left = needs_.processes[index].incarnation;
  needs_.processes.end(index);
}

void Heartbeats::begin_another_incarnation(std::size_t index) {
  needs_.processes.end(index);
  needs_.start_worker(index);
  needs_.map_changed();
}

/// If the worker was declared dead meanwhile, it learns that now.
void Heartbeats::wake_up(std::size_t index, std::uint64_t incarnation) {
  if (!needs_.processes.runs(index, incarnation)) return;
  if (!needs_.directory.receives(static_cast<Party>(index))) return;
  if (!needs_.directory.beat(index, incarnation, needs_.queue.now_us()))
    begin_another_incarnation(index);
}

void Heartbeats::all_workers() {
  const Micros now_us = needs_.queue.now_us() + 1;
  for (const WorkerEntry& entry : std::vector(needs_.directory.core().map().workers)) {
    const std::size_t index = entry.slot.index();
    if (!needs_.processes.runs(index)) continue;
    const bool known = needs_.directory.beat(index, needs_.processes[index].incarnation, now_us);
    PERIGEE_ASSERT(known, "the directory must know the worker");
  }
  needs_.directory.core().advance(now_us);
}

}  // namespace perigee::lab
