/// The mailbox's durable state and its messages as bytes. proto/WIRE.md
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "perigee/base/bytes.hpp"
#include "perigee/worker/durability/checkpoint.hpp"
#include "perigee/world/outcome.hpp"

namespace perigee::worker {

/// A message that no owner has acknowledged as processed.
struct OpenMessage {
  world::Message message;
  bool returned = false;      ///< the message goes to `message.from`
  std::uint32_t attempt = 0;  ///< grows with each incarnation that it is addressed to
  HandleBlock asked;          ///< the incarnation that it is addressed to
  Tick since;                 ///< tick at which it was first sent in this direction
  Handle addressee() const { return returned ? message.from : message.to; }
};

/// An incarnation's permanent answer: the incarnation gives the same answer if it is asked again.
struct MessageAnswer {
  std::uint32_t attempt = 0;
  bool here = false;  ///< the message was processed; else the addressee is not here
};

/// The state of the mailbox that must survive a worker.
struct MailboxState {
  std::map<MessageId, OpenMessage> open;
  std::map<MessageId, MessageAnswer> answers;
  std::set<Handle> taken;  ///< entities that are about to be removed
};

enum class MailboxRecord : std::uint8_t {
  Open,
  Settled,
  Answer,
  Forgotten,
  Taken,
  Gone,
  last = Gone
};

/// A change of a MailboxState.
struct MailboxEntry {
  MailboxRecord kind{};
  MessageId name;
  OpenMessage open;          ///< Open
  MessageAnswer answer;      ///< Answer
  Handle thing = no_entity;  ///< Taken, Gone: instead of a name
  void apply(MailboxState& state) const {
    switch (kind) {
      case MailboxRecord::Open:
        state.open[name] = open;
        return;
      case MailboxRecord::Settled:
        state.open.erase(name);
        return;
      case MailboxRecord::Answer:
        state.answers[name] = answer;
        return;
      case MailboxRecord::Forgotten:
        state.answers.erase(name);
        return;
      case MailboxRecord::Taken:
        state.taken.insert(thing);
        return;
      case MailboxRecord::Gone:
        state.taken.erase(thing);
        return;
    }
  }
};

template <class Cursor>
bool walk_name(Cursor& cursor, auto& name) {
  return cursor.id(name.incarnation) && cursor.number(name.number);
}
template <class Cursor>
bool walk_message(Cursor& cursor, auto& message) {
  return cursor.tick(message.tick) && cursor.number(message.index) && cursor.number(message.kind) &&
         cursor.number(message.from) && cursor.number(message.to) && cursor.number(message.amount);
}
template <class Cursor>
bool walk_note(Cursor& cursor, auto& note) {
  if (!cursor.enumerator(note.kind, MailboxRecord::last)) return false;
  if (note.kind == MailboxRecord::Taken || note.kind == MailboxRecord::Gone) {
    return cursor.number(note.thing);
  }
  if (!walk_name(cursor, note.name)) return false;
  switch (note.kind) {
    case MailboxRecord::Open:
      return walk_message(cursor, note.open.message) && cursor.flag(note.open.returned) &&
             cursor.number(note.open.attempt) && cursor.id(note.open.asked) &&
             cursor.tick(note.open.since);
    case MailboxRecord::Answer:
      return cursor.number(note.answer.attempt) && cursor.flag(note.answer.here);
    default:
      return true;
  }
}

enum class MailboxFrameKind : std::uint8_t {
  Message,  ///< message to the incarnation that is asked
  Answer,   ///< answer to the incarnation in the message's name
  Settled,  ///< notice to the incarnation that answered: the answer may be forgotten
  last = Settled
};

/// A mailbox message as workers send it.
struct MailboxFrame {
  std::uint32_t cluster_id = 0;  ///< the cluster id of the sender's map
  MailboxFrameKind kind{};
  MessageId name;
  std::uint32_t attempt = 0;
  HandleBlock asked;  ///< the incarnation that it is, or was, addressed to
  bool flag = false;  ///< Message: it is returned; Answer: it was processed
  /// The sender's tick: the message is not processed in an earlier tick of the receiver.
  Tick tick;
  world::Message message;  ///< Message
};
template <class Cursor>
bool walk_mailbox_frame(Cursor& cursor, auto& frame) {
  return cursor.number(frame.cluster_id) && cursor.enumerator(frame.kind, MailboxFrameKind::last) &&
         walk_name(cursor, frame.name) && cursor.number(frame.attempt) && cursor.id(frame.asked) &&
         cursor.flag(frame.flag) && cursor.tick(frame.tick) &&
         (frame.kind != MailboxFrameKind::Message || walk_message(cursor, frame.message));
}

}  // namespace perigee::worker
