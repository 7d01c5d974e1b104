/// The entities to process in a tick: neither at rest nor on an endless path. The others are filed
/// in the grid once, and skipped until something affects them.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "perigee/world/entity_motions.hpp"
#include "perigee/world/entity_news.hpp"
#include "perigee/world/neighbour_grid.hpp"

namespace perigee::world {

class LivelyEntities {
 public:
  struct Needs {
    EntityTable& entities;
    const EntityMotions& motions;
    NeighbourGrid& grid;
    EntityNews& news;
    const PhysicsWorld& physics;
    const Tick& now;
  };
  explicit LivelyEntities(Needs needs) : needs_(needs) {}

  /// By entity id.
  std::span<EntityRecord* const> list() const { return lively_; }
  /// Adds a new entity.
  void enliven(EntityRecord& record);
  /// Lets the entity rest from a tick on, at its place in that tick.
  void settle(EntityRecord& record, Tick since);
  /// Called when something affects the entity, or will affect it. From then on its motion is
  /// computed each tick.
  void rouse(EntityRecord& record);
  /// Forgets an entity that will be removed.
  void remove(EntityRecord& gone);

  /// After the step from `tick`: lets entities come to rest, and files the others in the grid.
  void index(Tick tick);
  /// Files the grid as of a past tick.
  void look_back(Tick tick);

  /// An empty history for a body.
  std::unique_ptr<EntityRecord::Motions> fresh_motions();

 private:
  bool comes_to_rest(const EntityRecord& record, Tick tick) const;
  void file_rounds(EntityRecord& record);
  void file_doors();
  void keep(EntityRecord& record, const Bounds& bounds);
  void unkeep(EntityRecord& record);
  void file_lively(Tick tick);
  void forget_old_motions(Tick tick);

  Needs needs_;
  std::vector<EntityRecord*> lively_;  ///< by entity id
  /// Entities that came to rest, with the tick: their earlier motion is needed for a while.
  std::deque<std::pair<Tick, Handle>> settled_;
  std::vector<std::unique_ptr<EntityRecord::Motions>> spare_motions_;
};

}  // namespace perigee::world
