/// What letters leave behind, and what workers say of them, as bytes. proto/WIRE.md
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "perigee/netcode/bytes.hpp"
#include "perigee/worker/cut.hpp"
#include "perigee/world/outcome.hpp"

namespace perigee::worker {

/// A letter that nobody has said to have read.
struct OpenLetter {
  world::Letter letter;
  bool returned = false;      ///< it goes to `letter.from`
  std::uint32_t attempt = 0;  ///< larger with each life that it is addressed to
  std::uint32_t asked = 0;    ///< that life
  Tick since;                 ///< that it goes this way
  Handle addressee() const { return returned ? letter.from : letter.to; }
};

/// What a life has answered, for good: whoever is asked the same again answers the same.
struct LetterAnswer {
  std::uint32_t attempt = 0;
  bool here = false;  ///< it has been read; else whom it is for is not here
};

/// What must outlive a worker of all that it has sent and read.
struct PostState {
  std::map<LetterName, OpenLetter> open;
  std::map<LetterName, LetterAnswer> answers;
  std::set<Handle> taken;  ///< things that are about to go
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
  Letter,   ///< to the life that is asked
  Answer,   ///< to the life that it is named after
  Settled,  ///< back: the answer may be forgotten
  last = Settled
};

/// What one worker says to another of a letter.
struct PostWord {
  std::uint32_t incarnation = 0;  ///< of the sender's map
  PostKind kind{};
  LetterName name;
  std::uint32_t attempt = 0;
  std::uint32_t asked = 0;  ///< the life that it is, or was, addressed to
  bool flag = false;        ///< Letter: it is returned; Answer: it has been read
  Tick tick;                ///< of the sender: nobody hears of it in an earlier one of its own
  world::Letter letter;     ///< Letter
};
template <class Cursor>
bool walk_post_word(Cursor& cursor, auto& word) {
  return cursor.number(word.incarnation) && cursor.enumerator(word.kind, PostKind::last) &&
         walk_name(cursor, word.name) && cursor.number(word.attempt) && cursor.number(word.asked) &&
         cursor.flag(word.flag) && cursor.tick(word.tick) &&
         (word.kind != PostKind::Letter || walk_letter(cursor, word.letter));
}

}  // namespace perigee::worker
