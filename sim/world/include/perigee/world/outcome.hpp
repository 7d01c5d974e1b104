/// Outcomes, which cannot be undone: how an outcome is judged in the scene that its player saw, and
/// how it takes effect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/player_account.hpp"
#include "perigee/base/wire_messages.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/world/lasting.hpp"
#include "perigee/world/spawning.hpp"
#include "perigee/world/step_record.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {

/// A proposal with its actor and tick.
struct Outcome {
  Proposal wish;
  Handle actor = no_entity;
  std::uint64_t identity = 0;  ///< the actor's
  Tick tick;                   ///< of the proposal; for a projectile: of its hit
  bool flew = false;
  Handle parent = no_entity;   ///< frame of the proposal's aim
  std::uint16_t view_age = 0;  ///< as PlayerInput has it
  bool steers = false;         ///< the actor is at its parent's vehicle controls
};

/// Result of an outcome.
struct Judgement {
  CancelReason reason = CancelReason::None;
  std::uint8_t detail = 0;  ///< the game's; sent to the player, e.g. as a hit marker
  Handle target = no_entity;
  friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// The line along which an outcome aims.
struct Raycast {
  Vec3 eye;        ///< world
  Vec3 direction;  ///< world, of length 1
  DrawnAt at;
};

/// The scene that the actor's player saw. Other entities are where they were rendered. The actor
/// itself is at its place in its tick, relative to its parent as rendered.
class DrawnScene {
 public:
  /// Limits the view's age to the actor type's lag limit.
  DrawnScene(const World& world, const Outcome& outcome);
  /// The same for an actor and parent that belong to another worker.
  DrawnScene(const World& world, const Outcome& outcome, const Raycast& raycast)
      : world_(world), outcome_(outcome), raycast_(raycast) {}
  /// The entity that a projectile has hit (none: it has just left), both at their places.
  DrawnScene(const World& world, const Outcome& outcome, const std::optional<DrawnHit>& met)
      : world_(world), outcome_(outcome), flies_(true), met_(met) {}
  /// The first entity on the outcome's line of aim, or the projectile's hit.
  std::optional<DrawnHit> cast(double range_m) const;
  bool clamped() const { return clamped_; }
  /// None: the actor's parent did not exist, or the outcome is a projectile's.
  const std::optional<Raycast>& raycast() const { return raycast_; }
  /// Longest distance that cast() has examined: to the hit, else the whole range. 0: no cast.
  double looked_m() const { return looked_m_; }
  bool met() const { return met_something_; }

