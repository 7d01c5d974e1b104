/// The newest outcomes that a worker has committed, and their total number.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/world/outcome.hpp"

namespace perigee::worker {

class JournalLog {
 public:
  explicit JournalLog(std::size_t entries_max) : entries_(entries_max) {}

  void add(const world::JournalEntry& entry) { entries_[total_++ % entries_.size()] = entry; }
  /// The game has ended its world; the first call counts.
  void end_world(std::uint8_t reason) {
    if (!world_ended_) world_ended_ = reason;
  }
  const std::optional<std::uint8_t>& world_ended() const { return world_ended_; }
  /// Entries ever added.
  std::uint64_t total() const { return total_; }
  /// The number of the oldest entry that is still held; numbers count from 0.
  std::uint64_t oldest() const { return total_ < entries_.size() ? 0 : total_ - entries_.size(); }
  /// Valid from oldest() to total() - 1.
  const world::JournalEntry& operator[](std::uint64_t number) const {
    return entries_[number % entries_.size()];
  }

 private:
  std::vector<world::JournalEntry> entries_;
  std::uint64_t total_ = 0;
  std::optional<std::uint8_t> world_ended_;
};

}  // namespace perigee::worker
