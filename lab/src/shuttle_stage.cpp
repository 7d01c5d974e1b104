#include "shuttle_stage.hpp"

#include "perigee/base/vec.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t ordinals = 2;  // of a ship and its door
constexpr double home_m = 400;         // from the border, for ships that never cross it
constexpr double lane_m = 30;
constexpr std::uint32_t door_ticks = 240;  // between two goals of a door

double half_deck_m(std::uint32_t riders) { return riders > 20 ? 12 : 5; }

world::EntityType ship(std::uint32_t riders) {
  const double half_m = half_deck_m(riders);
  const auto block = [](const Vec3& low, const Vec3& high) {
    return world::Box{.center = (low + high) * 0.5, .half = (high - low) * 0.5};
  };
  const double out_m = half_m + 1;
  return {.name = "shuttle",
          .kind = world::EntityKind::Body,
          .shape = world::make_shape({block({-out_m, -1, -out_m}, {out_m, 0, out_m}),
                                      block({-out_m, 0, -out_m}, {-half_m, 4, out_m}),
                                      block({half_m, 0, -out_m}, {out_m, 4, out_m}),
                                      block({-half_m, 0, -out_m}, {half_m, 4, -half_m}),
                                      block({-half_m, 0, half_m}, {half_m, 4, out_m})}),
          .mass_kg = 2e6,
          .size = world::SizeClass::Medium,
          .parent_eligible = true,
          .gravity = {{0, -9.81, 0}, {{-half_m, -1, -half_m}, {half_m, 12, half_m}}}};
}

}  // namespace

ShuttleStage::ShuttleStage(const ShuttlePlan& plan) : Stage({}, {ship(plan.riders)}), plan_(plan) {}

// At the start each ship is well on its own side.
Motion ShuttleStage::motion_at(std::uint32_t lane, Tick tick) const {
  const double side = lane % 2 == 0 ? -1 : 1;
  const double phase = (lane / 2 % 5 - 2.0) * 0.25;
  const double rate = 2 * pi / there_and_back_ticks;
  const auto at = [&](Tick when) {
    const SinCos turn = sin_cos(phase + rate * ticks_between(shuttle_start, when));
    const double from_x_m = plan_.crosses ? 0 : side * home_m;
    return Vec3{from_x_m + side * there_m * turn.cos, 0, lane_m * lane};
  };
  return {.pose = {at(tick), {}}, .velocity = (at(tick) - at(tick - 1)) / seconds_per_tick};
}

void ShuttleStage::populate(world::World& world, const world::Bounds& region,
                            std::uint32_t spawner) const {
  for (std::uint32_t lane = region.low.x < 0 ? 0 : 1; lane < 2 * plan_.ships; lane += 2) {
    const Motion motion = motion_at(lane, world.now());
    const Handle ship = world.spawn({.id = world::make_entity_id(spawner, Tick{}, ordinals * lane),
                                     .type = ship_row,
                                     .local = motion.pose,
                                     .velocity = motion.velocity});
    world.spawn({.id = world::make_entity_id(spawner, Tick{}, ordinals * lane + 1),
                 .type = skiff::ferry_door_row,
                 .parent = ship,
                 .local = {{0, 1.5, half_deck_m(plan_.riders) + 3}, {}}});
  }
}

void ShuttleStage::drive(world::World& world, Tick tick) const {
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    if (entity.remote) continue;
    const std::uint32_t lane = entity.id.ordinal() / ordinals;
    if (entity.type == ship_row) {
      // A ship that stood still for a while catches up; otherwise it would no longer reach the
      // border.
      const Vec3 behind = motion_at(lane, tick).pose.position - world.pose(handle, tick)->position;
      const Vec3 more = length(behind) > 0.01 ? behind * 0.5 : Vec3{};
      world.set_drive(handle, motion_at(lane, tick + 1).velocity + more, {});
    } else if (entity.type == skiff::ferry_door_row && (tick.count + 37 * lane) % door_ticks == 0) {
      const std::uint8_t goal = world.timeline(handle)->last_goal() == 0 ? 1 : 0;
      world.announce(world.propose_change(handle, tick, goal, tunables().announce_ticks));
    }
  }
}

world::ActorSpawn ShuttleStage::spawn_state(const world::World& world, const world::Bounds&,
                                            std::uint32_t ordinal) const {
  std::uint32_t skip = ordinal / plan_.riders;
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    if (entity.type != ship_row || entity.remote || skip-- > 0) continue;
    const std::uint32_t place = ordinal % plan_.riders;
    const double apart_m = plan_.riders > 20 ? 2 : 1.5;
    const std::uint32_t row = plan_.riders > 20 ? 10 : 4;
    const std::uint32_t behind = place / row;  // whole rows
    world::ActorSpawn out{.type = skiff::character_row, .parent = handle};
    out.state.position = {(place % row - 0.5 * (row - 1)) * apart_m,
                          tunables().character.height_m / 2 + 0.01,
                          (behind - 0.5 * (row - 1)) * apart_m};
    return out;
  }
  PERIGEE_ASSERT(false, "each worker must have its ships at first");
}

}  // namespace perigee::lab
