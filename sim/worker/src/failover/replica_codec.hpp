/// Replication to the standby, in addition to the ghosts that all neighbours receive, as bytes.
/// proto/WIRE.md
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "migration/migrations.hpp"
#include "outcomes/mailbox_codec.hpp"
#include "perigee/base/bytes.hpp"
#include "perigee/base/ids.hpp"
#include "perigee/base/walk.hpp"
#include "perigee/worker/durability/checkpoint.hpp"
#include "perigee/worker/players/player.hpp"

namespace perigee::worker {

/// One message of a stream. It begins with message 0: all logs, and outcomes that wait for the
/// journal.
struct ReplicaHead {
  std::uint32_t cluster_id = 0;  ///< the cluster id of the sender's map
  Incarnation incarnation;       ///< the sender's worker incarnation
  std::uint32_t stream = 0;
  std::uint32_t sequence = 0;
};
template <class Cursor>
bool walk_replica_head(Cursor& cursor, auto& head) {
  return cursor.number(head.cluster_id) && cursor.id(head.incarnation) &&
         cursor.number(head.stream) && cursor.number(head.sequence);
}

/// Answer to the sender of the stream: everything up to this message is here. With `again`:
/// something is missing, and the stream must start over.
struct ReplicaAnswer {
  std::uint32_t cluster_id = 0;
  std::uint32_t stream = 0;
  std::uint32_t sequence = 0;
  bool again = false;
};
template <class Cursor>
bool walk_replica_answer(Cursor& cursor, auto& answer) {
  return cursor.number(answer.cluster_id) && cursor.number(answer.stream) &&
         cursor.number(answer.sequence) && cursor.flag(answer.again);
}

enum class ReplicaRecord : std::uint8_t {
  Log,          ///< ReplicaLog, then its groups
  Entry,        ///< ReplicaEntry, then the group's state if it was received
  Left,         ///< ReplicaLeft, then the group's sent state
  Outcome,      ///< OutcomeRow: on its way into the journal
  Stored,       ///< number: it is in the journal
  Note,         ///< MailboxEntry
  Hinges,       ///< all of them
  MessageNote,  ///< size, and the note
  LastingNote,  ///< size, and the note
  Tick,         ///< ReplicaTick, then all players
  last = Tick
};

struct ReplicaTick {
  Tick tick;     ///< the next tick that the players are stepped for
  Tick settled;  ///< newest tick with committed outcomes
  std::uint16_t players = 0;
};
template <class Cursor>
bool walk_replica_tick(Cursor& cursor, auto& tick) {
  return cursor.tick(tick.tick) && cursor.tick(tick.settled) && cursor.number(tick.players);
}

template <class Cursor>
bool walk_outcome_row(Cursor& cursor, auto& row) {
  auto& entry = row.entry;
  return cursor.number(row.number) && cursor.number(row.ordinal) &&
         walk_name(cursor, row.message) && cursor.tick(entry.tick) && cursor.number(entry.index) &&
         cursor.number(entry.kind) && cursor.number(entry.actor) && cursor.number(entry.target) &&
         cursor.number(entry.amount);
}

/// Entries of kinds that no log has are refused: a ledger cannot apply them.
template <class Cursor>
bool walk_log_entry(Cursor& cursor, auto& entry) {
  using migration::EntryKind;
  return cursor.enumerator(entry.kind, EntryKind::Admit) &&
         (entry.kind <= EntryKind::Resume || entry.kind == EntryKind::Admit) &&
         cursor.number(entry.group) && cursor.number(entry.gver) && cursor.id(entry.peer) &&
         walk_zero<std::uint32_t>(cursor) && cursor.tick(entry.effect);
}

template <class Cursor>
bool walk_log_group(Cursor& cursor, auto& group) {
  const auto answer = [&](auto& each) {
    return cursor.number(each.gver) && cursor.number(each.index);
  };
  return cursor.enumerator(group.place, migration::Place::Leaving) && cursor.number(group.gver) &&
         cursor.id(group.peer) && cursor.tick(group.effect) && cursor.number(group.index) &&
         answer(group.taken) && cursor.number(group.closed) &&
         walk_counted<std::uint8_t>(cursor, group.refused, MigrationTraits::refusals_max, answer);
}

/// The head of a log; `groups` groups follow.
struct ReplicaLog {
  HandleBlock incarnation;
  Epoch epoch;
  migration::LogIndex entries = 0;
  std::uint32_t groups = 0;
};
template <class Cursor>
bool walk_replica_log(Cursor& cursor, auto& log) {
  return cursor.id(log.incarnation) && cursor.id(log.epoch) && cursor.number(log.entries) &&
         cursor.number(log.groups);
}
template <class Cursor>
bool walk_replica_group(Cursor& cursor, auto& root, auto& group) {
  return cursor.number(root) && walk_log_group(cursor, group);
}

/// A log entry; `state_bytes` bytes of the group's state follow.
struct ReplicaEntry {
  HandleBlock incarnation;
  Migrations::Entry entry;
  std::uint32_t state_bytes = 0;
};
template <class Cursor>
bool walk_replica_entry(Cursor& cursor, auto& record) {
  return cursor.id(record.incarnation) && walk_log_entry(cursor, record.entry) &&
         cursor.number(record.state_bytes);
}

/// A group that has left; `state_bytes` bytes of its state follow.
struct ReplicaLeft {
  HandleBlock incarnation;
  migration::GroupId group = 0;
  std::uint32_t state_bytes = 0;
};
template <class Cursor>
bool walk_replica_left(Cursor& cursor, auto& left) {
  return cursor.id(left.incarnation) && cursor.number(left.group) &&
         cursor.number(left.state_bytes);
}

/// A player that continues at another worker, with tick `next`.
struct ReplicaPlayer {
  std::unique_ptr<Player> player;
  Tick next;
  Tick settled;  ///< newest tick with committed outcomes
};

}  // namespace perigee::worker
