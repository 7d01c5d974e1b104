/// Assigns standbys. A standby holds the replica of another worker, and takes over when that
/// worker's incarnation ends. The map alone decides whether a standby is in sync. An owner commits
/// nothing without its standby until the map says that it has none in sync. So a standby that is in
/// sync by the map has everything that was committed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "perigee/directory/content_losses.hpp"
#include "perigee/directory/failover_records.hpp"
#include "perigee/directory/region_map.hpp"
#include "perigee/directory/stall_detector.hpp"
#include "perigee/directory/standby_ranks.hpp"
#include "perigee/directory/uncopied_takeovers.hpp"

namespace perigee::directory {

class StandbyAssignment {
 public:
  /// If a worker's replica is not in sync after `copy_us_max`, the worker gets another standby.
  /// Copying the largest load that one worker can bear takes a second.
  static constexpr Micros copy_us_max = 15'000'000, shunned_us = 60'000'000;

  struct Needs {
    const ClusterMap& map;
    std::vector<WorkerEntry>& workers;  ///< of `map`; here, a worker's standby alone is written
    std::uint64_t& version;             ///< of `map`
    const ContentLosses& losses;
    const RegionMap& regions;
    const StallDetector& stalls;
    FailoverRecords& records;
    UncopiedTakeovers& uncopied;
    bool on = true;  ///< otherwise no worker gets a standby
  };
  explicit StandbyAssignment(Needs needs) : needs_(needs) {}

  /// Takeovers that were not copied when the map was saved may be missing from the standby's
  /// replica, so such a standby does not count as in sync, although the map says so.
  void note_restored();
  /// Notes whether the worker is in sync with its standby, by its last report.
  void note_report(WorkerSlot slot, const WorkerReport& report);
  /// The worker's incarnation has ended: it has no standby, and holds no replica.
  void release(WorkerSlot slot);
  /// A new incarnation has none of the replicas that the former one held.
  void forget_copies_of(WorkerSlot slot);
  /// Chooses standbys. Replaces one only if it has to, or to even out workers with several replicas
  /// and workers with none.
  void choose();

  /// The workers that the reporter suspects to be dead and of which it is the standby in sync.
  std::vector<WorkerIncarnation> suspects(std::uint32_t reporter, const WorkerReport& report) const;

 private:
  /// A standby to avoid.
  struct Shunned {
    std::optional<WorkerSlot> waits_for;
    Micros waits_since_us = 0;
    std::optional<WorkerSlot> standby;
    Micros until_us = 0;
  };
  std::optional<WorkerSlot> shunned_by(const WorkerEntry& worker);
  void choose_for(WorkerEntry& worker, StandbyRanks& ranks);

  Needs needs_;
  std::map<WorkerSlot, Shunned> shunned_;  ///< by the worker that avoids the standby
};

}  // namespace perigee::directory
