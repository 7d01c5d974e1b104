/// Cost and content of the regions, and load of the workers, from the workers' last reports.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "perigee/directory/balance.hpp"
#include "perigee/directory/dilation.hpp"
#include "perigee/directory/region_map.hpp"
#include "perigee/directory/worker_reports.hpp"

namespace perigee::directory {

/// Status of a region, from the workers' last reports.
struct RegionView {
  double cost_ms = 0;          ///< per tick
  double away_ms = 0;          ///< part of `cost_ms` borne by workers other than the owner
  std::uint32_t entities = 0;  ///< in the region's space, whichever worker has them
  std::uint32_t away = 0;      ///< of `entities`, not migrated to the owner yet
  bool changing = false;       ///< a change is under way; leave the region alone
};

class RegionLoads {
 public:
  struct Needs {
    const ClusterMap& map;
    const RegionMap& regions;
    const WorkerReports& reports;
    Micros arrive_us_max = 0;  ///< as in CoreSettings
    double idle_ms = 0;        ///< as in BalanceSettings
  };
  explicit RegionLoads(Needs needs) : needs_(needs) {}

  /// Computes views() and imbalance().
  void look(Micros now_us);
  /// Once a second, after look(): notices regions where no more entities arrive.
  void watch_arrivals(Micros now_us);

  /// The owner knows the region's last change and has created its content.
  bool acknowledged(const RegionEntry& region) const;
  std::set<RegionId> not_acknowledged() const;
  std::set<RegionId> changing() const;

  // As of the last look().
  const std::map<RegionId, RegionView>& views() const { return views_; }
  /// Load of the most loaded worker / mean, without draining workers; 1 if there is nothing to
  /// balance.
  double imbalance() const { return imbalance_; }

  // Input of a plan. Workers that have not reported yet have no load.
  std::vector<WorkerShare> shares() const;
  CostMap costs() const;
  /// Input of the choice of world time's rate. `balances`: changes of regions will relieve workers.
  std::vector<Strain> strains(bool balances) const;

 private:
  /// The part of a worker's load that its standby replicas cause: at most the load of the originals
  /// at their owners.
  struct Copies {
    double of_ms = 0;  ///< load of the workers it is the standby of, at those workers
    double ms = 0;
  };
  /// Of entities that migrate after a change of their region.
  struct Arrivals {
    std::uint64_t version = 0;              ///< of the map with that change
    std::optional<std::uint32_t> was_away;  ///< `RegionView::away` a balancing round ago
    bool ended = false;  ///< some entities have arrived, and no more did in the last round
  };
  std::map<WorkerSlot, Copies> copies() const;
  std::optional<WorkerSlot> pinned_to(WorkerSlot has_it, const CellCost& cost,
                                      const std::map<RegionId, WorkerSlot>& owner) const;
  bool is_changing(Micros now_us, const RegionEntry& region) const;
  bool arrivals_ended(RegionId region, const RegionMap::LastChange& change) const;

  Needs needs_;
  std::map<RegionId, RegionView> views_;
  std::map<RegionId, Arrivals> arrivals_;
  double imbalance_ = 1;
};

}  // namespace perigee::directory
