/// A stage for the lab: the example game's people, each in an own copy of a small piece of ground,
/// so that what is measured is what the scenario names and not who happens to walk by.
#pragma once

#include <string_view>
#include <vector>

#include "perigee/skiff/skiff.hpp"
#include "perigee/world/game.hpp"

namespace perigee::lab {

struct PenPlan {
  world::ShapePtr shape;
  world::Bounds air;         ///< where gravity pulls, in the pen's frame
  std::vector<Vec3> starts;  ///< feet of those who share a pen
  std::vector<Pose> doors;   ///< in the pen's frame; nobody's hand works them
  double spacing_m = 60;     ///< from pen to pen
  skiff::Tunables tunables;
};

class Pens final : public world::GameModule {
 public:
  static constexpr std::uint32_t per_region = 32;

  explicit Pens(PenPlan plan);

  std::string_view name() const override { return "pens"; }
  std::uint64_t schema_hash() const override { return schema_hash_; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return skiff_.parenting(); }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override;
  /// Every door is told to open or shut once in each two seconds, 1 to 3 s apart.
  void drive(world::World& world, Tick tick) const override;
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override;
  world::UseOutcome accept_use(const world::World& world,
                               const world::UseAttempt& attempt) const override {
    return skiff_.accept_use(world, attempt);
  }

 private:
  world::TypeId pen_row() const { return skiff::rows_count; }

  PenPlan plan_;
  skiff::Skiff skiff_;
  std::vector<world::EntityType> types_;
  std::uint64_t schema_hash_;
};

/// 36 x 36 m between walls: pillars, crates one jumps on, stairs, a corner to get stuck in.
PenPlan obstacle_pen(std::uint32_t players_each);
/// A corridor 2 m wide and 36 m long with two sliding doors across it.
inline constexpr double lane_door_m = 6;  ///< from the middle, along x
PenPlan door_lane(std::int32_t announce_ticks);

}  // namespace perigee::lab