 private:
  const World& world_;
  const Outcome& outcome_;
  std::optional<Raycast> raycast_;
  bool clamped_ = false;
  bool flies_ = false;
  mutable double looked_m_ = 0;
  mutable bool met_something_ = false;
  std::optional<DrawnHit> met_;
};

/// A journal entry: a final fact.
struct JournalEntry {
  Tick tick;
  std::uint8_t index = 0;
  std::uint8_t kind = 0;  ///< the game's
  Handle actor = no_entity;
  Handle target = no_entity;
  std::int32_t amount = 0;
  friend bool operator==(const JournalEntry&, const JournalEntry&) = default;
};

/// A mailbox message: the effect of an outcome on another entity, on any worker.
struct Message {
  Tick tick;
  std::uint8_t index = 0;
  std::uint8_t kind = 0;  ///< the game's
  Handle from = no_entity;
  Handle to = no_entity;
  std::int32_t amount = 0;
  friend bool operator==(const Message&, const Message&) = default;
};

/// A place that a game chooses for an actor.
struct ActorPlace {
  Handle parent = no_entity;  ///< frame of the rest; no_entity: the world
  Vec3 position;              ///< the capsule's centre
  Vec3f velocity;
  friend bool operator==(const ActorPlace&, const ActorPlace&) = default;
};

/// An actor that the game moves, see GameModule::drive_npc.
struct NpcSpawn {
  TypeId type = 0;  ///< of actors
  ActorPlace place;
  std::optional<GameState> state;  ///< none: that of a new player
  PlayerName name;                 ///< told to clients like a player's; empty: none
};

/// A player and its actor, when it joins the game and when it leaves it.
struct Participant {
  Tick tick;
  Handle actor = no_entity;
  PlayerAccount account;
};

/// A visible or audible effect that no actor's step requests, see Journal::cue.
struct CueOrder {
  /// Played where it is drawn, when it is seen in the tick of the order.
  Handle entity = no_entity;
  std::uint8_t effect = 0;  ///< the game's
  std::uint8_t detail = 0;  ///< the game's
  Handle subject = no_entity;
  std::optional<Vec3> place;  ///< world; played there, with or without an entity
};

/// Why a message to players was not sent.
enum class TellRefusal : std::uint8_t {
  None,
  NoPlayer,  ///< the actor has left, is another worker's, or is an NPC
  Size,      ///< it is empty, or longer than message_bytes_max
  /// messages_waiting_max messages to the player are not acknowledged; broadcasts: of the last ten
  /// seconds are too many.
  Full,
  Rehearsal,  ///< the call only tries out a commit
  last = Rehearsal
};

/// The interface of commit, receive, on_join, on_leave, on_message and think. They have no other
/// access to the journal or to other actors' state. All effects of a tick survive the worker's
/// death together, or none of them does.
class Journal {
 public:
  virtual ~Journal() = default;
  /// The tick that is simulated next: the one in which events of this call arrive.
  virtual Tick tick() const = 0;
  /// The entity's present state, with all that was committed. None if it has left, is another
  /// worker's, or has no state.
  virtual std::optional<GameState> state(Handle entity) const = 0;
  /// Sets the state of an entity that is not an actor, from now on. Its clients and the other
  /// workers near it get the change; of changes in quick succession, clients get four ticks' worth
  /// at once. The owner alone sets it: others send a message, and `receive` sets it.
  virtual SpawnRefusal set_state(Handle thing, const GameState& state) = 0;
  /// The entity whose state is the world's, on this worker or another one: to send it a message.
  virtual Handle world_entity() const = 0;
  /// The world's state: at its owner the present one, elsewhere that of some ticks ago. None: the
  /// game has none, or this worker does not know it yet.
  virtual std::optional<GameState> world_state() const = 0;
  /// As set_state: elsewhere than at its owner NotOwned.
  SpawnRefusal set_world_state(const GameState& state) { return set_state(world_entity(), state); }
  /// An event that announces a change this many ticks after tick() reaches the actor's client, and
  /// those of the players around it, before they predict the change: it is no correction.
  virtual std::int32_t lead_ticks(Handle actor) const = 0;
  /// Sends the event to the actor, for the coming tick. False if the actor has left, is another
  /// worker's, or has too many events in that tick.
  virtual bool notify(Handle actor, const GameEvent& event) = 0;
  /// Respawns a player's actor in the state of GameModule::spawn_state. False if it has left, is
  /// another worker's, or is an NPC: place that.
  virtual bool respawn(Handle actor) = 0;
  /// Moves the actor to that place, with its present game state. Its player is told with a reset,
  /// which is not a correction. A later respawn or place of the same tick replaces this one. A
  /// parent that is not on the actor's worker is refused when the move is made: name no parent to
  /// move an actor far away. False if the actor has left, or is another worker's.
  virtual bool place(Handle actor, const ActorPlace& place) = 0;
  /// Plays an effect for the players within GameModule::cue_reach_m: an explosion, the creak of a
  /// door. Unreliable, like an actor's cues. If the entity is removed or put elsewhere in the same
  /// tick, is another worker's, or is not in a player's sight, the effect is played at the entity's
  /// present place. False: there is neither an entity nor a usable place, or the tick has 256 of
  /// them, or 512 with those of actors.
  virtual bool cue(const CueOrder& order) = 0;
  /// Writes the entry for good, and sends it to the players of actor and target.
  virtual void write(const JournalEntry& entry) = 0;
  /// Sends a message: GameModule::receive is called with it exactly once, on the worker that has
  /// `message.to`. The call comes at once if that is this worker, else some ticks later, even
  /// across failovers. If no worker has that entity for 10 s, the message returns to
  /// `message.from`. False: too many messages are pending, and this one was not sent.
  virtual bool send(const Message& message) = 0;
  /// Removes the entity for good, a few ticks later. Called when a message to the entity is
  /// received. False: it is not a body of that type, or was taken before.
  virtual bool take(Handle thing, TypeId type) = 0;
  /// Adds an entity to this worker's world, wherever its place is: it then migrates to the worker
  /// of that place. Actor types are refused.
  virtual Spawned spawn(const ThingSpawn& thing) = 0;
  /// Adds an NPC, which steps from the coming tick on.
  virtual Spawned spawn_npc(const NpcSpawn& npc) = 0;
  /// Removes an entity that this worker owns, with the scheduled objects that it carries; actors on
  /// it stay. Of two commits that want the same entity, the second one is refused. An NPC is
  /// removed at the end of the tick.
  virtual SpawnRefusal despawn(Handle entity) = 0;
  /// Sends a message to the player of an actor of this worker: its client gets it once, after those
  /// sent before, also in another session or from another worker. After a restart from a checkpoint
  /// messages that were on their way are lost.
  virtual TellRefusal tell(Handle actor, std::span<const std::byte> message) = 0;
  /// Tells all players of this worker whose actors are in the box, for example in one of
  /// ThinkContext::regions(). Returns the number of players told: others had no room.
  virtual std::uint32_t tell_within(const Bounds& box, std::span<const std::byte> message) = 0;
  /// Tells the players of all workers. A player without room misses the message.
  virtual TellRefusal tell_everybody(std::span<const std::byte> message) = 0;
  /// The profile of an actor's player, as it was saved last, by this game or in another session;
  /// empty: never. Valid until the next call of save. None: the actor has left, is another worker's
  /// or an NPC, or its profile has not been read since the world restarted.
  virtual std::optional<std::span<const std::byte>> profile(Handle actor) const = 0;
  /// Keeps the profile for good. The world store has it some tenths of a second later, and of two
  /// saves the later one. `on_leave` may save. Without a store, the profile lasts as long as the
  /// player stays.
  virtual KeepRefusal save(Handle actor, std::span<const std::byte> profile) = 0;
  /// Keeps a result for good. The first one with its key stands: a match may be written again after
  /// a restart of the world. At most 64 in a tick.
  virtual KeepRefusal keep(const MatchResult& result) = 0;
  /// The match is over: perigee-rooms ends the room within half a second, and shows its operators
  /// the reason, which is the game's. The first call counts. The world of a cluster, or of an
  /// embedded server, does not end: the call is noted there, and has no other effect.
  virtual void end_world(std::uint8_t /*reason*/) {}
};

/// The changes that a game may make while a world restarts from a checkpoint, before its first
/// tick.
class Recall {
 public:
  virtual ~Recall() = default;
  /// Null: the actor is not here, or the checkpoint already contains the entry's effects.
  virtual GameState* state(Handle actor) = 0;
  /// The same for other entities. None: it is not here, has no state, or the checkpoint already
  /// contains the effects of a commit for that tick. Effects that were decided in think and receive
  /// may be there although the entry is newer: set what the entry says, do not add.
  virtual std::optional<GameState> thing_state(Handle thing) const = 0;
  /// False, and nothing is changed: thing_state() is none.
  virtual bool set_thing_state(Handle thing, const GameState& state) = 0;
  /// False if there is no such patch here, or no such cell in it.
  virtual bool set_cell(Handle patch, std::uint32_t cell, bool solid) = 0;
};

}  // namespace perigee::world
