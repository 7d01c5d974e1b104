/// Hover tag: a whole game on perigee. rules.hpp has its rules, README.md the list of its files.
#pragma once

#include <vector>

#include "perigee/level/level.hpp"
#include "perigee/world/game.hpp"
#include "states.hpp"

namespace hover_tag {

class Game : public perigee::world::GameModule {
 public:
  explicit Game(const Rules& rules = rules_of_build());
  Game(const Game&) = delete;  // types have views of the level's names
  Game& operator=(const Game&) = delete;

  const Rules& rules() const { return rules_; }
  const perigee::level::Level& level() const { return level_; }

  // game.cpp: types and places.
  std::string_view name() const override { return "hover_tag"; }
  std::uint64_t schema_hash() const override;
  std::span<const perigee::world::EntityType> types() const override { return types_; }
  const perigee::world::ParentingParams& parenting() const override { return parenting_; }
  const perigee::world::GameStateCodec& state_codec() const override { return codec_; }
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

  // moving.cpp: a tick of a runner, on worker and client.
  void step(perigee::world::ActorContext& context, perigee::world::GameState& state) const override;
  void after_motion(perigee::world::ActorContext& context,
                    perigee::world::GameState& state) const override;
  void apply_event(const perigee::world::GameEvent& event,
                   perigee::world::GameState& state) const override;

  // tagging.cpp: everything that two runners could want at the same time, on workers.
  perigee::world::Judgement commit(perigee::world::Journal& journal,
                                   const perigee::world::Outcome& outcome,
                                   const perigee::world::Judgement& judged) const override;
  void receive(perigee::world::Journal& journal, const perigee::world::Message& message,
               bool returned) const override;

  // match.cpp: server logic.
  void think(perigee::world::ThinkContext& context) const override;
  void on_join(perigee::world::Journal& journal,
               const perigee::world::Participant& who) const override;
  void on_leave(perigee::world::Journal& journal,
                const perigee::world::Participant& who) const override;
  void on_message(perigee::world::Journal& journal, const perigee::world::Participant& who,
                  std::span<const std::byte> message) const override;

  // results.cpp: from scores to rows and profiles in the world store.
  std::uint32_t profile_version() const override { return 1; }

  // npc.cpp
  perigee::PlayerInput drive_npc(const perigee::world::NpcView& view) const override;

 private:
  /// A runner on the floor at that point of the level: parent, and place in its frame.
  perigee::world::ActorPlace standing(const perigee::world::World& world,
                                      const perigee::Vec3& point) const;
  void receive_tag(perigee::world::Journal& journal, const perigee::world::Message& message,
                   bool returned) const;
  void receive_take(perigee::world::Journal& journal, const perigee::world::Message& message) const;
  /// Gives the message's torch to its receiver, or drops it.
  void give_torch(perigee::world::Journal& journal, const perigee::world::Message& message) const;
  /// Lays a torch without a carrier on the first spot. `since`: a tick of the torch's match.
  void drop_torch(perigee::world::Journal& journal, perigee::Tick since) const;

  /// Teams and the table, at the owner of the world's state.
  void receive_at_standings(perigee::world::Journal& journal,
                            const perigee::world::Message& message, bool returned) const;
  void report_score(perigee::world::Journal& journal, const MatchTime& now,
                    const perigee::world::ThinkActor& actor) const;
  void receive_report(perigee::world::Journal& journal,
                      const perigee::world::Message& message) const;
  /// Begins and closes the table of a match.
  void look_after_standings(perigee::world::ThinkContext& context, const MatchTime& now) const;
  void keep_result(perigee::world::Journal& journal, const perigee::world::ThinkActor& actor) const;

  void grow_npc(perigee::world::ThinkContext& context, perigee::Handle seed) const;
  void look_after_things(perigee::world::ThinkContext& context, const MatchTime& now) const;
  void look_after(perigee::world::ThinkContext& context, const MatchTime& now,
                  const perigee::world::ThinkActor& actor) const;
  /// Spawns one on each spot of this worker that has none.
  void fill_spots(perigee::world::ThinkContext& context, Row row, std::string_view spots) const;

  Rules rules_;
  perigee::level::Level level_;
  std::vector<perigee::world::EntityType> types_;
  perigee::world::TypeId floor_row_ = 0;
  perigee::world::ParentingParams parenting_;
  perigee::world::GameStateCodec codec_ = perigee::world::codec_of<Runner>();
  perigee::world::GameStateCodec standings_codec_ = perigee::world::codec_of<Standings>();
};

}  // namespace hover_tag
