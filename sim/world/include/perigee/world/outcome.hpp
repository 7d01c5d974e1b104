/// What cannot be undone: how it is judged in the scene that its player saw, and how it comes into
/// force. (mission B5, S2, S11)
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/netcode/wire_world.hpp"
#include "perigee/world/step_record.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {

/// A proposal with whose it is and when.
struct Outcome {
  Proposal wish;
  Handle actor = no_entity;
  std::uint64_t identity = 0;  ///< the actor's
  Tick tick;                   ///< of the proposal; of what flew: when it met something
  bool flew = false;
  Handle parent = no_entity;   ///< frame of where the wish aims
  std::uint16_t view_age = 0;  ///< as PlayerInput has it
  bool steers = false;         ///< the actor sits at its parent's helm
};

/// What becomes of an outcome.
struct Judgement {
  CancelReason reason = CancelReason::None;
  std::uint8_t detail = 0;  ///< the game's; its player hears of it, e.g. as a hit marker
  Handle target = no_entity;
  friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// The line that an outcome aims along.
struct Sight {
  Vec3 eye;        ///< world
  Vec3 direction;  ///< world, of length 1
  DrawnAt at;
};

/// The scene that the actor's player saw: others where they were drawn, the actor itself where it
/// is in its tick, on a parent where that was drawn.
class DrawnScene {
 public:
  /// Of nobody's view farther back than the actor's type allows.
  DrawnScene(const World& world, const Outcome& outcome);
  /// The same, where the actor and what it stands on are another worker's.
  DrawnScene(const World& world, const Outcome& outcome, const Sight& sight)
      : world_(world), outcome_(outcome), sight_(sight) {}
  /// What something in flight has met (none: it has just left), both where they are.
  DrawnScene(const World& world, const Outcome& outcome, const std::optional<DrawnHit>& met)
      : world_(world), outcome_(outcome), flies_(true), met_(met) {}
  /// The first thing on the line that the outcome aims along, or what it met in flight.
  std::optional<DrawnHit> cast(double range_m) const;
  bool clamped() const { return clamped_; }
  /// None: what it stands on was not there, or it flies.
  const std::optional<Sight>& sight() const { return sight_; }
  /// How far anybody has cast: to what was met, else the whole range. 0: not at all.
  double looked_m() const { return looked_m_; }
  bool met() const { return met_something_; }

 private:
  const World& world_;
  const Outcome& outcome_;
  std::optional<Sight> sight_;
  bool clamped_ = false;
  bool flies_ = false;
  mutable double looked_m_ = 0;
  mutable bool met_something_ = false;
  std::optional<DrawnHit> met_;
};

/// An entry of the journal: what is true for good.
struct JournalEntry {
  Tick tick;
  std::uint8_t index = 0;
  std::uint8_t kind = 0;  ///< the game's
  Handle actor = no_entity;
  Handle target = no_entity;
  std::int32_t amount = 0;
  friend bool operator==(const JournalEntry&, const JournalEntry&) = default;
};

/// What an outcome does to somebody or something else, whichever worker that is on.
struct Letter {
  Tick tick;
  std::uint8_t index = 0;
  std::uint8_t kind = 0;  ///< the game's
  Handle from = no_entity;
  Handle to = no_entity;
  std::int32_t amount = 0;
  friend bool operator==(const Letter&, const Letter&) = default;
};

/// What commit and receive may do. Nothing else reaches the journal or another actor's state.
class Journal {
 public:
  virtual ~Journal() = default;
  /// As it is now, with all that was committed. None if it has left, or is another worker's.
  virtual std::optional<GameState> state(Handle actor) const = 0;
  /// The actor hears of it in the coming tick. False if it has left, is another worker's, or hears
  /// too much at once.
  virtual bool tell(Handle actor, const GameEvent& event) = 0;
  /// The actor begins anew where GameModule::spawn_state says. False if it has left, or is another
  /// worker's.
  virtual bool respawn(Handle actor) = 0;
  /// For good: written down, and told to the players of actor and target.
  virtual void write(const JournalEntry& entry) = 0;
  /// GameModule::receive is called with it, exactly once, on the worker that has `letter.to`: at
  /// once if that is this one, else some ticks later, whatever dies meanwhile. If nobody has it for
  /// 10 s the letter comes back to `letter.from`. False: too many are under way, and it was not
  /// sent.
  virtual bool send(const Letter& letter) = 0;
  /// The thing is gone for good, a few ticks later; asked when a letter to it is received. False:
  /// it is no body of that type, or somebody was first.
  virtual bool take(Handle thing, TypeId type) = 0;
};

/// What a game may change while a world begins again from a cut, before its first tick.
class Recall {
 public:
  virtual ~Recall() = default;
  /// Null: it is not here, or it was cut with the entry's consequences.
  virtual GameState* state(Handle actor) = 0;
  /// False if there is no such patch here, or no such cell in it.
  virtual bool set_cell(Handle patch, std::uint32_t cell, bool solid) = 0;
};

}  // namespace perigee::world
