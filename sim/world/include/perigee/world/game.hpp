/// What a game tells perigee: one object, the same in worker, client, bots and lab. Stateless:
/// everything that changes lives in the World or follows from the tick.
///
/// A value that cannot be used - not finite, out of range, the name of nothing - is refused where
/// it comes in: counted, logged once for each kind of entity and value, and replaced as the rows of
/// game_fault.hpp say. The same on worker and client.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "perigee/world/actor_context.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/outcome.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {

/// Where a new player begins.
struct ActorSpawn {
  TypeId type = 0;
  Handle parent = no_entity;
  ActorState state;  ///< in the parent's frame
  std::uint16_t yaw = 0;
};

/// An actor asks to use something; judged once, at its target tick.
struct UseAttempt {
  Handle actor = no_entity;
  Handle parent = no_entity;
  ActorState state;
  Handle target = no_entity;
  Tick now;  ///< of the worker
  Tick at;   ///< that the input was meant for
};
enum class UseVerdict : std::uint8_t {
  Accepted,
  UnknownTarget,
  NotUsable,
  TooFar,
  Busy,  ///< too many changes are under way
  last = Busy,
};
struct UseOutcome {
  UseVerdict verdict = UseVerdict::UnknownTarget;
  /// The worker announces it if the use is accepted. The verdict becomes Busy if it cannot.
  std::optional<TimelineChange> change;
  /// The target is a body and the actor shall sit down at its helm, or get up from there.
  HelmChange helm = HelmChange::None;
};

class GameModule {
 public:
  virtual ~GameModule() = default;

  virtual std::string_view name() const = 0;
  /// Of everything both sides must agree on; refused at log-in if it differs.
  virtual std::uint64_t schema_hash() const = 0;
  /// By type id. Lives as long as the module.
  virtual std::span<const EntityType> types() const = 0;
  virtual const ParentingParams& parenting() const = 0;
  /// What each region of space is born with, low inclusive, high exclusive. No other life of any
  /// worker, and no other birth of this region, has this `spawner`: what a former one made here may
  /// live on elsewhere.
  virtual void populate(World& world, const Bounds& region, std::uint32_t spawner) const = 0;
  /// Sets the drives of the world's own bodies for the step from `tick`, and announces what things
  /// do of themselves.
  virtual void drive(World& world, Tick tick) const = 0;
  /// The `ordinal`-th player's place in a region that was populated here; inside the world. The
  /// region's middle is taken for what is none.
  virtual ActorSpawn spawn_state(const World& world, const Bounds& region,
                                 std::uint32_t ordinal) const = 0;
  virtual UseOutcome accept_use(const World& world, const UseAttempt& attempt) const = 0;

  /// What an actor is besides its motion; codec_of<State>(), kept by the game.
  virtual const GameStateCodec& state_codec() const { return no_game_state(); }
  /// One tick of one actor's game state, before its motion. Pure: same arguments, same bits.
  virtual void step(ActorContext&, GameState&) const {}
  /// Something was done to the actor. Pure, too.
  virtual void hear(const GameEvent&, GameState&) const {}
  /// The cue of being met by something in flight of this kind, shown where it is predicted; 0:
  /// none.
  virtual std::uint8_t met_effect(std::uint8_t) const { return 0; }
  /// What a proposal comes to in the scene that its player saw. Asked when its tick first ran with
  /// the player's own input, for the player alone, and again when it is committed.
  virtual Judgement judge(const DrawnScene&, const Outcome&) const { return {}; }
  /// Once, in the order of ticks, on the worker that owns the actor, when its tick and all before
  /// it are beyond dispute. Answers what became of it.
  virtual Judgement commit(Journal&, const Outcome&, const Judgement& judged) const {
    return judged;
  }
  /// A letter that commit or receive has sent, on the worker that owns `letter.to`; or, if nobody
  /// does, `returned`, on the one that owns `letter.from`. The one it is for hears two events of it
  /// at the most.
  virtual void receive(Journal&, const Letter&, bool /*returned*/) const {}
  /// An entry that was written after the cut from which the world begins again: makes true what
  /// players were told. In the order of ticks. Edits that waited for their commit when the cut was
  /// made count as refused there: `commit` was asked.
  virtual void recall(Recall&, const JournalEntry&) const {}
};

}  // namespace perigee::world
