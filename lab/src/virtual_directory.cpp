// The virtual cluster's directory: heartbeats, distribution of the map, and ended incarnations.
#include <algorithm>
#include <utility>

#include "perigee/base/hash.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/lab/virtual_net.hpp"

namespace perigee::lab {
namespace {

constexpr Micros report_delay_us = 2'000;  // of urgent reports
constexpr Micros probe_us = 100'000;       // until a process that does not answer is declared dead

}  // namespace

directory::CoreSettings VirtualCluster::directory_settings() const {
  directory::CoreSettings settings;
  settings.workers = options_.workers;
  settings.regions = options_.regions > 0 ? options_.regions : options_.workers;
  settings.balance = options_.balances;
  settings.standbys = options_.standbys;
  settings.balancing.idle_ms = 0.05;  // the load is small here
  return settings;
}

void VirtualCluster::start_directory() {
  directory_ = std::make_unique<directory::Core>(
      directory_settings(), static_cast<std::uint32_t>(mix64(options_.seed) | 1U), queue_.now_us());
  sessions_ = std::make_unique<SessionHost>(SessionHost::Needs{queue_, random_, key_});
}

/// The directory runs and is reachable from there.
bool VirtualCluster::receives(Party whom) const {
  return !directory_away_ && !net_->cut(the_directory, whom);
}

// ---- maps

void VirtualCluster::change_map(const std::function<void(ClusterMap&)>& change,
                                Micros late_us_max) {
  map_ = map();
  change(*map_);
  ++map_->version;
  spread_map(late_us_max);
}

/// Each receives it after a random delay.
void VirtualCluster::spread_map(Micros late_us_max) {
  for (Party i = 0; i < workers_.size(); ++i) tell_map(i, late_us_max);
  tell_map(the_gateway, late_us_max);
}

void VirtualCluster::tell_map(Party whom, Micros late_us_max) {
  if (!receives(whom)) return;
  const auto adopt = [this, whom](const ClusterMap& map) {
    if (whom != the_gateway) return adopt_map(whom, map);
    if (gateway_) gateway_->on_map(queue_.now_us(), map);
  };
  if (late_us_max == 0) return adopt(map());
  const auto late_us =
      static_cast<Micros>(random_.next() % static_cast<std::uint64_t>(late_us_max + 1));
  queue_.after(late_us, [adopt, map = map()] { adopt(map); });
}

/// A worker that has got its first region begins to tick.
void VirtualCluster::adopt_map(std::size_t index, const ClusterMap& map) {
  Worker& worker = *workers_[index];
  if (!worker.core || map.version < worker.map_version) return;
  if (stands_still(worker)) {
    return queue_.at(worker.stands_still_until_us + 1,
                     [this, index, incarnation = worker.incarnation, map] {
                       if (workers_[index]->incarnation == incarnation) adopt_map(index, map);
                     });
  }
  worker.map_version = map.version;
  if (!is_its_incarnation(worker, map)) return;
  worker.knows.clear();
  for (const WorkerEntry& each : map.workers) {
    if (each.alive) worker.knows[each.slot] = each.incarnation;
  }
  fence_the_dead(index, map);
  const Tick start = tick_at(map.time, clock_us(worker)) + 2;
  if (!survives(index, [&](worker::Core& core) { core.on_map(map, start); })) return;
  load_world(index);
  if (worker.core->ready() && !std::exchange(worker.ticks, true)) await_tick(index);
}

/// False: the worker waits until it is alive by a later map, or starts another incarnation.
bool VirtualCluster::is_its_incarnation(Worker& worker, const ClusterMap& map) const {
  const WorkerEntry* entry = map.worker(worker.slot);
  const bool its = entry != nullptr && entry->alive && entry->handle_base == worker.handle_base;
  worker.held = !its && worker.core->ready();
  return its;
}

bool VirtualCluster::lives_by_the_map(std::size_t index) const {
  const Worker& worker = *workers_[index];
  const WorkerEntry* entry = directory_->map().worker(worker.slot);
  return worker.core && entry != nullptr && entry->alive &&
         entry->handle_base == worker.handle_base;
}

bool VirtualCluster::know_each_other(std::size_t a, std::size_t b) const {
  const auto knows = [&](const Worker& one, const Worker& other) {
    const auto found = one.knows.find(other.slot);
    return one.core && found != one.knows.end() && found->second == other.knows.at(other.slot);
  };
  const Worker& one = *workers_[a];
  const Worker& other = *workers_[b];
  const bool both =
      one.core && other.core && one.knows.contains(one.slot) && other.knows.contains(other.slot);
  return both && knows(one, other) && knows(other, one);
}

// ---- heartbeats and reports

void VirtualCluster::directory_second() {
  queue_.after(1'000'000, [this] { directory_second(); });
  if (directory_away_) return;
  const std::uint64_t version = directory_->map().version;
  for (std::size_t i = 0; i < workers_.size(); ++i) report(i);
  if (gateway_ && receives(the_gateway)) {
    const bool known = directory_->heartbeat(queue_.now_us(), directory::MemberKind::Gateway, 0,
                                             "gateway-0", directory_->map().cluster_id, 0);
    PERIGEE_ASSERT(known, "the gateway must be registered");
  }
  directory_->advance(queue_.now_us());
  if (directory_->map().version != version) spread_map(options_.map_late_us_max);
}

/// Sends the worker's heartbeat. False: it must register again.
bool VirtualCluster::beats(std::size_t index, Micros now_us) {
  const auto slot = WorkerSlot::at(index);
  return directory_->heartbeat(now_us, directory::MemberKind::Worker, slot.number,
                               directory_->worker_name(slot), directory_->map().cluster_id,
                               workers_[index]->incarnation);
}

void VirtualCluster::begin_another_incarnation(std::size_t index) {
  end_process(index);
  start_worker(index);
  spread_map(options_.map_late_us_max);
}

void VirtualCluster::report(std::size_t index) {
  Worker& worker = *workers_[index];
  if (!worker.core || stands_still(worker) || !receives(static_cast<Party>(index))) return;
  const auto slot = WorkerSlot::at(index);
  if (!beats(index, queue_.now_us())) return begin_another_incarnation(index);
  if (keeper_ && !worker.core->ready()) {
    worker.core->idle(tick_at(directory_->map().time, clock_us(worker)));
  }
  std::optional<double> load_ms;
  double pace_ms = 0;
  if (options_.tick_cost && worker.spent_ticks > 0) {
    const std::uint32_t ticks = std::exchange(worker.spent_ticks, 0);
    load_ms = static_cast<double>(std::exchange(worker.spent_us, 0)) * 1e-3 / ticks;
    pace_ms = static_cast<double>(queue_.now_us() - worker.counted_from_us) * 1e-3 / ticks;
  }
  WorkerReport report = worker.core->report(load_ms);
  report.leaving = worker.leaving;
  report.level = worker.budget.level();
  report.late_ms = worker.ticks ? static_cast<double>(late_us(index)) * 1e-3 : 0;
  report.pace_ms = pace_ms;
  directory_->report(queue_.now_us(), slot.number, report);
  const ClusterMap& known = directory_->map();
  const bool owns = std::any_of(known.regions.begin(), known.regions.end(),
                                [&](const RegionEntry& region) { return region.owner == slot; });
  if (!worker.leaving || owns || report.entities > 0 || !worker.core->messages_settled()) return;
  const bool left =
      directory_->sign_off(queue_.now_us(), directory::MemberKind::Worker, slot.number,
                           directory_->worker_name(slot), known.cluster_id, worker.incarnation);
  PERIGEE_ASSERT(left, "this incarnation must be registered");
  end_process(index);
}

void VirtualCluster::report_soon(std::size_t index) {
  Worker& worker = *workers_[index];
  if (std::exchange(worker.report_wanted, true)) return;
  queue_.after(report_delay_us,
               [this, index, incarnation = worker.incarnation] { report_now(index, incarnation); });
}

/// Sends an urgent report now.
void VirtualCluster::report_now(std::size_t index, std::uint64_t incarnation) {
  Worker& worker = *workers_[index];
  worker.report_wanted = false;
  if (!worker.core || worker.incarnation != incarnation || stands_still(worker)) return;
  if (!receives(static_cast<Party>(index))) return;
  const auto slot = WorkerSlot::at(index);
  const std::uint64_t version = directory_->map().version;
  const bool received = beats(index, queue_.now_us());
  if (!received) return;
  const WorkerReport report = worker.core->report(std::nullopt);
  directory_->report(queue_.now_us(), slot.number, report);
  for (const WorkerIncarnation& suspect : directory_->suspects(slot.number, report)) {
    const bool gone = !workers_[suspect.slot.index()]->core && receives(suspect.slot.number);
    queue_.after(gone ? report_delay_us : probe_us, [this, suspect] { judge(suspect); });
  }
  if (directory_->map().version != version) spread_map(options_.map_late_us_max);
}

void VirtualCluster::judge(const WorkerIncarnation& suspect) {
  if (directory_away_) return;
  const Worker& worker = *workers_[suspect.slot.index()];
  const bool answers = worker.core && !stands_still(worker) && receives(suspect.slot.number) &&
                       2 * net_->at(the_directory, suspect.slot.number).slow_us < probe_us;
  if (answers || !directory_->declare_dead(queue_.now_us(), suspect)) return;
  spread_map(options_.map_late_us_max);
}

/// A worker declared dead meanwhile learns it from its next heartbeat, and starts another
/// incarnation.
void VirtualCluster::wake_up(std::size_t index, std::uint64_t incarnation) {
  Worker& worker = *workers_[index];
  if (!worker.core || worker.incarnation != incarnation || !receives(static_cast<Party>(index)))
    return;
  if (!beats(index, queue_.now_us())) begin_another_incarnation(index);
}

// A little later than other events of this time.
void VirtualCluster::receive_workers() {
  const Micros now_us = queue_.now_us() + 1;
  for (const WorkerEntry& entry : std::vector(directory_->map().workers)) {
    if (!workers_[entry.slot.index()]->core) continue;
    const bool known = beats(entry.slot.index(), now_us);
    PERIGEE_ASSERT(known, "the directory must know the worker");
  }
  directory_->advance(now_us);
}

}  // namespace perigee::lab
