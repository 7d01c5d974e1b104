/// The interface between a game and perigee: one object, the same in worker, client, bots and lab.
/// Stateless: all changing data is in the World or is a function of the tick.
///
/// An unusable value - not finite, out of range, an unknown name - is refused where it enters the
/// engine. It is counted, logged once for each kind of entity and value, and replaced as the rows
/// of game_fault.hpp state. Worker and client do the same.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "perigee/world/actor_context.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/npc_view.hpp"
#include "perigee/world/outcome.hpp"
#include "perigee/world/think_context.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {

/// Start state of a new player's actor.
struct ActorSpawn {
  TypeId type = 0;
  Handle parent = no_entity;
  ActorState state;  ///< in the parent's frame
  std::uint16_t yaw = 0;
};

/// An actor's attempt to use an entity; judged once, at its target tick.
struct UseAttempt {
  Handle actor = no_entity;
  Handle parent = no_entity;
  ActorState state;
  Handle target = no_entity;
  Tick now;  ///< the worker's
  Tick at;   ///< target tick of the input
  /// Earliest effect of a change, after the later of both ticks, that the user's client can
  /// predict. 0 on usual paths; up to two seconds where announcements take that long.
  std::int32_t announce_ticks = 0;
};
enum class UseVerdict : std::uint8_t {
  Accepted,
  UnknownTarget,
  NotUsable,
  TooFar,
  Busy,  ///< too many changes are pending
  last = Busy,
};
struct UseOutcome {
  UseVerdict verdict = UseVerdict::UnknownTarget;
  /// Announced by the worker if the use is accepted. The verdict becomes Busy if the change cannot
  /// be announced.
  std::optional<TimelineChange> change;
  /// The target is a body, and the actor takes or leaves its vehicle controls.
  VehicleChange vehicle = VehicleChange::None;
};

class GameModule {
 public:
  virtual ~GameModule() = default;

  virtual std::string_view name() const = 0;
  /// Hash of everything that both sides must agree on, except input_layout() and buttons_aimed(),
  /// which are always compared (world::agreed_schema). Log-in is refused if the hashes differ.
  virtual std::uint64_t schema_hash() const = 0;
  /// By type id. The span lives as long as the module.
  virtual std::span<const EntityType> types() const = 0;
  virtual const ParentingParams& parenting() const = 0;
  /// Creates the initial content of a region of space, low inclusive, high exclusive. `spawner` is
  /// unique to this worker incarnation and this creation of the region: entities of an earlier
  /// creation may still exist elsewhere.
  virtual void populate(World& world, const Bounds& region, std::uint32_t spawner) const = 0;
  /// Sets the drives of the world's own bodies for the step from `tick`, and announces changes of
  /// scheduled objects that no player causes.
  virtual void drive(World& world, Tick tick) const = 0;
  /// Whether players may begin in that region, low inclusive, high exclusive. If none may, they
  /// begin in another region.
  virtual bool spawns_players(const World&, const Bounds& /*region*/) const { return true; }
  /// The `ordinal`-th player's start state in a region that was populated here, inside the world.
  /// An unusable place is replaced by the region's middle.
  virtual ActorSpawn spawn_state(const World& world, const Bounds& region,
                                 std::uint32_t ordinal) const = 0;
  virtual UseOutcome accept_use(const World& world, const UseAttempt& attempt) const = 0;

