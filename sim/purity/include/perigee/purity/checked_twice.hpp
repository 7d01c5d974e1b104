/// A game wrapper that calls each function that has to be pure twice, and compares the results. A
/// game that reads a clock, a random device, an address or a member that it changes would be
/// corrected on every client; this names the place. The first result counts, so a pure game plays
/// as it does without the wrapper, at about twice the cost of its functions.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "perigee/world/game.hpp"

namespace perigee::purity {

/// A difference between two calls with the same arguments.
struct Impurity {
  std::string function;        ///< of GameModule
  std::string field;           ///< of the result, e.g. "field 2 of the state"
  Tick tick;                   ///< of the call, if it has one
  std::uint64_t identity = 0;  ///< the actor's entity id; 0: not known
  Handle entity = no_entity;   ///< its handle; no_entity: not known
};

/// "step of actor 2000001 at tick 77 gives another field 2 of the state when it is called again
/// ..."
std::string to_sentence(const Impurity& impurity);

class CheckedTwice final : public world::GameModule {
 public:
  /// Called for the first difference of each function and field, by the thread that calls the game.
  using Report = std::function<void(const Impurity&)>;
  CheckedTwice(std::shared_ptr<const world::GameModule> game, Report report)
      : game_(std::move(game)), report_(std::move(report)) {}

  /// All differences so far, also those that were not reported.
  std::uint64_t differences() const { return differences_; }

  std::string_view name() const override { return game_->name(); }
  std::uint64_t schema_hash() const override { return game_->schema_hash(); }
  std::span<const world::EntityType> types() const override { return game_->types(); }
  const world::ParentingParams& parenting() const override { return game_->parenting(); }
  const world::GameStateCodec& state_codec() const override { return game_->state_codec(); }
  const InputLayout& input_layout() const override { return game_->input_layout(); }
  std::uint16_t buttons_aimed() const override { return game_->buttons_aimed(); }
  void step(world::ActorContext& context, world::GameState& state) const override;
  void after_motion(world::ActorContext& context, world::GameState& state) const override;
  void apply_event(const world::GameEvent& event, world::GameState& state) const override;
  world::Judgement judge(const world::DrawnScene& scene,
                         const world::Outcome& outcome) const override;
  world::UseOutcome accept_use(const world::World& world,
                               const world::UseAttempt& attempt) const override;
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override;
  bool spawns_players(const world::World& world, const world::Bounds& region) const override;
  double cue_reach_m(std::uint8_t effect) const override { return game_->cue_reach_m(effect); }
  std::uint8_t hit_effect(std::uint8_t kind) const override;
  PlayerInput drive_npc(const world::NpcView& view) const override;
  // These change the world, a journal or states: a second call would change them again.
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    game_->populate(world, region, spawner);
  }
  void drive(world::World& world, Tick tick) const override { game_->drive(world, tick); }
  world::Judgement commit(world::Journal& journal, const world::Outcome& outcome,
                          const world::Judgement& judged) const override {
    return game_->commit(journal, outcome, judged);
  }
  void receive(world::Journal& journal, const world::Message& message,
               bool returned) const override {
    game_->receive(journal, message, returned);
  }
  void on_join(world::Journal& journal, const world::Participant& who) const override {
    game_->on_join(journal, who);
  }
  void on_leave(world::Journal& journal, const world::Participant& who) const override {
    game_->on_leave(journal, who);
  }
  void on_message(world::Journal& journal, const world::Participant& who,
                  std::span<const std::byte> message) const override {
    game_->on_message(journal, who, message);
  }
  std::uint32_t profile_version() const override { return game_->profile_version(); }
  std::optional<std::vector<std::byte>> upgrade_profile(
      std::uint32_t version, std::span<const std::byte> profile) const override {
    return game_->upgrade_profile(version, profile);
  }
  void think(world::ThinkContext& context) const override { game_->think(context); }
  void recall(world::Recall& recall, const world::JournalEntry& entry) const override {
    game_->recall(recall, entry);
  }

 private:
  using Step = void (world::GameModule::*)(world::ActorContext&, world::GameState&) const;
  void step_twice(const char* function, Step step, world::ActorContext& context,
                  world::GameState& state) const;
  /// Adds the field to what is known of the call. Empty: there is no difference.
  void compare(Impurity call, const std::string& field) const;
  std::string differing_field(const world::GameState& first, const world::GameState& second) const;
  std::string differing_input(const PlayerInput& first, const PlayerInput& second) const;

  const std::shared_ptr<const world::GameModule> game_;
  const Report report_;
  mutable std::atomic<std::uint64_t> differences_ = 0;
  mutable std::mutex mutex_;
  mutable std::set<std::string> reported_;  ///< bounded by the functions and fields that there are
};

}  // namespace perigee::purity
