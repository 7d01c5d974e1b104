#include "perigee/directory/region_loads.hpp"

#include <algorithm>
#include <utility>

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
    for (const auto& [whose, ms] : worker.pinned_ms) {
      own_ms[whose] -= ms;
      own_ms[worker.slot] += ms;
    }
  }
  std::map<WorkerSlot, double> load_ms;
  for (const WorkerShare& worker : workers) {
    if (!worker.draining) load_ms[worker.slot] = worker.overhead_ms + own_ms[worker.slot];
  }
  for (const WorkerShare& worker : workers) {
    const auto standby = worker.standby ? load_ms.find(*worker.standby) : load_ms.end();
    if (standby != load_ms.end()) standby->second += worker.copy_share * own_ms[worker.slot];
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

/// By the worker that holds the replicas.
std::map<WorkerSlot, RegionLoads::Copies> RegionLoads::copies() const {
  std::map<WorkerSlot, Copies> out;
  for (const auto& [of, report] : needs_.reports.all()) {
    const auto standby = needs_.map.workers[of.index()].standby;
    if (!standby) continue;
    for (const CellCost& cost : report.cells) out[*standby].of_ms += cost.ms;
  }
  for (auto& [slot, copies] : out) {
    const WorkerReport* report = needs_.reports.of(slot);
    if (report != nullptr) copies.ms = std::min(report->copies_ms, copies.of_ms);
  }
  return out;
}

std::vector<WorkerShare> RegionLoads::shares() const {
  const auto owner = needs_.regions.owners();
  auto borne = copies();
  std::vector<WorkerShare> out;
  for (const WorkerEntry& worker : needs_.map.workers) {
    const WorkerReport* report = needs_.reports.of(worker.slot);
    if (!worker.alive || report == nullptr) continue;
    WorkerShare share{.slot = worker.slot,
                      .draining = worker.draining,
                      .overhead_ms = report->overhead_ms - borne[worker.slot].ms,
                      .standby = worker.standby};
    for (const CellCost& cost : report->cells) {
      if (const auto whose = pinned_to(worker.slot, cost, owner))
        share.pinned_ms[*whose] += cost.ms;
    }
    if (worker.standby && borne[*worker.standby].of_ms > 0) {
      share.copy_share = borne[*worker.standby].ms / borne[*worker.standby].of_ms;
    }
    out.push_back(share);
  }
  return out;
}

CostMap RegionLoads::costs() const {
  CostMap out;
  for (const auto& [slot, report] : needs_.reports.all()) {
    for (const CellCost& cost : report.cells) out[cost.cell] += cost.ms;
  }
  return out;
}

/// The owner of the cell's region, if the load there is pinned at another worker.
std::optional<WorkerSlot> RegionLoads::pinned_to(
    WorkerSlot has_it, const CellCost& cost, const std::map<RegionId, WorkerSlot>& owner) const {
  const auto region = needs_.regions.space().region_of(cost.cell);
  const auto whose = region ? owner.find(*region) : owner.end();
  if (whose == owner.end() || whose->second == has_it) return std::nullopt;
  const auto view = views_.find(*region);
  if (view == views_.end() || view->second.changing) return std::nullopt;
  return whose->second;
}

bool RegionLoads::acknowledged(const RegionEntry& region) const {
  const WorkerReport* report = region.owner ? needs_.reports.of(*region.owner) : nullptr;
  const auto* change = needs_.regions.last_change(region.region);
  return report != nullptr && change != nullptr && report->map_version >= change->version;
}

/// The owner does not know the region's last change yet, or more entities are still to arrive.
bool RegionLoads::is_changing(Micros now_us, const RegionEntry& region) const {
  if (!acknowledged(region)) return true;
  const RegionMap::LastChange& change = *needs_.regions.last_change(region.region);
  if (!change.moved_us || arrivals_ended(region.region, change)) return false;
  const RegionView& view = views_.at(region.region);
  return now_us - *change.moved_us < needs_.arrive_us_max &&
         view.away_ms > away_share_max * view.cost_ms;
}

bool RegionLoads::arrivals_ended(RegionId region, const RegionMap::LastChange& change) const {
  const auto found = arrivals_.find(region);
  return found != arrivals_.end() && found->second.version == change.version && found->second.ended;
}

void RegionLoads::look(Micros now_us) {
  views_.clear();
  for (const RegionEntry& region : needs_.map.regions) views_[region.region];
  const auto owner = needs_.regions.owners();
  std::map<WorkerSlot, double> own_ms;
  for (const auto& [slot, report] : needs_.reports.all()) {
    for (const CellCost& cost : report.cells) {
      const auto region = needs_.regions.space().region_of(cost.cell);
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
  for (const RegionEntry& region : needs_.map.regions) {
    views_.at(region.region).changing = is_changing(now_us, region);
  }
  imbalance_ = imbalance_of(shares(), std::move(own_ms), needs_.idle_ms);
}

// Entities beside a border stay where they are: a change is complete once no more entities arrive.
void RegionLoads::watch_arrivals(Micros now_us) {
  std::erase_if(arrivals_,
                [&](const auto& entry) { return needs_.regions.find(entry.first) == nullptr; });
  for (const RegionEntry& region : needs_.map.regions) {
    if (!acknowledged(region)) continue;
    const RegionMap::LastChange& change = *needs_.regions.last_change(region.region);
    if (!change.moved_us) continue;
    RegionView& view = views_.at(region.region);
    Arrivals& arrivals = arrivals_[region.region];
    if (arrivals.version != change.version) arrivals = {.version = change.version, .was_away = {}};
    const bool some = view.away < view.entities;
    arrivals.ended = some && arrivals.was_away &&
                     view.away + arriving_share_min * view.entities >= *arrivals.was_away;
    arrivals.was_away = view.away;
    view.changing = is_changing(now_us, region);
  }
}

std::set<RegionId> RegionLoads::not_acknowledged() const {
  std::set<RegionId> out;
  for (const RegionEntry& region : needs_.map.regions) {
    if (!acknowledged(region)) out.insert(region.region);
  }
  return out;
}

std::set<RegionId> RegionLoads::changing() const {
  std::set<RegionId> out;
  for (const auto& [region, view] : views_) {
    if (view.changing) out.insert(region);
  }
  return out;
}

std::vector<Strain> RegionLoads::strains(bool balances) const {
  std::vector<Strain> out;
  for (const auto& [slot, report] : needs_.reports.all()) {
    Strain& strain = out.emplace_back(Strain{.load_ms = report.load_ms,
                                             .late_ms = report.late_ms,
                                             .pace_ms = report.pace_ms,
                                             .level = report.level});
    for (const RegionEntry& region : needs_.map.regions) {
      const auto view = views_.find(region.region);
      strain.in_motion = strain.in_motion || (balances && region.owner == slot &&
                                              view != views_.end() && view->second.changing);
    }
  }
  return out;
}

}  // namespace perigee::directory
