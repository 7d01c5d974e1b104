/// Failover records of the map: incarnations that have ended and have a living successor, and the
/// crash chains among them.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::directory {

/// How a worker's incarnation ended.
enum class IncarnationEnd : std::uint8_t {
  Crash,  ///< or a stall: indistinguishable
  Order   ///< shut down by an operator or by itself
};

/// Workers that died one soon after the other, each the successor of the one before.
struct CrashChain {
  std::uint32_t crashes = 0;
  Micros since_us = 0;
  friend bool operator==(const CrashChain&, const CrashChain&) = default;
};

class FailoverRecords {
 public:
  /// Limit of a crash chain: this many workers, each the successor of the one before, within
  /// `chain_us`. They presumably died of the same cause, so the last one has no successor. Longer
  /// `chain_us`: restarting workers one after the other loses their entities. Shorter: workers
  /// crash faster than they come back.
  static constexpr std::uint32_t crashes_max = 3;
  static constexpr Micros chain_us = 8'000'000;
  /// Records beyond this number are dropped, oldest first.
  static constexpr std::size_t records_max = 256;

  struct Needs {
    const std::vector<WorkerEntry>& workers;
    std::vector<FailoverRecord>& records;  ///< of the map; written here alone
    std::uint64_t& version;                ///< of the map
  };
  explicit FailoverRecords(Needs needs) : needs_(needs) {}

  /// The crash chain that this end belongs to, as the successor must know it. An incarnation is
  /// named by its handle base.
  CrashChain chain_after(Micros now_us, HandleBase ended, IncarnationEnd how) const;
  /// `successor` takes over the ended incarnation, and those that the ended one had taken over. The
  /// caller raises the map's version.
  void hand_over(HandleBase ended, const WorkerEntry& successor, const CrashChain& chain);
  /// The successor's standby has everything that the successor took over.
  void mark_copied(HandleBase successor);
  /// Number of incarnations that this one has taken over.
  std::uint64_t taken_over_by(HandleBase successor) const;
  /// Drops this successor's records that are not marked as copied; returns their number. The caller
  /// raises the map's version.
  std::uint64_t drop_uncopied(HandleBase successor);
  /// Drops records of successors that have died, records with a handle block that was reused, and
  /// those beyond `records_max`.
  void drop_obsolete();
  /// Drops the record of the incarnation with this handle block; false: there is none.
  bool drop(HandleBlock block);

 private:
  Needs needs_;
};

}  // namespace perigee::directory
