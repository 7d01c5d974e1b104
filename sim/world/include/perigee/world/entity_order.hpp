/// All entities of a world by entity id. Insertions and removals are applied at the next look-up: a
/// new standby receives thousands of entities in a tick, and each single insertion would have to
/// move all later entities.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "perigee/world/entity_record.hpp"

namespace perigee::world {

class EntityOrder {
 public:
  struct Place {
    EntityId id;
    Handle handle = no_entity;
    EntityRecord* record = nullptr;
  };

  std::size_t size() const { return by_id_.size(); }
  EntityRecord* find(EntityId id) const;
  EntityRecord& add(std::unique_ptr<EntityRecord> made);
  void remove(EntityId id);

  /// Valid until the next add or remove.
  std::span<const Place> places() const;
  std::span<const Handle> handles() const;

 private:
  void tidy() const;
  void place_one_by_one() const;
  void place_together() const;

  std::unordered_map<std::uint64_t, std::unique_ptr<EntityRecord>> by_id_;
  mutable std::vector<EntityId> came_, went_;  ///< since the last look-up
  mutable std::vector<Place> places_;
  mutable std::vector<Handle> handles_;  ///< in the same order
};

}  // namespace perigee::world
