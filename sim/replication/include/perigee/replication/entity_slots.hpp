/// A small index (slot) for every replicated entity. It is constant from the first publication
/// until the last observer has received the despawn. All per-entity data is indexed by slot.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "perigee/base/interest.hpp"
#include "perigee/replication/handle_index.hpp"
#include "perigee/replication/published.hpp"

namespace perigee::replication {

/// In one send slot, the entities of a few phase classes are looked at. So the slots of a page are
/// of one class as long as there are unused pages: the data of these entities are in few cache
/// lines.
inline constexpr std::uint32_t slots_per_page = 16;

class EntitySlots {
 public:
  static constexpr std::uint32_t none = HandleIndex::none;

  /// Twice as many slots as entities: clients may still know removed entities for a while.
  explicit EntitySlots(std::size_t entities_max);

  /// Frees the slots of removed entities that no observer knows. add() takes a slot that was never
  /// used, or the one of its phase class that was free for longest, because grids may still contain
  /// its former entity.
  void reclaim();
  /// The slot of a new entity. None: there are too many, or another entity has the handle.
  std::uint32_t add(std::uint64_t identity, Handle handle);
  /// Marks the entity as removed.
  void declare_dead(std::uint32_t slot);

  std::size_t capacity() const { return entries_.size(); }
  /// No slot from here on was ever in use.
  std::uint32_t used_end() const { return used_end_; }
  /// The slot of a live entity; none otherwise.
  std::uint32_t find(Handle handle) const { return by_handle_.find(handle); }
  bool alive(std::uint32_t slot) const { return entries_[slot].alive; }
  Handle handle(std::uint32_t slot) const { return entries_[slot].handle; }
  std::uint64_t identity(std::uint32_t slot) const { return entries_[slot].identity; }
  /// Removed, but still known to an observer.
  std::span<const std::uint32_t> dying() const { return dying_; }

  /// An entity's slot is not reused while observers know it.
  void add_subscriber(std::uint32_t slot) { ++entries_[slot].subscribers; }
  void remove_subscriber(std::uint32_t slot) { --entries_[slot].subscribers; }

 private:
  struct Entry {
    std::uint64_t identity = 0;
    Handle handle = no_entity;
    bool alive = false;
    std::uint32_t subscribers = 0;
  };
  struct Free {
    std::uint32_t slot;
    std::uint32_t turn;  ///< ascending in the order of reclaim(); 0: was never used
  };
  using FreeSlots = std::deque<Free>;  ///< those that were never used, then the others
  /// The slots of the next page that was never used become free for this class.
  void open_page(std::uint32_t of_class);
  /// Its first slot is for the next entity of this class. Null: all slots are in use.
  FreeSlots* source(std::uint32_t of_class);

  std::size_t entities_max_;
  std::uint32_t used_end_ = 0;
  std::uint32_t turn_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::uint8_t> class_of_page_;       ///< of the opened pages
  std::array<FreeSlots, phase_classes> free_of_;  ///< by phase class
  std::vector<std::uint32_t> dying_;
  HandleIndex by_handle_;
};

}  // namespace perigee::replication
