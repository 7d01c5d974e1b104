/// A game for tests of whole clusters: two floors that meet at x = 0, where the border between two
/// workers is, and players that run back and forth over it.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "perigee/client/client.hpp"
#include "perigee/world/game.hpp"

namespace perigee::lab {

class TwoFloors : public world::GameModule {
 public:
  enum FloorRow : world::TypeId { floor_row, actor_row, rows_of_floors };
  static constexpr double half_m = 50;  ///< of a floor

  std::string_view name() const override { return name_; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  const world::GameStateCodec& state_codec() const override { return codec_; }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
  void drive(world::World&, Tick) const override {}
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    for (const double side : {-1.0, 1.0}) {
      place(world, region, spawner, side < 0 ? 0 : 1, floor_row, side * half_m);
    }
  }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = actor_row};
    for (const Handle handle : world.in_order()) {
      const world::Entity& floor = *world.find(handle);
      const bool here = floor.type == floor_row && region.contains(floor.local.position);
      if (here && out.parent == no_entity) out.parent = handle;
    }
    out.state.position = start(region.low.x < 0, ordinal);
    return out;
  }

 protected:
  TwoFloors(std::string_view name, const world::GameStateCodec& codec)
      : name_(name), types_(rows_of_floors), codec_(codec) {
    types_[floor_row] = {
        .id = floor_row,
        .name = "floor",
        .shape = world::make_shape({{.center = {0, -0.5, 0}, .half = {half_m, 0.5, half_m}}}),
        .size = world::SizeClass::Large,
        .parent_eligible = true,
        .gravity = {{0, -9.81, 0}, {{-half_m, -5, -half_m}, {half_m, 30, half_m}}}};
    types_[actor_row] = {.id = actor_row,
                         .name = "runner",
                         .kind = world::EntityKind::Actor,
                         .shape = world::actor_shape({})};
  }
  /// Types follow in the order of their rows.
  void add(world::EntityType type) { types_.push_back(std::move(type)); }
  /// In the frame of the floor. Each player has a lane of its own.
  virtual Vec3 start(bool left, std::uint32_t ordinal) const = 0;
  /// Spawns it if the place is in the region.
  static void place(world::World& world, const world::Bounds& region, std::uint32_t spawner,
                    std::uint32_t ordinal, world::TypeId type, double x) {
    if (!region.contains({x, 0, 0})) return;
    world.spawn({.id = world::make_entity_id(spawner, Tick{}, ordinal),
                 .type = type,
                 .local = {{x, 0, 0}, {}}});
  }

 private:
  std::string_view name_;
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
  world::GameStateCodec codec_;
};

/// Runs along its lane, and turns at this distance from the border.
class LaneRunner final : public client::InputSampler {
 public:
  LaneRunner(const client::Client& client, double turn_m) : client_(client), turn_m_(turn_m) {}
  PlayerInput sample(Tick tick) override {
    const client::Prediction& prediction = client_.prediction();
    const auto parent = client_.entities().motion_at(prediction.parent(), tick);
    if (!parent) return {.tick = tick};
    const double x = transform(parent->pose, prediction.state().position).x;
    if (x > turn_m_) back_ = true;
    if (x < -turn_m_) back_ = false;
    PlayerInput input{.tick = tick, .forward = 127, .held = button_run};
    input.yaw = back_ ? 49152 : 16384;
    return input;
  }

 private:
  const client::Client& client_;
  double turn_m_;
  bool back_ = false;
};

}  // namespace perigee::lab
