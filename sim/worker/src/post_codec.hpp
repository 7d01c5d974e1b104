/// The mailbox's durable state and its messages as bytes. proto/WIRE.md
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "perigee/netcode/bytes.hpp"
#include "perigee/worker/cut.hpp"
#include "perigee/world/outcome.hpp"

namespace perigee::worker {

/// A message that no owner has acknowledged as processed.
struct OpenLetter {
  world::Letter letter;
  bool returned = false;      ///< the message goes to `letter.from`
  std::uint32_t attempt = 0;  ///< grows with each incarnation that it is addressed to
  std::uint32_t asked = 0;    ///< the incarnation that it is addressed to
  Tick since;                 ///< tick at which it was first sent in this direction
  Handle addressee() const { return returned ? letter.from : letter.to; }
};

/// An incarnation's permanent answer: it answers the same if it is asked again.
struct LetterAnswer {
  std::uint32_t attempt = 0;
  bool here = false;  ///< the message was processed; else the addressee is not here
};

/// The state of the mailbox that must survive a worker.
struct PostState {
  std::map<LetterName, OpenLetter> open;
  std::map<LetterName, LetterAnswer> answers;
  std::set<Handle> taken;  ///< entities that are about to be removed
};

enum class PostRecord : std::uint8_t { Open, Settled, Answer, Forgotten, Taken, Gone, last = Gone };

/// A change of a PostState.
struct PostNote {
  PostRecord kind{};
  LetterName name;
  OpenLetter open;           ///< Open
  LetterAnswer answer;       ///< Answer
  Handle thing = no_entity;  ///< Taken, Gone: instead of a name
  void apply(PostState& state) const {
    switch (kind) {
      case PostRecord::Open:
        state.open[name] = open;
        return;
      case PostRecord::Settled:
        state.open.erase(name);
        return;
      case PostRecord::Answer:
        state.answers[name] = answer;
        return;
      case PostRecord::Forgotten:
        state.answers.erase(name);
        return;
      case PostRecord::Taken:
        state.taken.insert(thing);
        return;
      case PostRecord::Gone:
        state.taken.erase(thing);
        return;
    }
  }
};

template <class Cursor>
bool walk_name(Cursor& cursor, auto& name) {
  return cursor.number(name.life) && cursor.number(name.number);
}
template <class Cursor>
bool walk_letter(Cursor& cursor, auto& letter) {
  return cursor.tick(letter.tick) && cursor.number(letter.index) && cursor.number(letter.kind) &&
         cursor.number(letter.from) && cursor.number(letter.to) && cursor.number(letter.amount);
}
template <class Cursor>
bool walk_note(Cursor& cursor, auto& note) {
  if (!cursor.enumerator(note.kind, PostRecord::last)) return false;
  if (note.kind == PostRecord::Taken || note.kind == PostRecord::Gone) {
    return cursor.number(note.thing);
  }
  if (!walk_name(cursor, note.name)) return false;
  switch (note.kind) {
    case PostRecord::Open:
      return walk_letter(cursor, note.open.letter) && cursor.flag(note.open.returned) &&
             cursor.number(note.open.attempt) && cursor.number(note.open.asked) &&
             cursor.tick(note.open.since);
    case PostRecord::Answer:
      return cursor.number(note.answer.attempt) && cursor.flag(note.answer.here);
    default:
      return true;
  }
}

enum class PostKind : std::uint8_t {
  Letter,   ///< message to the incarnation that is asked
  Answer,   ///< answer to the incarnation in the message's name
  Settled,  ///< notice to the incarnation that answered: the answer may be forgotten
  last = Settled
};

/// A mailbox message as workers send it.
struct PostWord {
  std::uint32_t incarnation = 0;  ///< the cluster id of the sender's map
  PostKind kind{};
  LetterName name;
  std::uint32_t attempt = 0;
  std::uint32_t asked = 0;  ///< the incarnation that it is, or was, addressed to
  bool flag = false;        ///< Letter: it is returned; Answer: it was processed
  /// The sender's tick: the message is not processed in an earlier tick of the receiver.
  Tick tick;
  world::Letter letter;  ///< Letter
};
template <class Cursor>
bool walk_post_word(Cursor& cursor, auto& word) {
  return cursor.number(word.incarnation) && cursor.enumerator(word.kind, PostKind::last) &&
         walk_name(cursor, word.name) && cursor.number(word.attempt) && cursor.number(word.asked) &&
         cursor.flag(word.flag) && cursor.tick(word.tick) &&
         (word.kind != PostKind::Letter || walk_letter(cursor, word.letter));
}

}  // namespace perigee::worker
