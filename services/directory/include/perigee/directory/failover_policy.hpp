/// Decides what follows the end of a worker's incarnation: a successor takes over, or the content
/// is lost. Poison is an input or a state that crashes any worker that simulates it. So that it
/// does not crash all workers, an incarnation is taken over at most twice in a crash chain, the
/// second time with pending inputs skipped. Then the incarnation is abandoned. (decision 0044)
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "perigee/base/result.hpp"
#include "perigee/directory/content_losses.hpp"
#include "perigee/directory/failover_records.hpp"
#include "perigee/directory/membership.hpp"
#include "perigee/directory/region_map.hpp"
#include "perigee/directory/standby_assignment.hpp"
#include "perigee/directory/uncopied_takeovers.hpp"
#include "perigee/directory/worker_reports.hpp"

namespace perigee::directory {

class FailoverPolicy {
 public:
  struct Needs {
    const ClusterMap& map;
    std::uint64_t& version;  ///< of `map`
    Membership& members;
    WorkerReports& reports;
    RegionMap& regions;
    ContentLosses& losses;
    FailoverRecords& records;
    UncopiedTakeovers& uncopied;
    StandbyAssignment& standbys;
  };
  explicit FailoverPolicy(Needs needs) : needs_(needs) {}

  /// Workers that were silent for too long are dead.
  void end_silent(Micros now_us);
  /// The suspect does not answer: its standby takes over. False: too late, or not possible.
  bool confirm_death(Micros now_us, const WorkerIncarnation& suspect);
  /// The worker, which is alive, shuts itself down.
  void end_by_itself(Micros now_us, WorkerSlot slot);
  /// An operator ends the worker, which is alive. Returns its successor. Without a successor the
  /// order is refused, unless `force` or there is nothing to lose.
  Result<std::optional<WorkerSlot>> end_by_order(Micros now_us, WorkerSlot slot, bool force);
  /// A process died and restarted before its silence was noticed. The worker still owns its
  /// regions, but their content is lost unless its standby has that content.
  void end_by_restart(Micros now_us, WorkerSlot slot);
  /// Drops the failover record of an ended incarnation, named by the number of its handle block.
  Result<Ok> resolve(HandleBlock block);

  /// Workers declared dead.
  std::uint64_t deaths() const { return deaths_; }
  /// Incarnations that a standby took over.
  std::uint64_t takeovers() const { return takeovers_; }
  /// Of these, taken over with the pending inputs skipped.
  std::uint64_t promotions_without_inputs() const { return promotions_without_inputs_; }
  /// Incarnations with a standby replica that were not taken over because their crash chain was too
  /// long.
  std::uint64_t quarantined() const { return quarantined_; }

 private:
  Result<WorkerSlot> successor_of(Micros now_us, WorkerSlot slot, IncarnationEnd how) const;
  bool take_over(Micros now_us, WorkerSlot slot, IncarnationEnd how);
  void hand_over(Micros now_us, WorkerSlot slot, WorkerSlot to, const CrashChain& chain);
  void leave_behind_uncopied(Micros now_us, WorkerSlot slot);
  void quarantine(Micros now_us, WorkerSlot slot);
  void end_without_successor(Micros now_us, WorkerSlot slot);
  void close(WorkerSlot slot);

  Needs needs_;
  std::uint64_t deaths_ = 0;
  std::uint64_t takeovers_ = 0;
  std::uint64_t promotions_without_inputs_ = 0;
  std::uint64_t quarantined_ = 0;
};

}  // namespace perigee::directory