  /// An actor's state besides its motion; codec_of<State>(), kept by the game.
  virtual const GameStateCodec& state_codec() const { return no_game_state(); }
  /// The fields that the game adds to inputs: input_layout_of<Fields>(), kept by the game.
  virtual const InputLayout& input_layout() const { return no_own_input(); }
  /// The buttons that aim at something on the screen. A client sends the age of its view with the
  /// inputs in which one of them is down, for judge().
  virtual std::uint16_t buttons_aimed() const { return perigee::buttons_aimed; }
  /// Steps one actor's game state by one tick, before its motion. Pure: same arguments, same bits.
  virtual void step(ActorContext&, GameState&) const {}
  /// Reacts to the actor's motion in the tick: contacts and triggers. Pure, too. Not called while
  /// the actor is at vehicle controls.
  virtual void after_motion(ActorContext&, GameState&) const {}
  /// Applies an event to the actor's game state. Pure, too.
  virtual void apply_event(const GameEvent&, GameState&) const {}
  /// The distance within which others notice that cue of an actor's step, or of Journal::cue, if
  /// they have its entity in view: 30 m for a footstep, 500 m for an explosion. 0: the cue is for
  /// the own player alone.
  virtual double cue_reach_m(std::uint8_t /*effect*/) const { return cue_reach_default_m; }
  /// The cue of a hit by a projectile of this kind, played where the hit is predicted; 0: none.
  virtual std::uint8_t hit_effect(std::uint8_t) const { return 0; }
  /// Evaluates a proposal in the scene that its player saw. Called first when the tick has run with
  /// the player's own input, for the player's feedback only. Called again before the proposal is
  /// committed.
  virtual Judgement judge(const DrawnScene&, const Outcome&) const { return {}; }
  /// Called once per outcome, in the order of ticks, on the worker that owns the actor, when its
  /// tick and all earlier ones are final. Returns the final judgement. `judged` with a reason: the
  /// proposal is refused, by judge(), or by the worker because its input came too late (TooLate).
  /// Then nothing may come of it, but what the step has spent may be given back.
  virtual Judgement commit(Journal&, const Outcome&, const Judgement& judged) const {
    return judged;
  }
  /// Handles a message that commit or receive has sent, on the worker that owns `message.to`. If no
  /// worker has that entity, the call is made with `returned`, on the worker that owns
  /// `message.from`. The receiving actor gets at most two events from the message.
  virtual void receive(Journal&, const Message&, bool /*returned*/) const {}
  /// A player has joined: its actor is in the world, and has not had its first tick. Not called
  /// when a player reconnects to its actor, when the actor changes workers, and when the world
  /// restarts from a checkpoint.
  virtual void on_join(Journal&, const Participant&) const {}
  /// The player has quit, has been away for too long, or its room ends: its actor is about to be
  /// removed.
  virtual void on_leave(Journal&, const Participant&) const {}
  /// A message of a player's client, which may be manipulated. Called once for each message, in the
  /// client's order, between two ticks; at most `sim.player_messages_per_s`, the others wait. Its
  /// actor gets at most two events from the message.
  virtual void on_message(Journal&, const Participant&,
                          std::span<const std::byte> /*message*/) const {}
  /// The format of the profiles that this game saves (Journal::save).
  virtual std::uint32_t profile_version() const { return 0; }
  /// Converts a stored profile of another version. None: it is unknown. The stored bytes then stay:
  /// the player joins with an empty profile, and cannot save.
  virtual std::optional<std::vector<std::byte>> upgrade_profile(
      std::uint32_t /*version*/, std::span<const std::byte> /*profile*/) const {
    return std::nullopt;
  }
  /// The game's server logic: called once a tick on each worker, after the tick's motions and the
  /// messages of other workers. Each entity is seen by at most one worker in a tick, and by none
  /// while it is on its way to another.
  virtual void think(ThinkContext&) const {}
  /// The input of an NPC in the tick; its member `tick` is ignored. Called once a tick, before the
  /// NPC's step; a rewind of the tick keeps the input, as it keeps a player's. A function of the
  /// view alone: a successor of a dead worker computes the ticks that it has not received.
  virtual PlayerInput drive_npc(const NpcView&) const { return {}; }
  /// Replays a journal entry that was written after the checkpoint from which the world restarts:
  /// restores the effects that were sent to players. Called in the order of ticks. Edits that were
  /// pending at the checkpoint count as refused. If `commit` has granted one since, an entry
  /// restores that edit.
  virtual void recall(Recall&, const JournalEntry&) const {}
};

}  // namespace perigee::world
