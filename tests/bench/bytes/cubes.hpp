/// 900 cubes on a floor, and a large one that rolls among them, pushes them, and at times pulls
/// them along or hovers over them: nearly everything that moves touches something.
#pragma once

#include <vector>

#include "perigee/base/hash.hpp"
#include "scene.hpp"

namespace perigee::bench {

class Cubes final : public Scene {
 public:
  static constexpr std::uint32_t small_count = 900;

  explicit Cubes(std::uint64_t seed);

  std::span<const world::EntityType> types() const override { return types_; }
  void populate(world::World& world) override;
  void drive(world::World& world) override;
  double radius_m(const world::EntityType& type) const override;
  /// Of cubes that move or turn visibly, by 6 cm/s or 7 degrees a second.
  bool is_sample(const world::World& world, const world::Entity& entity, Tick tick) const override;

 private:
  /// The large cube has one goal and one way to move until a tick.
  struct Act {
    Tick until;
    Vec3 towards;  ///< a place on the floor
    bool pulls = false, hovers = false;
  };
  void choose_act(Tick now);
  void pull_others(world::World& world, const Vec3& towards);

  std::vector<world::EntityType> types_;
  Random random_;
  Act act_;
  Handle large_ = no_entity;
  std::vector<Handle> small_;
};

}  // namespace perigee::bench
