#include "fault_yard.hpp"

#include "perigee/base/hash.hpp"
#include "perigee/lab/stage.hpp"

namespace perigee::lab {
namespace {

using world::Bounds;
using world::EntityKind;

constexpr world::TypeId floor_row = skiff::rows_count;
constexpr world::TypeId wall_row = skiff::rows_count + 1;
constexpr world::TypeId slab_row = skiff::rows_count + 2;
constexpr double floor_half_m = 60;
constexpr double spacing_m = 200;
constexpr double first_x_m = 200;  // from the border between the regions
constexpr std::uint32_t ordinals = 16;

constexpr double kick_m_s = 4;  // more than any thruster: unpredictable
constexpr double kick_rad_s = 0.3;
constexpr std::uint32_t kick_ticks = 30;
constexpr double crate_m_s = 6;
constexpr std::uint32_t crate_ticks = 15;
constexpr double crate_away_m = 1.3;  // 40 cm between it and the player
constexpr double wall_away_m = 0.8;
constexpr std::uint32_t wall_lasts_ticks = 150;  // until the player has turned back from it

world::EntityType floor_of(bool moves) {
  world::EntityType out{.name = "floor",
                        .kind = moves ? EntityKind::Body : EntityKind::Static,
                        .shape = world::make_shape(
                            {{.center = {0, -0.5, 0}, .half = {floor_half_m, 0.5, floor_half_m}}}),
                        .mass_kg = moves ? 2e6 : 0,
                        .size = world::SizeClass::Medium,
                        .parent_eligible = true,
                        .inertia = moves ? world::Inertia::Full : world::Inertia::None};
  out.gravity = {{0, -9.81, 0},
                 {{-floor_half_m, -1, -floor_half_m}, {floor_half_m, 30, floor_half_m}}};
  return out;
}

/// Ticks since the fault of this period, or none yet.
std::optional<std::uint32_t> since_fault(Tick tick) {
  const std::uint32_t phase = tick.count % fault_period_ticks;
  for (std::uint32_t ago = 0; ago <= phase; ++ago) {
    if (fault_now(tick - static_cast<std::int32_t>(ago))) return ago;
  }
  return std::nullopt;
}

class FaultYard final : public skiff::Skiff {
 public:
  FaultYard(std::uint32_t players, CorrectionCause cause)
      : cause_(cause), per_side_(half_of(players, 1)) {
    const auto own = Skiff::types();
    types_.assign(own.begin(), own.end());
    types_.push_back(floor_of(moves()));
    types_.push_back({.name = "wall", .shape = world::make_shape({{.half = {0.15, 1.5, 2}}})});
    types_.push_back({.name = "slab",
                      .kind = EntityKind::Timeline,
                      .shape = world::make_shape({{.half = {20, 0.2, 20}}}),
                      .travel = {.slide = {12, 0, 0}, .ticks = 120}});
    for (std::size_t i = 0; i < types_.size(); ++i) types_[i].id = static_cast<world::TypeId>(i);
  }

  std::string_view name() const override { return "fault yard"; }
  std::uint64_t schema_hash() const override { return mix64(Skiff::schema_hash(), moves()); }
  std::span<const world::EntityType> types() const override { return types_; }
  void populate(world::World& world, const Bounds& region, std::uint32_t spawner) const override;
  void drive(world::World& world, Tick tick) const override;
  bool spawns_players(const world::World&, const world::Bounds&) const override { return true; }
  world::ActorSpawn spawn_state(const world::World& world, const Bounds& region,
                                std::uint32_t ordinal) const override;

 private:
  bool moves() const {
    return cause_ == CorrectionCause::RotatingFrame || cause_ == CorrectionCause::Constraint;
  }
  void drive_floor(world::World& world, Handle floor, Tick tick) const;
  void drive_crate(world::World& world, const world::Entity& crate, Tick tick) const;
  void drop_wall(world::World& world, const world::Entity& floor, Tick tick) const;

