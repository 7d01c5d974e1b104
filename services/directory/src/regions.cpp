// The map's regions: ownership, division, and when they may change.
#include <algorithm>

#include "perigee/directory/core.hpp"
#include "perigee/netcode/assert.hpp"

namespace perigee::directory {
namespace {

/// A change of owner is complete once other workers bear at most this share of the region's cost:
/// entities near a border or on a ship may never migrate.
constexpr double away_share_max = 0.2;
/// Share of the region's entities. If fewer arrive in a round, they are ordinary movement.
constexpr double arriving_share_min = 0.05;

/// Load of the most loaded worker / mean, without draining workers. `own_ms`: by the region's
/// owner.
double imbalance_of(const std::vector<WorkerShare>& workers, std::map<WorkerSlot, double> own_ms,
                    double idle_ms) {
  for (const WorkerShare& worker : workers) {
    for (const auto& [whose, ms] : worker.stays_ms) {
      own_ms[whose] -= ms;
      own_ms[worker.slot] += ms;
    }
  }
  std::map<WorkerSlot, double> load_ms;
  for (const WorkerShare& worker : workers) {
    if (!worker.draining) load_ms[worker.slot] = worker.overhead_ms + own_ms[worker.slot];
  }
  for (const WorkerShare& worker : workers) {
    const auto buddy = worker.buddy ? load_ms.find(*worker.buddy) : load_ms.end();
    if (buddy != load_ms.end()) buddy->second += worker.copy_share * own_ms[worker.slot];
  }
  double most_ms = 0, sum_ms = 0;
  for (const auto& [slot, ms] : load_ms) {
    most_ms = std::max(most_ms, ms);
    sum_ms += ms;
  }
  const double mean_ms = load_ms.empty() ? 0 : sum_ms / static_cast<double>(load_ms.size());
  return mean_ms < idle_ms ? 1 : most_ms / mean_ms;
}

}  // namespace

RegionEntry* Core::entry_of(Region region) { return const_cast<RegionEntry*>(map_.region(region)); }

void Core::note_change(Region region, std::optional<Micros> moved_us) {
  ++map_.version;
  standings_[region] = {
      .version = map_.version, .moved_us = moved_us, .was_away = {}, .stays = false};
}

std::optional<WorkerSlot> Core::least_loaded_worker() const {
  std::optional<WorkerSlot> best;
  std::pair<bool, std::ptrdiff_t> best_load;
  for (const WorkerEntry& worker : map_.workers) {
    if (!worker.alive) continue;
    const auto count =
        std::count_if(map_.regions.begin(), map_.regions.end(),
                      [&](const RegionEntry& region) { return region.owner == worker.slot; });
    const std::pair load(worker.draining, count);
    if (best && load >= best_load) continue;
    best = worker.slot;
    best_load = load;
  }
  return best;
}

/// The content of a dead owner's regions is lost; the region's next owner creates it anew.
void Core::assign_regions(Micros now_us) {
  forget_reports_of_the_dead();
  const std::uint32_t living = living_workers();
  const bool settled = first_worker_us_ && now_us - *first_worker_us_ >= settings_.settle_us;
  for (RegionEntry& region : map_.regions) {
    const bool dead = region.owner && !map_.workers[*region.owner].alive;
    if (dead && others_heard_after(*region.owner)) {
      lose(workers_[*region.owner].heard_us + together_us, region);
    }
  }
  judge_losses();
  if (living == 0 || (living < settings_.workers && !settled)) return;
  for (RegionEntry& region : map_.regions) {
    if (region.owner || lost_us_.contains(region.region)) continue;
    region.owner = least_loaded_worker();
    region.born = ++region.epoch;
    note_change(region.region, std::nullopt);
  }
}

std::map<Region, WorkerSlot> Core::owners() const {
  std::map<Region, WorkerSlot> out;
  for (const RegionEntry& region : map_.regions) {
    const bool lives = region.owner && map_.workers[*region.owner].alive;
    if (lives) out[region.region] = *region.owner;
  }
  return out;
}

/// By the worker that holds the replicas.
std::map<WorkerSlot, Core::Copies> Core::copies() const {
  std::map<WorkerSlot, Copies> out;
  for (const auto& [of, report] : reports_) {
    const auto buddy = map_.workers[of].buddy;
    if (!buddy) continue;
    for (const CellCost& cost : report.cells) out[*buddy].of_ms += cost.ms;
  }
  for (auto& [slot, copies] : out) {
    const auto report = reports_.find(slot);
    if (report != reports_.end()) copies.ms = std::min(report->second.copies_ms, copies.of_ms);
  }
  return out;
}

/// Workers that have not reported yet get no load.
std::vector<WorkerShare> Core::shares() const {
  const auto owner = owners();
  auto borne = copies();
  std::vector<WorkerShare> out;
  for (const WorkerEntry& worker : map_.workers) {
    const auto report = reports_.find(worker.slot);
    if (!worker.alive || report == reports_.end()) continue;
    WorkerShare share{.slot = worker.slot,
                      .draining = worker.draining,
                      .overhead_ms = report->second.overhead_ms - borne[worker.slot].ms,
                      .buddy = worker.buddy};
    for (const CellCost& cost : report->second.cells) {
      if (const auto whose = stays_in(worker.slot, cost, owner)) share.stays_ms[*whose] += cost.ms;
    }
    if (worker.buddy && borne[*worker.buddy].of_ms > 0) {
      share.copy_share = borne[*worker.buddy].ms / borne[*worker.buddy].of_ms;
    }
    out.push_back(share);
  }
  return out;
}

CostMap Core::costs() const {
  CostMap out;
  for (const auto& [slot, report] : reports_) {
    for (const CellCost& cost : report.cells) out[cost.cell] += cost.ms;
  }
  return out;
}

/// The owner of the cell's region, if the load there is pinned at another worker.
std::optional<WorkerSlot> Core::stays_in(WorkerSlot has_it, const CellCost& cost,
                                         const std::map<Region, WorkerSlot>& owner) const {
  const auto region = space_.region_of(cost.cell);
  const auto whose = region ? owner.find(*region) : owner.end();
  if (whose == owner.end() || whose->second == has_it) return std::nullopt;
  const auto view = views_.find(*region);
  if (view == views_.end() || view->second.changing) return std::nullopt;
  return whose->second;
}

/// The owner knows the region's last change and has created its content.
bool Core::told(const RegionEntry& region) const {
  const auto report = region.owner ? reports_.find(*region.owner) : reports_.end();
  const auto standing = standings_.find(region.region);
  return report != reports_.end() && standing != standings_.end() &&
         report->second.map_version >= standing->second.version;
}

/// The owner does not know the region's last change yet, or more entities are still to arrive.
bool Core::changing(Micros now_us, const RegionEntry& region) const {
  if (!told(region)) return true;
  const Standing& standing = standings_.at(region.region);
  if (!standing.moved_us || standing.stays) return false;
  const RegionView& view = views_.at(region.region);
  return now_us - *standing.moved_us < settings_.arrive_us_max &&
         view.away_ms > away_share_max * view.cost_ms;
}

void Core::look(Micros now_us) {
  views_.clear();
  for (const RegionEntry& region : map_.regions) views_[region.region];
  const auto owner = owners();
  std::map<WorkerSlot, double> own_ms;
  for (const auto& [slot, report] : reports_) {
    for (const CellCost& cost : report.cells) {
      const auto region = space_.region_of(cost.cell);
      if (!region) continue;
      RegionView& view = views_[*region];
      view.cost_ms += cost.ms;
      const auto whose = owner.find(*region);
      if (whose == owner.end() || whose->second != slot) view.away_ms += cost.ms;
      if (whose != owner.end()) own_ms[whose->second] += cost.ms;
    }
    for (const RegionThings& things : report.regions) {
      const auto view = views_.find(things.region);  // the region may be gone by now
      if (view == views_.end()) continue;
      view->second.entities += things.entities;
      const auto whose = owner.find(things.region);
      if (whose == owner.end() || whose->second != slot) view->second.away += things.entities;
    }
  }
  for (const RegionEntry& region : map_.regions) {
    views_.at(region.region).changing = changing(now_us, region);
  }
  imbalance_ = imbalance_of(shares(), std::move(own_ms), settings_.balancing.idle_ms);
}

/// Applies a change that was found possible by the plan or the operator's request. Returns the new
/// region of a split.
std::optional<Region> Core::make(Micros now_us, const Change& change) {
  const auto sibling = space_.sibling(change.region);
  auto owner = owners();
  const auto part = apply(change, space_, owner);
  draw_map();
  RegionEntry& region = *entry_of(change.region);
  const std::optional<Micros> moved_us = standings_[change.region].moved_us;
  switch (change.kind) {
    case ChangeKind::Split:
      entry_of(*part)->owner = region.owner;
      entry_of(*part)->epoch = 1;  // created epoch stays 0: its content exists already
      note_change(*part, moved_us);
      note_change(change.region, moved_us);
      break;
    case ChangeKind::Merge:
      standings_.erase(*sibling);
      note_change(change.region, moved_us);
      break;
    case ChangeKind::Slide:
      note_change(*sibling, now_us);
      note_change(change.region, now_us);
      break;
    case ChangeKind::Move:
      region.owner = change.to;
      ++region.epoch;
      note_change(change.region, now_us);
      break;
  }
  ++changes_[static_cast<std::size_t>(change.kind)];
  return part;
}

/// Immediately, including regions with recent changes, if their owner knows of those.
void Core::drain_now(Micros now_us) {
  std::set<Region> busy;
  for (const RegionEntry& region : map_.regions) {
    if (!told(region)) busy.insert(region.region);
  }
  const auto plan = Balancer::drains(space_, owners(), shares(), costs(), busy);
  for (const Change& change : plan) make(now_us, change);
  if (!plan.empty()) look(now_us);
}

/// Entities beside a border stay where they are: a change is complete once no more entities arrive.
void Core::watch_arrivals(Micros now_us) {
  for (const RegionEntry& region : map_.regions) {
    if (!told(region)) continue;
    RegionView& view = views_.at(region.region);
    Standing& standing = standings_.at(region.region);
    if (!standing.moved_us) continue;
    const bool some = view.away < view.entities;
    standing.stays = some && standing.was_away &&
                     view.away + arriving_share_min * view.entities >= *standing.was_away;
    standing.was_away = view.away;
    view.changing = changing(now_us, region);
  }
}

void Core::balance_now(Micros now_us) {
  balanced_us_ = now_us;
  watch_arrivals(now_us);
  if (!balances()) return;
  std::set<Region> busy;
  for (const auto& [region, view] : views_) {
    if (view.changing) busy.insert(region);
  }
  const auto plan = balancer_.plan(space_, owners(), shares(), costs(), busy);
  for (const Change& change : plan) make(now_us, change);
  if (!plan.empty()) look(now_us);
}

}  // namespace perigee::directory
