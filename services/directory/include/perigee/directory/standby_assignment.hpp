/// Standbys: which worker holds the replica of another, and would take over when that one's
/// incarnation ends. The map alone decides: an owner commits nothing without its standby until the
/// map says that it has none in sync; so a standby that is in sync by the map has everything that
/// was committed.
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
  /// A worker with a replica that is not in sync after `copy_us_max` gets another standby. Copying
  /// as much as one worker can bear takes a second.
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
  /// replica, so the map's word that it is in sync does not count.
  void note_restored();
  /// Whether the worker is in sync with its standby, by its last report.
  void note_report(WorkerSlot slot, const WorkerReport& report);
  /// The worker's incarnation has ended: it has no standby, and holds no replica.
  void release(WorkerSlot slot);
  /// A new incarnation has none of the replicas that the former one held.
  void forget_copies_of(WorkerSlot slot);
  /// Replaces a standby only if it must, or to even out workers with several replicas and workers
  /// with none.
  void choose();

  /// Workers in a report that the reporter suspects to be dead and is the standby in sync of.
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
