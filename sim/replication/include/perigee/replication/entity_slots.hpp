/// A small index for every entity that replication speaks of: the same from its first publication
/// until the last observer has been told that it is gone. Everything per entity is kept by slot.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "perigee/replication/handle_index.hpp"
#include "perigee/replication/published.hpp"

namespace perigee::replication {

class EntitySlots {
 public:
  static constexpr std::uint32_t none = HandleIndex::none;

  /// Twice as many slots as entities: those that are gone may be known for a while.
  explicit EntitySlots(std::size_t entities_max);

  /// What is gone and known to nobody gives its slot back. The one that was free for longest is
  /// granted next: grids may still have what was there.
  void reclaim();
  /// A new entity's. None: there are too many, or the handle is another one's.
  std::uint32_t add(std::uint64_t identity, Handle handle);
  /// It is gone.
  void bury(std::uint32_t slot);

  std::size_t capacity() const { return entries_.size(); }
  /// Of a live entity; none otherwise.
  std::uint32_t find(Handle handle) const { return by_handle_.find(handle); }
  bool lives(std::uint32_t slot) const { return entries_[slot].lives; }
  Handle handle(std::uint32_t slot) const { return entries_[slot].handle; }
  std::uint64_t identity(std::uint32_t slot) const { return entries_[slot].identity; }
  /// Gone, but known to somebody.
  std::span<const std::uint32_t> dying() const { return dying_; }

  /// Observers that know the entity keep its slot from being granted anew.
  void add_knower(std::uint32_t slot) { ++entries_[slot].knowers; }
  void remove_knower(std::uint32_t slot) { --entries_[slot].knowers; }

 private:
  struct Entry {
    std::uint64_t identity = 0;
    Handle handle = no_entity;
    bool lives = false;
    std::uint32_t knowers = 0;
  };

  std::size_t entities_max_;
  std::vector<Entry> entries_;
  std::deque<std::uint32_t> free_;
  std::vector<std::uint32_t> dying_;
  HandleIndex by_handle_;
};

}  // namespace perigee::replication
