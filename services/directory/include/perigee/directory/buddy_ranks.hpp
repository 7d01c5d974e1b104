/// Who would be the best buddy of whom, without a look at everybody for each.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "perigee/netcode/cluster_map.hpp"

namespace perigee::directory {

class BuddyRanks {
 public:
  /// `workers`: by slot; their buddies may change meanwhile, by move() alone. `has_content`:
  /// likewise by slot.
  BuddyRanks(const std::vector<WorkerEntry>& workers, const std::vector<bool>& has_content);

  /// How many others' copies it has.
  std::uint32_t wards(WorkerSlot slot) const { return wards_[slot]; }
  /// Who has the fewest others' copies, of those the next by slot whose own copy is not here: else
  /// nobody has the heir's when it has to go on with this one. Who shall own nothing is no heir;
  /// who has nothing yet is one only where there is nobody else: it has no world yet that could
  /// take a copy.
  std::optional<WorkerSlot> best(WorkerSlot of, std::optional<WorkerSlot> but) const;
  /// Somebody's copy is at `to` from now on, and was at `from`.
  void move(std::optional<WorkerSlot> from, std::optional<WorkerSlot> to);

 private:
  struct Rank {
    bool bare = false;  ///< it has no content
    std::uint32_t wards = 0;
    std::uint32_t slot = 0;
    friend auto operator<=>(const Rank&, const Rank&) = default;
  };
  Rank rank(WorkerSlot slot) const { return {!has_content_[slot], wards_[slot], slot}; }
  void count(WorkerSlot slot, int more);
  std::optional<WorkerSlot> best_like(const Rank& rank, WorkerSlot of,
                                      std::optional<WorkerSlot> but) const;

  const std::vector<WorkerEntry>& workers_;
  std::vector<bool> has_content_;
  std::vector<std::uint32_t> wards_;
  std::set<Rank> heirs_;  ///< who may be one
};

}  // namespace perigee::directory
