/// A small index for every entity that replication speaks of: the same from its first publication
/// until the last observer has been told that it is gone. Everything per entity is kept by slot.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "perigee/replication/published.hpp"

namespace perigee::replication {

class EntitySlots {
 public:
  static constexpr std::uint32_t none = ~0U;

  /// Twice as many slots as entities: those that are gone may be known for a while.
  explicit EntitySlots(std::size_t entities_max);

  /// Takes over this tick's publication (by identity). Entities beyond entities_max are left out.
  void update(const Publication& publication);

  std::size_t capacity() const { return entries_.size(); }
  /// Of a live entity; none otherwise.
  std::uint32_t find(Handle handle) const;
  /// Index in the last publication; none if the entity is gone.
  std::uint32_t published_at(std::uint32_t slot) const { return entries_[slot].published; }
  Handle handle(std::uint32_t slot) const { return entries_[slot].handle; }
  /// Slots of the last publication, in its order; none for what did not fit.
  std::span<const std::uint32_t> in_order() const { return in_order_; }
  /// Slots that came with the last publication.
  std::span<const std::uint32_t> born() const { return born_; }
  /// Gone, but known to somebody.
  std::span<const std::uint32_t> dying() const { return dying_; }

  /// Observers that know the entity keep its slot from being granted anew.
  void add_knower(std::uint32_t slot) { ++entries_[slot].knowers; }
  void remove_knower(std::uint32_t slot) { --entries_[slot].knowers; }

 private:
  struct Entry {
    std::uint64_t identity = 0;
    Handle handle = no_entity;
    std::uint32_t published = none;
    std::uint32_t knowers = 0;
  };
  void bury(std::uint32_t slot);
  std::uint32_t grant(const Published& entity);

  std::size_t entities_max_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> in_order_, previous_;
  std::vector<std::uint32_t> born_, dying_;
  std::unordered_map<Handle, std::uint32_t> by_handle_;
};

}  // namespace perigee::replication
