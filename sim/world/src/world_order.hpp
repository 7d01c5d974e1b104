/// Everything of a world by entity id. What comes and goes finds its place when somebody looks
/// next: a new buddy takes thousands of things in a tick, and each of them would have to move all
/// that stands behind it.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "world_record.hpp"

namespace perigee::world {

class World::Order {
 public:
  struct Place {
    EntityId id;
    Handle handle = no_entity;
    Record* record = nullptr;
  };

  std::size_t size() const { return by_id_.size(); }
  Record* find(EntityId id) const;
  Record& add(std::unique_ptr<Record> made);
  void remove(EntityId id);

  /// Valid until the next add or remove.
  std::span<const Place> places() const;
  std::span<const Handle> handles() const;

 private:
  void tidy() const;
  void place_one_by_one() const;
  void place_together() const;

  std::unordered_map<std::uint64_t, std::unique_ptr<Record>> by_id_;
  mutable std::vector<EntityId> came_, went_;  ///< since somebody looked
  mutable std::vector<Place> places_;
  mutable std::vector<Handle> handles_;  ///< the same
};

}  // namespace perigee::world
