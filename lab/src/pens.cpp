#include <algorithm>
#include <array>

#include "perigee/base/hash.hpp"
#include "perigee/lab/stage.hpp"
#include "slots.hpp"

namespace perigee::lab {
namespace {

using world::Bounds;

constexpr std::uint32_t columns_max = 8;
constexpr double row_max_m = 7000;      // the smallest world ends at 8000
constexpr std::uint32_t ordinals = 16;  // of a pen and its fixtures
constexpr double first_x_m = 200;       // from the border between the regions
constexpr std::array sides{-1.0, 1.0};
constexpr world::TypeId beside_row = skiff::rows_count + 1;
constexpr std::uint32_t beside_ordinal = ordinals - 1;

constexpr Slots commands{75, 45};  // 0.5 to 2 s apart
constexpr double thrust_m_s2 = 20;
constexpr double ramp_ticks = 12;  // 100 m/s^3
constexpr double yaw_rad_s = 25 * pi / 180;
constexpr double yaw_rad_s2 = 15 * pi / 180;

bool owns(const Bounds& region, double x) { return x >= region.low.x && x < region.high.x; }

world::EntityType platform_of(const PenPlan& plan) {
  world::EntityType out{.name = "pen",
                        .kind = world::EntityKind::Static,
                        .shape = plan.shape,
                        .size = world::SizeClass::Medium,
                        .parent_eligible = true,
                        .gravity = {{0, -plan.tunables.gravity_m_s2, 0}, plan.air}};
  const auto* circling = std::get_if<Circling>(&plan.moves);
  const auto* steered = std::get_if<Steered>(&plan.moves);
  if (!std::holds_alternative<std::monostate>(plan.moves)) {
    out.kind = world::EntityKind::Body;
    out.mass_kg = 2e6;
  }
  if (circling != nullptr) out.inertia = circling->inertia;
  if (steered != nullptr) out.inertia = steered->inertia;
  if (std::holds_alternative<WithVehicle>(plan.moves)) out.vehicle = plan.tunables.vehicle;
  return out;
}

std::vector<world::EntityType> rows_of(const PenPlan& plan) {
  std::vector<world::EntityType> rows{platform_of(plan)};
  if (!plan.beside) return rows;
  if (std::holds_alternative<std::monostate>(plan.moves)) {
    rows.push_back({.name = "diggings",
                    .kind = world::EntityKind::Static,
                    .shape = plan.beside,
                    .size = world::SizeClass::Medium});
  } else {
    rows.push_back(rows.front());
    rows.back().name = "hull";
    rows.back().shape = plan.beside;
  }
  return rows;
}

/// Resting place of pen `i` of a side, or the middle of its circle, from the plan's middle.
Vec3 place_of(const PenPlan& plan, double side, std::uint32_t i) {
  if (plan.on_border) {  // side by side; half of them belong to each region
    return {side, 0, plan.spacing_m * (2 * i + (side < 0 ? 0 : 1))};
  }
  const std::uint32_t columns =
      std::min(columns_max, static_cast<std::uint32_t>(row_max_m / plan.spacing_m));
  const std::uint32_t column = i % columns;
  const std::uint32_t row = i / columns;
  return {side * (first_x_m + plan.spacing_m * column), 0, plan.spacing_m * row};
}

class Pens final : public Stage {
 public:
  Pens(std::uint32_t players, PenPlan plan)
      : Stage(plan.tunables, rows_of(plan)),
        plan_(std::move(plan)),
        per_side_(half_of(players, static_cast<std::uint32_t>(plan_.starts.size()))) {}

  void populate(world::World& world, const Bounds& region, std::uint32_t spawner) const override;
  void drive(world::World& world, Tick tick) const override;
  world::ActorSpawn spawn_state(const world::World& world, const Bounds& region,
                                std::uint32_t ordinal) const override;

 private:
  Motion motion_at(const Vec3& place, Tick tick) const;
  Motion beside_motion(const Vec3& place, Tick tick) const;
  void sail(world::World& world, const world::Entity& pen, Tick tick) const;
  static void steer(world::World& world, const world::Entity& ship, Tick tick);
  void work(world::World& world, const world::Entity& thing, Tick tick) const;

