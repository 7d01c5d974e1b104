/// Registration of workers: continues a worker's incarnation or begins another, with new entity
/// handles.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/directory/content_losses.hpp"
#include "perigee/directory/failover_policy.hpp"
#include "perigee/directory/handle_blocks.hpp"
#include "perigee/directory/membership.hpp"
#include "perigee/directory/standby_assignment.hpp"
#include "perigee/directory/uncopied_takeovers.hpp"
#include "perigee/directory/worker_reports.hpp"

namespace perigee::directory {

class WorkerRegistration {
 public:
  struct Needs {
    const ClusterMap& map;
    std::uint64_t& schema_hash;  ///< of `map`; written here alone
    std::uint64_t& version;      ///< of `map`
    Membership& members;
    HandleBlocks& blocks;
    WorkerReports& reports;
    ContentLosses& losses;
    UncopiedTakeovers& uncopied;
    StandbyAssignment& standbys;
    FailoverPolicy& failover;
  };
  explicit WorkerRegistration(Needs needs) : needs_(needs) {}

  /// Idempotent: the same process gets the same slot and handles again.
  Admission admit(Micros now_us, const WorkerIntroduction& introduction);

 private:
  void end_former(Micros now_us, const WorkerEntry& former, const WorkerIntroduction& introduction);
  void begin(Micros now_us, const std::optional<WorkerEntry>& former, const WorkerEntry& entry);

  Needs needs_;
};

}  // namespace perigee::directory
