/// The shuttle's ships, and their position at each tick.
#pragma once

#include "perigee/lab/shuttle.hpp"
#include "perigee/lab/stage.hpp"

namespace perigee::lab {

inline constexpr Tick shuttle_start{6000};

class ShuttleStage final : public Stage {
 public:
  static constexpr world::TypeId ship_row = platform_row;
  /// Crosses the border about every second: a group rests for a second between two migrations.
  static constexpr double there_m = 40;  ///< from the border
  static constexpr std::int32_t there_and_back_ticks = 150;

  explicit ShuttleStage(const ShuttlePlan& plan);
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override;
  void drive(world::World& world, Tick tick) const override;
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override;

 private:
  Motion motion_at(std::uint32_t lane, Tick tick) const;

  ShuttlePlan plan_;
};

}  // namespace perigee::lab
