/// A game wrapper that records the current call into the game for crash reports, and measures it.
#pragma once

#include "perigee/world/game.hpp"
#include "perigee/world/game_call.hpp"
#include "perigee/world/slow_calls.hpp"

namespace perigee::world {

/// Forwards every call to `game` with the same results. A new function of GameModule must be
/// forwarded here, too.
class WatchedGame final : public GameModule {
 public:
  /// `game` and `slow` outlive it. With `slow`, each call is measured.
  explicit WatchedGame(const GameModule& game, SlowCalls* slow = nullptr)
      : game_(game), slow_(slow) {}

  std::string_view name() const override { return game_.name(); }
  std::uint64_t schema_hash() const override { return game_.schema_hash(); }
  std::span<const EntityType> types() const override { return game_.types(); }
  const ParentingParams& parenting() const override { return game_.parenting(); }
  const GameStateCodec& state_codec() const override { return game_.state_codec(); }
  const InputLayout& input_layout() const override { return game_.input_layout(); }
  std::uint16_t buttons_aimed() const override { return game_.buttons_aimed(); }
  void populate(World& world, const Bounds& region, std::uint32_t spawner) const override;
  void drive(World& world, Tick tick) const override;
  bool spawns_players(const World& world, const Bounds& region) const override;
  ActorSpawn spawn_state(const World& world, const Bounds& region,
                         std::uint32_t ordinal) const override;
  UseOutcome accept_use(const World& world, const UseAttempt& attempt) const override;
  void step(ActorContext& context, GameState& state) const override;
  void after_motion(ActorContext& context, GameState& state) const override;
  void apply_event(const GameEvent& event, GameState& state) const override;
  double cue_reach_m(std::uint8_t effect) const override;
  std::uint8_t hit_effect(std::uint8_t kind) const override;
  Judgement judge(const DrawnScene& scene, const Outcome& outcome) const override;
  Judgement commit(Journal& journal, const Outcome& outcome,
                   const Judgement& judged) const override;
  void receive(Journal& journal, const Message& message, bool returned) const override;
  void on_join(Journal& journal, const Participant& participant) const override;
  void on_leave(Journal& journal, const Participant& participant) const override;
  void on_message(Journal& journal, const Participant& participant,
                  std::span<const std::byte> message) const override;
  std::uint32_t profile_version() const override { return game_.profile_version(); }
  std::optional<std::vector<std::byte>> upgrade_profile(
      std::uint32_t version, std::span<const std::byte> profile) const override {
    return game_.upgrade_profile(version, profile);
  }
  void think(ThinkContext& context) const override;
  PlayerInput drive_npc(const NpcView& view) const override;
  void recall(Recall& recall, const JournalEntry& entry) const override;

 private:
  const GameModule& game_;
  SlowCalls* slow_;
};

}  // namespace perigee::world
