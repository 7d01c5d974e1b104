/// Players join, resume, respawn and leave.
#pragma once

#include <functional>

#include "perigee/base/fabric_batch.hpp"
#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/players/avatar_locator.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/settings.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/worker/tick/checked_game.hpp"

namespace perigee::worker {

class PlayerSessions {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    CheckedGame& checked_game;
    PlayerTable& players;
    ObserverTable& observers;
    const ClusterView& cluster;
    FabricBatch& fabric;
    Counts<Count>& counts;
    const Settings& settings;
    std::uint32_t spawner = 0;  ///< of entity ids: the number of this incarnation's handle block
    const Tick& next;           ///< the tick that is simulated next
    /// Whether the content of an own region is complete here.
    std::function<bool(const RegionEntry&)> complete;
    /// Whether the session's player was migrated to another worker, which answers its gateway.
    std::function<bool(SessionId)> migrated;
    /// Forwards the record to the worker that the player was migrated to. False: there is none.
    std::function<bool(const LeaveRecord&)> forward;
    /// AvatarLocator::nowhere_else() and on_leave().
    std::function<bool(const JoinRecord&, const Address& gateway)> nowhere_else;
    std::function<void(SessionId)> stop_locating;
    /// The region of the worker that restored the client's avatar from a checkpoint, if that was
    /// another worker. The second function notes that the avatar is not there.
    std::function<const RegionEntry*(std::uint64_t client_id)> restored_in;
    std::function<void(std::uint64_t client_id)> not_restored;
    /// The player continues, or begins, here; is about to be removed.
    std::function<void(Player&)> on_enter;
    std::function<void(const Player&)> on_gone;
    /// Broadcasts that a new player does not get.
    std::function<BroadcastsHeard()> broadcasts_heard;
    /// See ProfileLoads.
    std::function<bool(SessionId)> profile_pending;
    std::function<bool(const JoinRecord&, const Address& gateway)> profile_ready;
    std::function<PlayerProfile(SessionId)> take_profile;
    /// Tell the game.
    std::function<void(const Player&)> on_join, on_leave;
    /// The player's game state with its pending events.
    std::function<world::GameState(const Player&)> present_game;
  };
  explicit PlayerSessions(Needs needs) : needs_(std::move(needs)) {}

  void on_join(const JoinRecord& join, const Address& gateway);
  /// Worlds were restored, and the client's avatar should be here. If the avatar has left since
  /// then, this worker returns the record. The worker that forwarded the record then spawns a new
  /// avatar.
  void on_forwarded_join(const JoinRecord& join, const Address& worker);
  /// True: the client's avatar is here.
  bool resume(const JoinRecord& join, const Address& gateway);
  void on_leave(const LeaveRecord& leave);
  /// The session's avatar leaves the world. The game hears it. Does nothing if it has left.
  void remove(SessionId session);
  /// An NPC of the game, at a place that fits it. `id` is free.
  world::Spawned spawn_npc(const world::NpcSpawn& npc, world::EntityId id);
  /// Does nothing if it has left.
  void remove_npc(Handle actor);
  /// A player whose avatar is in the world.
  Player& enter(std::unique_ptr<Player> player);
  /// Respawns the player, or moves it to the place that the game has chosen, without promises or
  /// pending outcomes. A player that is about to be migrated respawns at the other worker.
  void start_elsewhere(Player& player);
  void drop_silent();

 private:
  void refuse(const JoinRecord& join, const Address& gateway, RefuseReason reason);
  bool forward_to_restored(const JoinRecord& join);
  void spawn(const JoinRecord& join, const RegionEntry& region, const Address& gateway);
  void respawn(Player& player);
  void restart_at(Player& player, Handle parent, const ActorState& state);
  void take_over(Player& player, const JoinRecord& join);

  Needs needs_;
  std::uint32_t joined_ = 0;
};

}  // namespace perigee::worker
