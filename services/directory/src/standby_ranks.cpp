#include "perigee/directory/standby_ranks.hpp"

#include <limits>

namespace perigee::directory {

StandbyRanks::StandbyRanks(const std::vector<WorkerEntry>& workers,
                           const std::vector<bool>& has_content)
    : workers_(workers), has_content_(has_content), held_(workers.size()) {
  for (const WorkerEntry& worker : workers_) {
    if (worker.standby) ++held_[worker.standby->index()];
  }
  for (const WorkerEntry& worker : workers_) {
    if (worker.alive && !worker.draining) successors_.insert(rank(worker.slot));
  }
}

std::optional<WorkerSlot> StandbyRanks::best(WorkerSlot of, std::optional<WorkerSlot> but) const {
  // Only `of` and `but` are skipped, so the third step at the latest finds a candidate.
  for (auto at = successors_.begin(); at != successors_.end();) {
    Rank last = *at;
    if (const auto found = best_like(last, of, but)) return found;
    last.slot = std::numeric_limits<std::uint32_t>::max();
    at = successors_.upper_bound(last);
  }
  return std::nullopt;
}

/// The best among the workers with the same rank apart from the slot. Skips at most as many workers
/// as `of` holds replicas of.
std::optional<WorkerSlot> StandbyRanks::best_like(const Rank& rank, WorkerSlot of,
                                                  std::optional<WorkerSlot> but) const {
  std::optional<WorkerSlot> with_copy_here;
  const auto look = [&](std::uint32_t from, std::uint32_t to) -> std::optional<WorkerSlot> {
    for (auto at = successors_.lower_bound({rank.bare, rank.held, from});
         at != successors_.end() && *at < Rank{rank.bare, rank.held, to}; ++at) {
      const auto slot = WorkerSlot::at(at->slot);
      if (slot == but) continue;
      if (workers_[slot.index()].standby != of) return slot;
      if (!with_copy_here) with_copy_here = slot;
    }
    return std::nullopt;
  };
  if (const auto after = look(of.number + 1U, std::numeric_limits<std::uint32_t>::max()))
    return after;
  if (const auto before = look(0, of.number)) return before;
  return with_copy_here;
}

void StandbyRanks::count(WorkerSlot slot, int more) {
  const bool is_successor = successors_.erase(rank(slot)) > 0;
  held_[slot.index()] += static_cast<std::uint32_t>(more);
  if (is_successor) successors_.insert(rank(slot));
}

void StandbyRanks::move(std::optional<WorkerSlot> from, std::optional<WorkerSlot> to) {
  if (from) count(*from, -1);
  if (to) count(*to, 1);
}

}  // namespace perigee::directory
