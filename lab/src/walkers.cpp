#include "perigee/base/assert.hpp"
#include "perigee/lab/stage.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t links = 10;
constexpr double storey_m = 150;
constexpr double first_x_m = 300;

/// The end of a link; its hinge is upright.
Pose joint(double end_m) {
  const SinCos eighth = sin_cos(pi / 4);
  return {{end_m, 0, 0}, {0, 0, eighth.sin, eighth.cos}};
}

/// The link with the player's seat; the other nine are the example game's.
world::EntityType head(const skiff::Tunables& tunables) {
  world::EntityType out = skiff::Skiff(tunables).types()[skiff::walker_link_row];
  out.name = "walker_head";
  out.parent_eligible = true;
  out.vehicle = tunables.vehicle;
  return out;
}

skiff::Tunables of_walkers() {
  skiff::Tunables out;
  out.vehicle.seat = {0, 1.2, 0};
  return out;
}

class Walkers final : public Stage {
 public:
  explicit Walkers(std::uint32_t players)
      : Stage(of_walkers(), {head(of_walkers())}), per_side_(half_of(players, 1)) {}

  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    const double x_m = region.low.x < 0 ? -first_x_m : first_x_m;
    for (std::uint32_t i = 0; i < per_side_; ++i) {
      Handle before = no_entity;
      world::TypeId row = platform_row;
      for (std::uint32_t n = 0; n < links; ++n) {
        const Vec3 place{x_m + 2.0 * n, storey_m * (i - 0.5 * (per_side_ - 1)), 0};
        const Handle link =
            world.spawn({.id = world::make_entity_id(spawner, Tick{}, links * i + n),
                         .type = row,
                         .local = {place, {}}});
        if (n > 0) {
          world.add_hinge({.a = before,
                           .b = link,
                           .frame_a = joint(1),
                           .frame_b = joint(-1),
                           .low_rad = -tunables().walker_bend_rad,
                           .high_rad = tunables().walker_bend_rad,
                           .motor_n_m = tunables().walker_n_m});
        }
        before = link;
        row = skiff::walker_link_row;
      }
    }
  }

  // A wave runs along the chain.
  void drive(world::World& world, Tick tick) const override {
    Handle before = no_entity;
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      const bool first = entity.type == platform_row;
      if (!first && entity.type != skiff::walker_link_row) continue;
      if (!first) {
        const double phase =
            2 * pi * (tick.count % 180) / 180.0 - 0.9 * (entity.id.ordinal() % links);
        world.drive_hinge(before, handle, tunables().walker_rad_s * sin_cos(phase).cos);
      }
      before = handle;
    }
  }

  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds&,
                                std::uint32_t ordinal) const override {
    std::uint32_t skip = ordinal % per_side_;
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.type != platform_row || entity.remote || skip-- > 0) continue;
      world::ActorSpawn out{.type = skiff::character_row, .parent = handle};
      out.state.position = tunables().vehicle.seat;
      out.state.flags = actor_jetpack;
      return out;
    }
    PERIGEE_ASSERT(false, "every region of the stage must have walkers");
  }

 private:
  std::uint32_t per_side_;
};

}  // namespace

std::unique_ptr<world::GameModule> make_walkers(std::uint32_t players) {
  return std::make_unique<Walkers>(players);
}

}  // namespace perigee::lab