  CorrectionCause cause_;
  std::uint32_t per_side_;
  std::vector<world::EntityType> types_;
};

/// Position of the floor's only player, relative to the floor.
std::optional<Vec3> player_on(const world::World& world, Handle floor, Tick tick) {
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    if (world.type_of(entity).kind != EntityKind::Actor || entity.parent != floor) continue;
    const auto actor = world.pose(handle, tick);
    const auto frame = world.pose(floor, tick);
    if (actor && frame) return inverse_transform(*frame, actor->position);
  }
  return std::nullopt;
}

void FaultYard::populate(world::World& world, const Bounds& region, std::uint32_t spawner) const {
  for (std::uint32_t i = 0; i < 2 * per_side_; ++i) {
    const double side = i < per_side_ ? 1 : -1;
    const Vec3 place{side * (first_x_m + spacing_m * (i % per_side_)), 0, 0};
    if (place.x < region.low.x || place.x >= region.high.x) continue;
    const auto spawn = [&](std::uint32_t nth, world::TypeId type, Handle parent, const Pose& at) {
      return world.spawn({.id = world::make_entity_id(spawner, Tick{}, ordinals * i + nth),
                          .type = type,
                          .parent = parent,
                          .local = at});
    };
    const Handle floor = spawn(0, floor_row, no_entity, {place, {}});
    if (cause_ == CorrectionCause::StaleObject) {
      spawn(1, slab_row, floor, {});
    } else if (cause_ == CorrectionCause::HitAnimatedBody) {
      spawn(1, skiff::crate_row, no_entity, {place + Vec3{crate_away_m, 0.9, 0}, {}});
    } else if (cause_ == CorrectionCause::Constraint) {
      const Vec3 beside{floor_half_m + 1, 0, 0};
      const Handle trailer = spawn(1, skiff::crate_row, no_entity, {place + beside, {}});
      world.add_hinge({.a = floor,
                       .b = trailer,
                       .frame_a = {beside - Vec3{0.5, 0, 0}, {}},
                       .frame_b = {{-0.5, 0, 0}, {}}});
    }
  }
}

// The floor is kicked while its rider is in the air, and kicked back once the rider stands again.
void FaultYard::drive_floor(world::World& world, Handle floor, Tick tick) const {
  const auto ago = since_fault(tick);
  const bool kicked = ago && *ago < kick_ticks;
  const bool back = ago && *ago >= 3 * kick_ticks && *ago < 4 * kick_ticks;
  const double way = kicked ? 1 : back ? -1 : 0;
  world.set_drive(floor, {way * kick_m_s, 0, 0}, {0, way * kick_rad_s, 0});
}

// The crate runs into the player beside it. In the middle of the period it is placed beside the
// player again.
void FaultYard::drive_crate(world::World& world, const world::Entity& crate, Tick tick) const {
  const auto ago = since_fault(tick);
  const bool runs = ago && *ago < crate_ticks;
  if (ago && *ago == fault_period_ticks / 2) {
    const auto now = world.motion(crate.handle, tick);
    for (const Handle handle : world.in_order()) {
      const auto at = world.pose(handle, tick);
      if (world.type_of(*world.find(handle)).kind != EntityKind::Actor || !at || !now) continue;
      if (distance(at->position, now->pose.position) > spacing_m / 2) continue;
      world.set_body(crate.handle, {.pose = {at->position + Vec3{crate_away_m, 0, 0}, {}}});
    }
  }
  world.set_drive(crate.handle, {runs ? -crate_m_s : 0, 0, 0}, {});
}

void FaultYard::drop_wall(world::World& world, const world::Entity& floor, Tick tick) const {
  if (!fault_now(tick)) return;
  const auto player = player_on(world, floor.handle, tick);
  const auto frame = world.pose(floor.handle, tick);
  if (!player || !frame) return;
  const Vec3 ahead = *player + Vec3{wall_away_m, 0.6, 0};
  world.spawn({.id = world::make_entity_id(floor.id.spawner(), tick, floor.id.ordinal() + 2),
               .type = wall_row,
               .local = {transform(*frame, ahead), {}}});
}

void FaultYard::drive(world::World& world, Tick tick) const {
  const std::vector<Handle> all(world.in_order().begin(), world.in_order().end());
  for (const Handle handle : all) {
    const world::Entity& entity = *world.find(handle);
    if (entity.type == floor_row && moves()) drive_floor(world, handle, tick);
    if (entity.type == floor_row && cause_ == CorrectionCause::NotStreamed) {
      drop_wall(world, entity, tick);
    } else if (entity.type == wall_row &&
               ticks_between(entity.id.tick(), tick) > std::int32_t{wall_lasts_ticks}) {
      world.despawn(handle);
    } else if (entity.type == skiff::crate_row && cause_ == CorrectionCause::HitAnimatedBody) {
      drive_crate(world, entity, tick);
    } else if (entity.type == slab_row && fault_now(tick)) {
      const std::uint8_t goal = world.timeline(handle)->last_goal() == 0 ? 1 : 0;
      world.announce(world.propose_change(handle, tick, goal, 0));
    }
  }
}

world::ActorSpawn FaultYard::spawn_state(const world::World& world, const Bounds& region,
                                         std::uint32_t ordinal) const {
  std::uint32_t skip = ordinal % per_side_;
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    if (entity.type != floor_row || entity.local.position.x < region.low.x ||
        entity.local.position.x >= region.high.x || skip-- > 0) {
      continue;
    }
    world::ActorSpawn out{.type = skiff::character_row, .parent = handle};
    out.state.position = {0, 1.5, 0};
    return out;
  }
  PERIGEE_ASSERT(false, "every region must have its floors");
}

class FaultPilot final : public client::InputSampler {
 public:
  explicit FaultPilot(CorrectionCause cause) : cause_(cause) {}

  PlayerInput sample(Tick tick) override {
    constexpr std::uint16_t towards_x = 16384;
    PlayerInput input;
    input.tick = tick;
    const std::uint32_t phase = tick.count % fault_period_ticks;
    switch (cause_) {
      case CorrectionCause::InputLost:
      case CorrectionCause::InputLate:
      case CorrectionCause::ControllerState:
      case CorrectionCause::RotatingFrame:
      case CorrectionCause::Constraint:
        if (phase == fault_jump) {
          input.samples.push_back({64, button_jump, ActionKind::None, no_entity});
        }
        break;
      case CorrectionCause::ClockStep:  // never constant for long: a guess is soon wrong
        input.forward = 127;
        input.held = button_run;
        input.yaw = static_cast<std::uint16_t>(mix64(tick.count / 20));
        break;
      case CorrectionCause::NotStreamed:  // up to the place of the wall, and back
        if (phase % (fault_period_ticks / 2) < fault_jump + 35) input.forward = 127;
        input.held = button_run;  // past the wall by the time its appearance is received
        input.yaw = phase < fault_period_ticks / 2 ? towards_x
                                                   : static_cast<std::uint16_t>(towards_x + 32768);
        break;
      default:
        break;
    }
    return input;
  }

 private:
  CorrectionCause cause_;
};

}  // namespace

std::unique_ptr<world::GameModule> make_fault_yard(std::uint32_t players, CorrectionCause cause) {
  return std::make_unique<FaultYard>(players, cause);
}

std::unique_ptr<client::InputSampler> make_fault_pilot(CorrectionCause cause) {
  return std::make_unique<FaultPilot>(cause);
}

}  // namespace perigee::lab
