/// Mailbox: messages that carry the effects of an outcome on an entity that another worker may own.
/// The entity's owner processes each message exactly once. (decision 0042)
///
///   sender                          owner of the addressee
///     │ message 7, attempt 1 ────────────▶│ not here: logged permanently
///     │◀─────────────────── 7, 1: not here│
///     │ message 7, attempt 2 ────────────▶│ (another incarnation) processed, logged
///     │◀────────────────── 7, 2: processed│
///     │ settled ─────────────────────────▶│ forgets it
///
/// Each step is sent when the sender's standby has logged it, so a successor knows everything that
/// was ever sent. Only one incarnation at a time may process a message: it is addressed to the next
/// one after the last has answered permanently that it does not have the addressee.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/durability_gate.hpp"
#include "perigee/worker/entity_ownership.hpp"
#include "perigee/worker/outputs.hpp"
#include "perigee/worker/player_table.hpp"
#include "perigee/world/world.hpp"
#include "post_codec.hpp"

namespace perigee::worker {

class Post {
 public:
  using Life = std::uint32_t;  ///< an incarnation, by the number of its block of handles
  static constexpr std::size_t open_max = 4096;     ///< more are refused
  static constexpr std::size_t arrived_max = 4096;  ///< more wait at their senders
  static constexpr std::size_t answers_max = 65'536;
  static constexpr std::int32_t again_ticks = 12;
  static constexpr std::int32_t next_ticks = 6;  ///< delay from an answer to the next attempt
  /// After this long without an owner, the addressee has left.
  static constexpr std::int32_t patience_ticks = 600;
  static constexpr std::size_t events_per_letter = 2;

  struct Needs {
    world::World& world;
    const PlayerTable& players;
    const ClusterView& cluster;
    const EntityOwnership& ownership;
    DurabilityGate& durability;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    Life self = 0;     ///< this incarnation
    const Tick& next;  ///< the tick that is simulated next
    /// Hands a message to the game. Its effects may include a message that is processed at once.
    std::function<void(const world::Letter&, bool returned)> receive;
  };
  explicit Post(Needs needs) : needs_(std::move(needs)) {}

  bool send(const world::Letter& letter);
  /// A message of a restored world to an addressee that is here.
  void enter(const CutLetter& letter);
  /// The message being processed. None: no outcome of a message is being decided.
  const LetterName& reading() const { return reading_; }
  bool take(Handle thing, world::TypeId type);
  /// The entity is about to be removed; an actor has taken it.
  bool taken(Handle thing) const { return state_.taken.contains(thing); }
  void on_word(WorkerSlot from, std::span<const std::byte> bytes);
  void after_tick();

  /// Takes over the mailbox of an ended incarnation.
  void inherit(const PostState& of);
  /// Visits the present state as notes, for a standby that starts to replicate.
  void for_each_note(const std::function<void(const PostNote&)>& visit) const;
  /// No message is in flight to or from here.
  bool empty() const;
  std::size_t open() const { return state_.open.size(); }

 private:
  /// A logged message, and when it was sent.
  struct Saying {
    std::uint64_t note = 0;  ///< durable once the standby has it
    std::optional<Tick> said;
    Tick not_before;
  };
  struct Settled {
    std::uint32_t attempt = 0;
    Life asked = 0;
    std::uint64_t note = 0;
  };
  /// Null: no such entity, or another worker's.
  const world::Entity* own(Handle handle) const;
  bool takes_letters(Handle addressee) const;
  bool leaving(Handle addressee) const;
  void address(const LetterName& name, OpenLetter& open, Tick not_before);
  Life next_to_ask(const OpenLetter& open) const;
  void say_letters();
  void read_what_arrived();
  void say_answers();
  void say_settled();
  bool due(const Saying& saying) const;
  void mark(Handle thing);
  void remove_what_is_taken();
  void hear(WorkerSlot from, const PostWord& word);
  void on_letter(const PostWord& word);
  void on_answer(WorkerSlot from, const PostWord& word);
  void on_settled(const PostWord& word);
  void read(const CutLetter& letter);
  void settle(const LetterName& name);
  void not_there(const LetterName& name);
  void forget(const LetterName& name);
  /// Sends to the worker that answers for that incarnation. False: there is none.
  bool say(Life to, const PostWord& word);
  PostWord word(PostKind kind, const LetterName& name, std::uint32_t attempt, Life asked) const;

  Needs needs_;
  PostState state_;
  std::uint64_t numbers_ = 0;
  LetterName reading_;
  /// Sending state of state_.open and state_.answers.
  std::map<LetterName, Saying> letters_, answers_;
  std::map<LetterName, Settled> settled_;  ///< settled messages, not durable yet
  /// Entities about to be removed, with their notes.
  std::map<Handle, std::uint64_t> taken_;
  std::map<LetterName, PostWord> arrived_;
  std::vector<PostWord> to_ourselves_;
  /// Messages of later ticks, kept because checkpoints need that order.
  std::vector<std::pair<WorkerSlot, PostWord>> early_;
};

}  // namespace perigee::worker
