// A game for measuring: a wide floor, crates at rest on it, doors, drones on circles, and players.
#pragma once

#include <vector>

#include "perigee/world/game.hpp"

namespace perigee::bench {

struct FieldPlan {
  std::uint32_t crates = 0;
  std::uint32_t drones = 0;
  std::uint32_t doors = 0;
  std::uint32_t huddle = 0;  ///< the first so many players stand close together
  double half_m = 1'000;     ///< everything is within ± this
  std::uint32_t asleep = 0;  ///< small crates that are at rest from the start
  std::uint32_t posts = 0;   ///< static, small
  std::uint32_t wheels = 0;  ///< turn for ever
  std::uint32_t heaps = 0;   ///< of ten crates each, which never come to rest
  std::uint32_t towns = 0;   ///< four players in five are in one of these, 400 m around
};

class Field final : public world::GameModule {
 public:
  explicit Field(const FieldPlan& plan);
  std::string_view name() const override { return "field"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override;
  void drive(world::World& world, Tick tick) const override;
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override;
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }

 private:
  Vec3 town(std::uint32_t i) const;

  FieldPlan plan_;
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
  mutable std::vector<Handle> drones_, heaped_;  ///< set once, by populate
};

}  // namespace perigee::bench