  PenPlan plan_;
  std::uint32_t per_side_;
};

// From its own side across the border and back.
Motion swing(const Swinging& swinging, const Vec3& place, Tick tick) {
  const double way_m = place.x < 0 ? -swinging.half_way_m : swinging.half_way_m;
  const double rate = swinging.speed_m_s / swinging.half_way_m;
  // A lane for each pen: pens of the two sides pass each other.
  const double lane = 2 * (std::abs(place.x) - first_x_m) + 2 * columns_max * place.z;
  const auto at = [&](Tick when) {
    const SinCos turn = sin_cos(rate * when.count * seconds_per_tick);
    return Vec3{way_m * turn.cos, 0, lane + (place.x < 0 ? 0.0 : 60.0)};
  };
  return {.pose = {at(tick), {}}, .velocity = (at(tick) - at(tick - 1)) / seconds_per_tick};
}

Motion Pens::motion_at(const Vec3& place, Tick tick) const {
  if (const auto* swinging = std::get_if<Swinging>(&plan_.moves)) {
    Motion out = swing(*swinging, place, tick);
    out.pose.position += plan_.middle;
    return out;
  }
  const auto* circling = std::get_if<Circling>(&plan_.moves);
  if (circling == nullptr) return {.pose = {plan_.middle + place, {}}};
  const auto& [radius_m, rad_s, inertia] = *circling;
  const world::Travel circle{
      .hinge = {-radius_m, 0, 0},
      .turn_rad = 2 * pi,
      .ticks = static_cast<std::int32_t>(2 * pi / rad_s * default_tick_rate_hz + 0.5),
      .endless = true};
  const Vec3 start = plan_.middle + place + Vec3{radius_m, 0, 0};
  return world::timeline_motion(circle, {start, {}}, {}, tick);
}

// The hull or the ground keeps its place beside the pen.
Motion Pens::beside_motion(const Vec3& place, Tick tick) const {
  Motion out = motion_at(place, tick);
  const auto at = [&](const Motion& pen) { return transform(pen.pose, plan_.beside_at); };
  out.velocity = (at(out) - at(motion_at(place, tick - 1))) / seconds_per_tick;
  out.pose.position = at(out);
  return out;
}

void Pens::populate(world::World& world, const Bounds& region, std::uint32_t spawner) const {
  for (const double side : sides) {
    if (!owns(region, plan_.middle.x + side) || (plan_.alone && side > 0)) continue;
    for (std::uint32_t i = 0; i < per_side_; ++i) {
      const auto spawn = [&](std::uint32_t nth, world::TypeId type, Handle parent,
                             const Motion& motion) {
        return world.spawn({.id = world::make_entity_id(spawner, Tick{}, ordinals * i + nth),
                            .type = type,
                            .parent = parent,
                            .local = motion.pose,
                            .velocity = motion.velocity,
                            .angular_velocity = motion.angular_velocity});
      };
      const Motion motion = motion_at(place_of(plan_, side, i), world.now());
      const Handle pen = spawn(0, platform_row, no_entity, motion);
      for (std::uint32_t f = 0; f < plan_.fixtures.size(); ++f) {
        const Fixtures& thing = plan_.fixtures[f];
        if (types()[thing.row].kind == world::EntityKind::Body) {
          spawn(1 + f, thing.row, no_entity, {.pose = motion.pose * thing.pose});
        } else {
          spawn(1 + f, thing.row, pen, {.pose = thing.pose});
        }
      }
      if (plan_.beside) {
        spawn(beside_ordinal, beside_row, no_entity,
              beside_motion(place_of(plan_, side, i), world.now()));
      }
    }
  }
}

void Pens::drive(world::World& world, Tick tick) const {
  const bool rests = std::holds_alternative<std::monostate>(plan_.moves);
  if (rests && plan_.fixtures.empty()) return;
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    const world::EntityKind kind = world.type_of(entity).kind;
    if (kind == world::EntityKind::Timeline) work(world, entity, tick);
    if ((entity.type != platform_row && entity.type != beside_row) || rests) continue;
    const bool sails = std::holds_alternative<Circling>(plan_.moves) ||
                       std::holds_alternative<Swinging>(plan_.moves);
    if (sails && !entity.remote) sail(world, entity, tick);
    if (std::holds_alternative<Steered>(plan_.moves)) steer(world, entity, tick);
  }
}

void Pens::work(world::World& world, const world::Entity& thing, Tick tick) const {
  const auto& [slot_ticks, idle_one_in, in_time] = plan_.orders;
  if (world.type_of(thing).travel.endless) return;
  const std::uint64_t chance = mix64(thing.id.bits, tick.count / slot_ticks);
  if (chance % (slot_ticks / 2) != tick.count % slot_ticks) return;
  if (idle_one_in > 0 && (chance >> 32) % idle_one_in == 0) return;
  const std::uint8_t goal = world.timeline(thing.handle)->last_goal() == 0 ? 1 : 0;
  const std::int32_t lead_ticks = in_time ? world.lead_ticks(thing.handle) : 0;
  const std::int32_t announce_ticks = std::max(tunables().announce_ticks, lead_ticks);
  world.announce(world.propose_change(thing.handle, tick, goal, announce_ticks));
}

// A body keeps the velocity that is set, so it follows its path as exactly as the velocities do.
void Pens::sail(world::World& world, const world::Entity& pen, Tick tick) const {
  const double side = pen.local.position.x < plan_.middle.x ? -1 : 1;
  const Vec3 place = place_of(plan_, side, pen.id.ordinal() / ordinals);
  const Motion next =
      pen.type == beside_row ? beside_motion(place, tick + 1) : motion_at(place, tick + 1);
  world.set_drive(pen.handle, next.velocity, next.angular_velocity);
}

// Commands are functions of the tick. Only the rotation depends on the ship's present state.
void Pens::steer(world::World& world, const world::Entity& ship, Tick tick) {
  const auto now = world.motion(ship.handle, tick);
  if (!now) return;
  const std::uint32_t command = commands.current(ship.id.bits, tick);
  const std::uint64_t chance = mix64(ship.id.bits, command, std::uint64_t{3});
  const auto part = [&](int byte) {  // -1 .. 1
    return static_cast<double>(chance >> (8 * byte) & 0xff) / 127.5 - 1;
  };
  Vec3 thrust{part(0), 0.3 * part(1), part(2)};
  thrust = thrust * thrust_m_s2;
  if (command % 2 == 1)
    thrust = (now->velocity * 0.8 + (now->pose.position - ship.local.position) * 0.15) * -1.0;
  const double size = length(thrust);
  if (size > thrust_m_s2) thrust = thrust * (thrust_m_s2 / size);
  const double ramp = std::min(1.0, commands.since(ship.id.bits, tick) / ramp_ticks);
  const double yaw = now->angular_velocity.y;
  const double yaw_step = yaw_rad_s2 * seconds_per_tick;
  world.set_drive(ship.handle, now->velocity + thrust * (ramp * seconds_per_tick),
                  {0, yaw + std::clamp(part(3) * yaw_rad_s - yaw, -yaw_step, yaw_step), 0});
}

world::ActorSpawn Pens::spawn_state(const world::World& world, const Bounds& region,
                                    std::uint32_t ordinal) const {
  const auto sharers = static_cast<std::uint32_t>(plan_.starts.size());
  const double feet = tunables().character.height_m / 2 + 0.01;
  world::ActorSpawn out{.type = skiff::character_row};
  std::uint32_t skip = ordinal / sharers % per_side_;
  if (plan_.alone) ordinal = 2 * ordinal + (region.low.x < plan_.middle.x ? 0 : 1);
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    const bool here = plan_.alone || owns(region, entity.local.position.x);
    if (entity.type != platform_row || !here) continue;
    out.parent = handle;
    out.state.position = plan_.starts[ordinal % sharers] + Vec3{0, feet, 0};
    if (skip-- == 0) return out;
  }
  // Parts of a split region may have fewer pens. If a part has none, players begin in empty space.
  if (out.parent == no_entity) out.state.position = (region.low + region.high) * 0.5;
  return out;
}

}  // namespace

std::unique_ptr<world::GameModule> make_pens(std::uint32_t players, PenPlan plan) {
  return std::make_unique<Pens>(players, std::move(plan));
}

}  // namespace perigee::lab
