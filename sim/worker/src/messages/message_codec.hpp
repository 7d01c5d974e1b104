/// Messages of players as bytes for other workers: a player's state, the changes of it that a
/// standby logs, and broadcasts. proto/WIRE.md
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>

#include "perigee/base/bytes.hpp"
#include "perigee/base/player_input.hpp"  // Handle
#include "perigee/base/walk.hpp"
#include "perigee/worker/messages/player_messages.hpp"

namespace perigee::worker {

inline constexpr std::size_t broadcasts_heard_max = 1024;
inline constexpr std::size_t message_state_bytes_max =
    24 + messages_waiting_max * (2 + message_bytes_max) + broadcasts_heard_max * 8;

template <class Cursor, class Bytes>
bool walk_message_bytes(Cursor& cursor, Bytes& bytes) {
  auto size = static_cast<std::uint16_t>(bytes.size());
  if (!cursor.number(size) || size > message_bytes_max) return false;
  if constexpr (Cursor::reading) bytes.resize(size);
  return cursor.copy(bytes);
}

template <class Cursor, class Heard>
bool walk_broadcasts_heard(Cursor& cursor, Heard& heard) {
  auto count = static_cast<std::uint16_t>(heard.size());
  if (!cursor.number(count) || count > broadcasts_heard_max) return false;
  if constexpr (Cursor::reading) {
    heard.clear();
    for (; count > 0; --count) {
      HandleBlock origin;
      std::uint32_t number = 0;
      if (!cursor.id(origin) || !cursor.number(number)) return false;
      heard[origin] = number;
    }
  } else {
    for (const auto& [origin, number] : heard) {
      if (!cursor.id(origin) || !cursor.number(number)) return false;
    }
  }
  return true;
}

template <class Cursor, class S>
bool walk_message_state(Cursor& cursor, S& state) {
  return cursor.number(state.conversation) && cursor.number(state.heard) &&
         cursor.number(state.first) &&
         walk_one_by_one<std::uint8_t>(
             cursor, state.told, messages_waiting_max,
             [&](auto& message) { return walk_message_bytes(cursor, message); }) &&
         walk_broadcasts_heard(cursor, state.broadcasts) && walk_tick(cursor, state.drops_until);
}

/// A broadcast of one worker to all players.
struct Broadcast {
  HandleBlock origin;        ///< the incarnation whose game has sent it
  std::uint32_t number = 0;  ///< of that incarnation, from 1 on
  MessageBytes bytes;
};
template <class Cursor, class B>
bool walk_broadcast(Cursor& cursor, B& broadcast) {
  return cursor.id(broadcast.origin) && cursor.number(broadcast.number) &&
         walk_message_bytes(cursor, broadcast.bytes);
}

/// The messages of all players of a worker that must survive it, and the broadcasts that it keeps.
struct MessageLogs {
  struct Kept {
    MessageBytes bytes;
    bool sent_here = false;  ///< a successor goes on sending it
  };
  std::map<Handle, MessageState> players;  ///< by avatar
  std::map<HandleBlock, std::map<std::uint32_t, Kept>> broadcasts;
};

enum class MessageRecord : std::uint8_t {
  State,           ///< all of the avatar's
  Begun,           ///< the client's end is another one
  Heard,           ///< by the game, one
  Told,            ///< by the game, one
  Acknowledged,    ///< by the client, `count`
  Gone,            ///< the player is not here any more
  Broadcast,       ///< sent from here
  BroadcastKept,   ///< it has come from another worker
  BroadcastHeard,  ///< a broadcast that is kept, told to the avatar; `count` 0: it had no room
  BroadcastGone,   ///< it is not kept any more
  SenderGone,      ///< nor is anything of this incarnation, which sends nothing more
  last = SenderGone
};

/// A change of MessageLogs.
struct MessageNote {
  MessageRecord kind{};
  Handle avatar = no_entity;  ///< of notes about a player
  MessageState state;         ///< State; Begun: its numbers alone
  std::uint8_t count = 0;     ///< Acknowledged, BroadcastHeard
  Broadcast broadcast;        ///< Told: its bytes alone; Broadcast, BroadcastKept: with bytes

  /// False: it does not fit what was noted before.
  bool apply(MessageLogs& logs) const;
  /// The call of the game that the note belongs to may have had other effects on this worker. The
  /// player's group must not be elsewhere before those are durable.
  bool has_effects() const {
    return kind == MessageRecord::Heard || kind == MessageRecord::Told ||
           kind == MessageRecord::BroadcastHeard;
  }
};

template <class Cursor, class N>
bool walk_note_body(Cursor& cursor, N& note) {
  switch (note.kind) {
    case MessageRecord::State:
      return walk_message_state(cursor, note.state);
    case MessageRecord::Begun:
      return cursor.number(note.state.conversation) && cursor.number(note.state.heard) &&
             cursor.number(note.state.first);
    case MessageRecord::Told:
      return walk_message_bytes(cursor, note.broadcast.bytes);
    case MessageRecord::Acknowledged:
      return cursor.number(note.count);
    case MessageRecord::Broadcast:
    case MessageRecord::BroadcastKept:
      return walk_broadcast(cursor, note.broadcast);
    case MessageRecord::BroadcastHeard:
      return cursor.id(note.broadcast.origin) && cursor.number(note.broadcast.number) &&
             cursor.flag(note.count);
    case MessageRecord::BroadcastGone:
    case MessageRecord::SenderGone:
      return cursor.id(note.broadcast.origin) && cursor.number(note.broadcast.number);
    case MessageRecord::Heard:
    case MessageRecord::Gone:
      return true;
  }
  return false;
}
template <class Cursor, class N>
bool walk_message_note(Cursor& cursor, N& note) {
  return cursor.enumerator(note.kind, MessageRecord::last) && cursor.number(note.avatar) &&
         walk_note_body(cursor, note);
}

/// A broadcast on its way to another worker, and the answer.
struct BroadcastFrame {
  std::uint32_t cluster_id = 0;  ///< the cluster id of the sender's map
  bool answer = false;           ///< the broadcasts up to this number have arrived
  std::uint32_t oldest = 0;      ///< number of the oldest one that the sender still has
  Broadcast broadcast;           ///< of an answer without bytes
};
template <class Cursor, class F>
bool walk_broadcast_frame(Cursor& cursor, F& frame) {
  return cursor.number(frame.cluster_id) && cursor.flag(frame.answer) &&
         cursor.number(frame.oldest) && walk_broadcast(cursor, frame.broadcast);
}

}  // namespace perigee::worker
