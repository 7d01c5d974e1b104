/// The game of the recorded sessions: a floor with a step, runners with laps, a message that comes
/// back. It stays as it is, because clients of former versions have played in it.
#pragma once

#include "perigee/world/actor_context.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/schema.hpp"
#include "perigee/world/world.hpp"

namespace perigee::recorded {

struct Lapper {
  std::uint16_t laps = 0;
  std::uint16_t on_far_side = 0;  ///< since the last lap

  static void fields(auto&& field, auto& lapper) {
    field(lapper.laps, world::SeenBy::Everybody);
    field(lapper.on_far_side, world::SeenBy::Owner);
  }
};

class LapGame final : public world::GameModule {
 public:
  static constexpr std::uint8_t lap_cue = 1;
  static constexpr world::TypeId floor_row{0}, lapper_row{1};
  static constexpr double half_m = 30, line_m = 6;

  LapGame() {
    const world::ActorParams person{.jetpack_m_s2 = 0};
    std::vector<world::Box> boxes{{.center = {0, -0.5, 0}, .half = {half_m, 0.5, half_m}},
                                  {.center = {0, 0.1, -3}, .half = {6, 0.1, 0.5}}};
    types_ = {{.id = floor_row,
               .name = "floor",
               .kind = world::EntityKind::Static,
               .shape = world::make_shape(std::move(boxes)),
               .size = world::SizeClass::Large,
               .parent_eligible = true,
               .gravity = {{0, -9.81, 0}, {{-half_m, -5, -half_m}, {half_m, 30, half_m}}}},
              {.id = lapper_row,
               .name = "lapper",
               .kind = world::EntityKind::Actor,
               .shape = world::actor_shape(person),
               .actor = person}};
  }
  std::string_view name() const override { return "laps"; }
  std::uint64_t schema_hash() const override {
    StateHash hash;
    hash.add(codec_.schema_hash).add(line_m);
    world::add_types(hash, types_);
    return hash.value();
  }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  const world::GameStateCodec& state_codec() const override { return codec_; }
  void drive(world::World&, Tick) const override {}
  bool spawns_players(const world::World&, const world::Bounds&) const override { return true; }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {.verdict = world::UseVerdict::NotUsable};
  }
  void populate(world::World& world, const world::Bounds&, std::uint32_t spawner) const override {
    world.spawn({.id = world::make_entity_id(spawner, Tick{}, 0), .type = floor_row});
  }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds&,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = lapper_row};
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->type == floor_row) out.parent = handle;
    }
    out.state.position = {4.0 * (ordinal % 4), types_[1].actor.height_m / 2 + 0.01, -8};
    return out;
  }
  void step(world::ActorContext& context, world::GameState& state) const override {
    auto& lapper = state.as<Lapper>();
    const double z = context.motion().position.z;
    if (z > line_m) lapper.on_far_side = 1;
    if (z > -line_m || lapper.on_far_side == 0) return;
    lapper.on_far_side = 0;
    ++lapper.laps;
    context.cue(lap_cue);
  }
  void on_message(world::Journal& journal, const world::Participant&,
                  std::span<const std::byte> message) const override {
    journal.tell_everybody(message);
  }

 private:
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
  world::GameStateCodec codec_ = world::codec_of<Lapper>();
};

}  // namespace perigee::recorded
