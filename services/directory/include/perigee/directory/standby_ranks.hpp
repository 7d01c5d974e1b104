/// Ranks workers as standbys, so that choosing one for each worker does not scan all workers.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "perigee/base/cluster_map.hpp"

namespace perigee::directory {

class StandbyRanks {
 public:
  /// `workers` and `has_content` are indexed by slot. While this object lives, standbys change
  /// through move() alone.
  StandbyRanks(const std::vector<WorkerEntry>& workers, const std::vector<bool>& has_content);

  /// Number of standby replicas that the worker holds.
  std::uint32_t held(WorkerSlot slot) const { return held_[slot.index()]; }
  /// The best standby for `of`, never `but`: a worker that holds the fewest replicas. Among equals
  /// it is the next slot. A worker that has its own replica at `of` comes last among these: if two
  /// workers are each other's standby, a successor has no standby. Draining workers are excluded.
  /// Workers without content have no world yet that could hold a replica, so they are chosen only
  /// if there is no other.
  std::optional<WorkerSlot> best(WorkerSlot of, std::optional<WorkerSlot> but) const;
  /// Records that a standby replica moved from worker `from` to worker `to`.
  void move(std::optional<WorkerSlot> from, std::optional<WorkerSlot> to);

 private:
  struct Rank {
    bool bare = false;  ///< it has no content
    std::uint32_t held = 0;
    std::uint32_t slot = 0;
    friend auto operator<=>(const Rank&, const Rank&) = default;
  };
  Rank rank(WorkerSlot slot) const {
    return {!has_content_[slot.index()], held_[slot.index()], slot.number};
  }
  void count(WorkerSlot slot, int more);
  std::optional<WorkerSlot> best_like(const Rank& rank, WorkerSlot of,
                                      std::optional<WorkerSlot> but) const;

  const std::vector<WorkerEntry>& workers_;
  std::vector<bool> has_content_;
  std::vector<std::uint32_t> held_;
  std::set<Rank> successors_;  ///< candidates
};

}  // namespace perigee::directory
