/// Letters: what an outcome does to somebody whom another worker may own, read there exactly once.
/// (decision 0042)
///
///   sender                          whoever has the addressee
///     │ letter 7, attempt 1 ─────────────▶│ not here: noted for good
///     │◀─────────────────── 7, 1: not here│
///     │ letter 7, attempt 2 ─────────────▶│ (another life) read, noted
///     │◀───────────────────────── 7, 2: read│
///     │ settled ─────────────────────────▶│ forgets it
///
/// Each step is said when the sayer's buddy has it, so a life's heir knows all that was ever said.
/// A letter has one life at a time that may read it: it is addressed to the next one after the last
/// has said for good that it does not have the addressee.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "handoffs.hpp"
#include "post_codec.hpp"

namespace perigee::worker {

class Core::Post {
 public:
  using Life = Handoffs::Life;
  static constexpr std::size_t open_max = 4096;     ///< more are refused
  static constexpr std::size_t arrived_max = 4096;  ///< more wait at their senders
  static constexpr std::size_t answers_max = 65'536;
  static constexpr std::int32_t again_ticks = 12;
  static constexpr std::int32_t next_ticks = 6;  ///< from an answer to the next attempt
  /// Nobody has had the addressee for so long: it has left.
  static constexpr std::int32_t patience_ticks = 600;
  static constexpr std::size_t events_per_letter = 2;

  explicit Post(Core& core) : core_(core) {}

  bool send(const world::Letter& letter);
  /// A letter of a world that begins again, for somebody who is here.
  void enter(const CutLetter& letter);
  /// Whose consequences are being decided. None: no letter's.
  const LetterName& reading() const { return reading_; }
  bool take(Handle thing, world::TypeId type);
  /// It is about to go, and belongs to whoever took it.
  bool taken(Handle thing) const { return state_.taken.contains(thing); }
  void on_word(WorkerSlot from, std::span<const std::byte> bytes);
  void after_tick();

  /// Of a life that has ended, and that this one goes on with.
  void inherit(const PostState& of);
  /// For a buddy who begins to listen.
  void for_each_note(const std::function<void(const PostNote&)>& visit) const;
  /// Nothing is under way to or from here.
  bool empty() const;
  std::size_t open() const { return state_.open.size(); }

 private:
  /// When something was noted, and said.
  struct Saying {
    std::uint64_t note = 0;  ///< durable once the buddy has this one
    std::optional<Tick> said;
    Tick not_before;
  };
  struct Settled {
    std::uint32_t attempt = 0;
    Life asked = 0;
    std::uint64_t note = 0;
  };
  /// Null: nobody has it, or another worker.
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
  /// To whoever goes on with that life. False: nobody does.
  bool say(Life to, const PostWord& word);
  PostWord word(PostKind kind, const LetterName& name, std::uint32_t attempt, Life asked) const;

  Core& core_;
  PostState state_;
  std::uint64_t numbers_ = 0;
  LetterName reading_;
  std::map<LetterName, Saying> letters_, answers_;  ///< of state_.open and state_.answers
  std::map<LetterName, Settled> settled_;           ///< not durable yet
  std::map<Handle, std::uint64_t> taken_;           ///< things, with their notes
  std::map<LetterName, PostWord> arrived_;
  std::vector<PostWord> to_ourselves_;
  std::vector<std::pair<WorkerSlot, PostWord>> early_;  ///< for ticks to come: cuts need that
};

}  // namespace perigee::worker
