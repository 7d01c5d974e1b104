/// The smallest game with state of its own: players that run laps on a floor with stairs. It is the
/// example of docs/your_first_game.md.
#pragma once

#include "perigee/world/game.hpp"

namespace first_game {

/// A runner's state besides its motion: predicted, rolled back and sent like it.
struct Runner {
  std::uint16_t laps = 0;
  std::uint16_t on_far_side = 0;  ///< since the last lap

  static void fields(auto&& field, auto& runner) {
    using perigee::world::SeenBy;
    field(runner.laps, SeenBy::Everybody);
    field(runner.on_far_side, SeenBy::Owner);
  }
};

enum Row : perigee::world::TypeId { floor_row, runner_row };
enum Cue : std::uint8_t { lap_cue = 1 };

class Game : public perigee::world::GameModule {
 public:
  Game();

  std::string_view name() const override { return "first_game"; }
  std::uint64_t schema_hash() const override;
  std::span<const perigee::world::EntityType> types() const override { return types_; }
  const perigee::world::ParentingParams& parenting() const override { return parenting_; }
  void populate(perigee::world::World& world, const perigee::world::Bounds& region,
                std::uint32_t spawner) const override;
  void drive(perigee::world::World&, perigee::Tick) const override {}
  bool spawns_players(const perigee::world::World& world,
                      const perigee::world::Bounds& region) const override;
  perigee::world::ActorSpawn spawn_state(const perigee::world::World& world,
                                         const perigee::world::Bounds& region,
                                         std::uint32_t ordinal) const override;
  perigee::world::UseOutcome accept_use(const perigee::world::World&,
                                        const perigee::world::UseAttempt&) const override {
    return {.verdict = perigee::world::UseVerdict::NotUsable};
  }
  const perigee::world::GameStateCodec& state_codec() const override { return codec_; }
  void step(perigee::world::ActorContext& context, perigee::world::GameState& state) const override;

 private:
  std::vector<perigee::world::EntityType> types_;
  perigee::world::ParentingParams parenting_;
  perigee::world::GameStateCodec codec_ = perigee::world::codec_of<Runner>();
};

}  // namespace first_game
