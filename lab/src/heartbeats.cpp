#include "perigee/lab/heartbeats.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace perigee::lab {
namespace {

constexpr Micros period_us = 1'000'000;

}  // namespace

Heartbeats::Heartbeats(Needs needs)
    : needs_(std::move(needs)),
      queue_(needs_.queue),
      directory_(needs_.directory),
      processes_(needs_.processes) {}

void Heartbeats::second() {
  queue_.after(period_us, [this] { second(); });
  if (directory_.away()) return;
  const std::uint64_t version = directory_.core().map().version;
  for (std::size_t i = 0; i < processes_.size(); ++i) report(i);
  if (needs_.gateway_runs() && directory_.receives(the_gateway)) beat_of_gateway();
  directory_.core().advance(queue_.now_us());
  if (directory_.core().map().version != version) needs_.map_changed();
}

void Heartbeats::beat_of_gateway() {
  directory::Core& core = directory_.core();
  const bool known = core.heartbeat(queue_.now_us(), directory::MemberKind::Gateway, 0, "gateway-0",
                                    core.map().cluster_id, 0);
  PERIGEE_ASSERT(known, "the gateway must be registered");
}

void Heartbeats::report(std::size_t index) {
  const bool sends = processes_.runs(index) && !processes_.stands_still(index);
  if (!sends || !directory_.receives(static_cast<Party>(index))) return;
  WorkerProcess& process = processes_[index];
  if (!directory_.beat(index, process.incarnation, queue_.now_us())) {
    return begin_another_incarnation(index);
  }
  if (needs_.store && !process.core->ready()) {
    process.core->idle(tick_at(directory_.time(), processes_.clock_us(index)));
  }
  const WorkerReport report = full_report(index);
  directory_.core().report(queue_.now_us(), WorkerSlot::at(index).number, report);
  if (process.leaving) leave_if_done(index, report);
}

WorkerReport Heartbeats::full_report(std::size_t index) {
  const WorkerTicks::Spent spent = needs_.ticks.take_spent(index);
  WorkerReport report = processes_[index].core->report(spent.load_ms);
  report.leaving = processes_[index].leaving;
  report.level = needs_.ticks.budget(index).level();
  const bool ticks = needs_.ticks.ticks(index);
  report.late_ms = ticks ? static_cast<double>(needs_.ticks.late_us(index)) * 1e-3 : 0;
  report.pace_ms = spent.pace_ms;
  return report;
}

/// A worker that leaves ends once it has migrated everything away.
void Heartbeats::leave_if_done(std::size_t index, const WorkerReport& report) {
  const auto slot = WorkerSlot::at(index);
  directory::Core& core = directory_.core();
  const ClusterMap& known = core.map();
  const bool owns = std::any_of(known.regions.begin(), known.regions.end(),
                                [&](const RegionEntry& region) { return region.owner == slot; });
  if (owns || report.entities > 0 || !processes_[index].core->messages_settled()) return;
  const bool left =
      core.sign_off(queue_.now_us(), directory::MemberKind::Worker, slot.number,
                    core.worker_name(slot), known.cluster_id, processes_[index].incarnation);
  PERIGEE_ASSERT(left, "this incarnation must be registered");
  processes_.end(index);
}

void Heartbeats::begin_another_incarnation(std::size_t index) {
  processes_.end(index);
  needs_.start_worker(index);
  needs_.map_changed();
}

/// If it was declared dead meanwhile, it learns that now.
void Heartbeats::wake_up(std::size_t index, std::uint64_t incarnation) {
  if (!processes_.runs(index, incarnation)) return;
  if (!directory_.receives(static_cast<Party>(index))) return;
  if (!directory_.beat(index, incarnation, queue_.now_us())) begin_another_incarnation(index);
}

void Heartbeats::all_workers() {
  const Micros now_us = queue_.now_us() + 1;
  for (const WorkerEntry& entry : std::vector(directory_.core().map().workers)) {
    const std::size_t index = entry.slot.index();
    if (!processes_.runs(index)) continue;
    const bool known = directory_.beat(index, processes_[index].incarnation, now_us);
    PERIGEE_ASSERT(known, "the directory must know the worker");
  }
  directory_.core().advance(now_us);
}

}  // namespace perigee::lab
