/// Calls of the game whose results are checked. An invalid value is noted with its kind, entity and
/// tick, and replaced as described in GameValue's rows. So it never reaches a peer or a client.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/players/player.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/outcome.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class CheckedGame {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    const ClusterView& cluster;
    Counts<Count>& counts;
    const Tick& next;  ///< the tick that is simulated next
    std::function<bool(Handle actor)> is_npc;
  };
  explicit CheckedGame(Needs needs) : needs_(needs) {}

  void drive(Tick tick);
  /// Whether a region of the map contains the place, in world axes.
  bool in_the_world(const Vec3& place) const;
  /// Where a player spawns. None: the game has no actor type.
  bool spawns_players(const RegionEntry& region) const;
  std::optional<world::ActorSpawn> spawn_in(const RegionEntry& region, std::uint32_t ordinal);
  /// Pose of what an entity can be in the frame of; none: it is unknown, or an actor.
  std::optional<Pose> frame_of(Handle parent) const;
  /// Whether an actor can be there.
  bool fits(const world::ActorPlace& place) const;
  /// The input of the NPC in the tick. Neutral, and noted, if the game's input is unusable.
  PlayerInput drive_npc(const Player& npc, Tick tick);
  /// False, and noted, if the game cannot move an actor there.
  bool takes(Handle actor, const world::ActorPlace& place);
  /// The same for a cue that it orders at a place.
  bool takes(const world::CueOrder& order);
  /// How far others notice the entity's cue.
  double cue_reach_m(std::uint8_t effect, Handle entity);
  world::UseOutcome accept_use(const world::UseAttempt& attempt);
  world::Judgement judge(const world::DrawnScene& scene, const world::Outcome& outcome);
  world::Judgement commit(world::Journal& journal, const world::Outcome& outcome,
                          const world::Judgement& judged);
  /// Notes what the game has done wrong if a call of world::Journal was refused, and returns the
  /// refusal.
  world::TellRefusal noted(world::TellRefusal refusal, Handle actor);
  world::KeepRefusal noted(world::KeepRefusal refusal, Handle actor);
  /// Notes the wishes of a step that were invalid.
  void note_refused(const Player& player, const world::StepRecord& record);
  /// Adds the faults since the last call to the counter.
  void count_faults();

 private:
  void refuse(world::GameValue value, Handle entity, std::string_view field = {});
  struct Fault {
    world::GameValue value{};
    std::string_view field;  ///< see world::GameFault
  };
  std::optional<Fault> fault_in(const world::ActorSpawn& spawn) const;
  world::Judgement usable(world::Judgement judgement, const world::Outcome& outcome);

  Needs needs_;
  std::uint64_t faults_counted_ = 0;
};

}  // namespace perigee::worker
