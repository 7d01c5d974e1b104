#include "perigee/directory/buddy_ranks.hpp"

#include <limits>

namespace perigee::directory {

BuddyRanks::BuddyRanks(const std::vector<WorkerEntry>& workers,
                       const std::vector<bool>& has_content)
    : workers_(workers), has_content_(has_content), wards_(workers.size()) {
  for (const WorkerEntry& worker : workers_) {
    if (worker.buddy) ++wards_[*worker.buddy];
  }
  for (const WorkerEntry& worker : workers_) {
    if (worker.alive && !worker.draining) heirs_.insert(rank(worker.slot));
  }
}

std::optional<WorkerSlot> BuddyRanks::best(WorkerSlot of, std::optional<WorkerSlot> but) const {
  // Only `of` and `but` are skipped, so the third step at the latest finds a candidate.
  for (auto at = heirs_.begin(); at != heirs_.end();) {
    Rank last = *at;
    if (const auto found = best_like(last, of, but)) return found;
    last.slot = std::numeric_limits<std::uint32_t>::max();
    at = heirs_.upper_bound(last);
  }
  return std::nullopt;
}

/// The best among the workers with the same rank apart from the slot. Skips at most as many workers
/// as `of` holds replicas of.
std::optional<WorkerSlot> BuddyRanks::best_like(const Rank& rank, WorkerSlot of,
                                                std::optional<WorkerSlot> but) const {
  std::optional<WorkerSlot> with_copy_here;
  const auto look = [&](std::uint32_t from, std::uint32_t to) -> std::optional<WorkerSlot> {
    for (auto at = heirs_.lower_bound({rank.bare, rank.wards, from});
         at != heirs_.end() && *at < Rank{rank.bare, rank.wards, to}; ++at) {
      const auto slot = static_cast<WorkerSlot>(at->slot);
      if (slot == but) continue;
      if (workers_[slot].buddy != of) return slot;
      if (!with_copy_here) with_copy_here = slot;
    }
    return std::nullopt;
  };
  if (const auto after = look(of + 1U, std::numeric_limits<std::uint32_t>::max())) return after;
  if (const auto before = look(0, of)) return before;
  return with_copy_here;
}

void BuddyRanks::count(WorkerSlot slot, int more) {
  const bool is_heir = heirs_.erase(rank(slot)) > 0;
  wards_[slot] += static_cast<std::uint32_t>(more);
  if (is_heir) heirs_.insert(rank(slot));
}

void BuddyRanks::move(std::optional<WorkerSlot> from, std::optional<WorkerSlot> to) {
  if (from) count(*from, -1);
  if (to) count(*to, 1);
}

}  // namespace perigee::directory
