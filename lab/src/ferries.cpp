#include <string>

#include "perigee/lab/stage.hpp"
#include "perigee/skiff/course.hpp"

namespace perigee::lab {
namespace {

constexpr double storey_m = 120;  // courses lie above each other
constexpr double straight_m =
    13'000;  // more than four minutes at 50 m/s: a bend costs half the thrust

/// One course per ferry; all are equal except for the height.
class Ferries final : public Stage {
 public:
  explicit Ferries(std::uint32_t players) : Stage({}, {}), per_side_(half_of(players, 1)) {
    for (std::uint32_t i = 0; i < 2 * per_side_; ++i) {
      const double side = i < per_side_ ? 1 : -1;
      const double storey = i % per_side_ - 0.5 * (per_side_ - 1);
      const Quat ahead = side > 0 ? Quat{} : Quat{0, 1, 0, 0};
      courses_.emplace_back(skiff::CourseTunables{.straight_m = straight_m},
                            Pose{{side * 300, storey * storey_m, 0}, ahead});
    }
  }

  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    for (std::uint32_t i = 0; i < courses_.size(); ++i) {
      const Motion motion = courses_[i].at(world.now());
      if (motion.pose.position.x < region.low.x || motion.pose.position.x >= region.high.x)
        continue;
      const auto spawn = [&](std::uint32_t nth, world::TypeId type, Handle parent,
                             const Motion& at) {
        return world.spawn({.id = world::make_entity_id(spawner, Tick{}, 2 * i + nth),
                            .type = type,
                            .parent = parent,
                            .local = at.pose,
                            .velocity = at.velocity,
                            .angular_velocity = at.angular_velocity});
      };
      const Handle ferry = spawn(0, skiff::ferry_row, no_entity, motion);
      const Handle door =
          spawn(1, skiff::ferry_door_row, ferry, {.pose = {{ferry_door_x_m, 1.5, 0}, {}}});
      world.announce(world.propose_change(door, world.now(), 1));
    }
  }

  void drive(world::World& world, Tick tick) const override {
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.type != skiff::ferry_row) continue;
      const Motion next = courses_[entity.id.ordinal() / 2].at(tick + 1);
      world.set_drive(handle, next.velocity, next.angular_velocity);
    }
  }

  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds&,
                                std::uint32_t ordinal) const override {
    std::uint32_t skip = ordinal % per_side_;
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.type != skiff::ferry_row || entity.remote || skip-- > 0) continue;
      const auto ferry = world.motion(handle, world.now());
      PERIGEE_ASSERT(ferry.has_value(), "bodies must have a motion");
      world::ActorSpawn out{.type = skiff::character_row};
      out.state.position = transform(ferry->pose, Vec3{ferry_door_x_m - approach_m, 1.2, 0});
      out.state.velocity = to_float(velocity_at(*ferry, out.state.position));
      out.state.flags = actor_jetpack;
      return out;
    }
    PERIGEE_ASSERT(false, "every region of the stage must have ferries");
  }

 private:
  std::uint32_t per_side_;
  std::vector<skiff::Course> courses_;
};

}  // namespace

std::unique_ptr<world::GameModule> make_ferries(std::uint32_t players) {
  return std::make_unique<Ferries>(players);
}

}  // namespace perigee::lab
