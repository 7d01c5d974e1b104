#include "perigee/lab/pens.hpp"

#include "perigee/netcode/hash.hpp"

namespace perigee::lab {
namespace {

using world::Bounds;
using world::Box;

constexpr std::uint32_t columns = 8;
constexpr double first_x_m = 200;  // from the border between the regions

Box block(const Vec3& low, const Vec3& high) {
  return {.center = (low + high) * 0.5, .half = (high - low) * 0.5};
}

/// A floor of the given half extents with walls around it.
std::vector<Box> walled(double x, double z, double height) {
  return {block({-x - 1, -1, -z - 1}, {x + 1, 0, z + 1}),
          block({-x - 1, 0, -z - 1}, {-x, height, z + 1}),
          block({x, 0, -z - 1}, {x + 1, height, z + 1}), block({-x, 0, -z - 1}, {x, height, -z}),
          block({-x, 0, z}, {x, height, z + 1})};
}

bool owns(const Bounds& region, double x) { return x >= region.low.x && x < region.high.x; }

}  // namespace

Pens::Pens(PenPlan plan) : plan_(std::move(plan)), skiff_(plan_.tunables) {
  types_.assign(skiff_.types().begin(), skiff_.types().end());
  types_.push_back({.id = pen_row(),
                    .name = "pen",
                    .kind = world::EntityKind::Static,
                    .shape = plan_.shape,
                    .size = world::SizeClass::Medium,
                    .parent_eligible = true,
                    .gravity = {{0, -plan_.tunables.gravity_m_s2, 0}, plan_.air}});
  StateHash hash;
  hash.add(skiff_.schema_hash());
  for (const Box& box : plan_.shape->boxes()) {
    for (const Vec3& v : {box.center, box.half}) hash.add(v.x).add(v.y).add(v.z);
  }
  schema_hash_ = hash.value();
}

void Pens::populate(world::World& world, const Bounds& region, std::uint32_t spawner) const {
  for (const double side : {-1.0, 1.0}) {
    if (!owns(region, side * first_x_m)) continue;
    for (std::uint32_t i = 0; i < per_region; ++i) {
      const Vec3 at{side * (first_x_m + plan_.spacing_m * (i % columns)), 0,
                    plan_.spacing_m * (i / columns)};
      const std::uint32_t ordinal = 16 * i;
      const auto spawn = [&](std::uint32_t nth, world::TypeId type, Handle parent,
                             const Pose& local) {
        return world.spawn({.id = world::make_entity_id(spawner, Tick{}, ordinal + nth),
                            .type = type,
                            .parent = parent,
                            .local = local});
      };
      const Handle pen = spawn(0, pen_row(), no_entity, {at, {}});
      for (std::uint32_t d = 0; d < plan_.doors.size(); ++d) {
        spawn(1 + d, skiff::station_door_row, pen, plan_.doors[d]);
      }
    }
  }
}

void Pens::drive(world::World& world, Tick tick) const {
  constexpr std::uint32_t slot_ticks = 120;
  if (plan_.doors.empty()) return;
  for (const Handle handle : world.in_order()) {
    const world::TimelineLog* log = world.timeline(handle);
    if (log == nullptr) continue;
    const std::uint64_t chance = mix64(world.find(handle)->id.bits, tick.count / slot_ticks);
    if (chance % (slot_ticks / 2) != tick.count % slot_ticks) continue;
    const std::uint8_t goal = log->last_goal() == 0 ? 1 : 0;
    world.announce(world.propose_change(handle, tick, goal, plan_.tunables.announce_ticks));
  }
}

world::ActorSpawn Pens::spawn_state(const world::World& world, const Bounds& region,
                                    std::uint32_t ordinal) const {
  const auto sharers = static_cast<std::uint32_t>(plan_.starts.size());
  std::uint32_t skip = ordinal / sharers % per_region;
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    if (entity.type != pen_row() || !owns(region, entity.local.position.x) || skip-- > 0) continue;
    world::ActorSpawn out{.type = skiff::character_row, .parent = handle};
    const double feet = plan_.tunables.character.height_m / 2 + 0.01;
    out.state.position = plan_.starts[ordinal % sharers] + Vec3{0, feet, 0};
    return out;
  }
  PERIGEE_ASSERT(false, "every region of a stage has its pens");
}

PenPlan obstacle_pen(std::uint32_t players_each) {
  std::vector<Box> boxes = walled(18, 18, 6);
  for (const double x : {-12.0, -4.0, 4.0, 12.0}) {
    for (const double z : {-12.0, 12.0})
      boxes.push_back(block({x - 0.5, 0, z - 0.5}, {x + 0.5, 5, z + 0.5}));
    boxes.push_back(block({x - 1, 0, -7}, {x + 1, 1, -5}));  // to jump on
  }
  for (int i = 0; i < 5; ++i) boxes.push_back(block({6 + 0.5 * i, 0, 2}, {14, 0.3 * (i + 1), 7}));
  boxes.push_back(block({-12, 0, 3}, {-3, 3, 3.3}));  // a corridor, and a corner
  boxes.push_back(block({-12, 0, 5.3}, {-6, 3, 5.6}));
  boxes.push_back(block({-12, 0, 5.6}, {-11.7, 3, 9}));
  PenPlan plan;
  plan.shape = world::make_shape(std::move(boxes));
  plan.air = {{-18, -1, -18}, {18, 12, 18}};
  for (std::uint32_t i = 0; i < players_each; ++i) plan.starts.push_back({2.0 * i, 0, 0});
  return plan;
}

PenPlan door_lane(std::int32_t announce_ticks) {
  constexpr double door_m = 3;  // high
  constexpr double end_m = 18;
  std::vector<Box> boxes = walled(end_m, 1, 5);
  PenPlan plan;
  for (const double x : {-lane_door_m, lane_door_m}) {
    boxes.push_back(block({x - 0.1, door_m, -1}, {x + 0.1, 5, 1}));
    plan.doors.push_back({{x, door_m / 2, 0}, {}});
  }
  plan.shape = world::make_shape(std::move(boxes));
  plan.air = {{-end_m, -1, -3}, {end_m, 12, 3}};
  plan.starts = {{0, 0, 0}};
  plan.tunables.announce_ticks = announce_ticks;
  return plan;
}

}  // namespace perigee::lab
