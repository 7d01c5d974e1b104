/// Messages between workers about entities near borders, as bytes. proto/WIRE.md
#pragma once

#include <cstdint>
#include <span>

#include "perigee/base/bytes.hpp"
#include "perigee/base/ids.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/walk.hpp"
#include "perigee/world/codec.hpp"
#include "perigee/world/voxels.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

/// The first byte of every message between workers.
enum class PeerKind : std::uint8_t {
  Migration,
  Ghosts,       ///< GhostHead, then GhostRecords to the end
  GhostsAgain,  ///< GhostsAgain: messages were lost
  /// Has a worker the client's avatar? A join record from the worker that would spawn one.
  WhoHas,
  Has,          ///< the answer
  ReplicaPart,  ///< ReplicaHead, then ReplicaRecords to the end: to the sender's standby
  Replica,      ///< like ReplicaPart, and the last of its tick
  ReplicaAnswer,
  Mailbox,       ///< MailboxFrame: mailbox messages
  RaycastQuery,  ///< remote raycast: query
  RaycastReply,  ///< its reply
  Broadcast,     ///< BroadcastFrame: to all players
  last = Broadcast
};

template <class Kind>
bool put(ByteWriter& writer, Kind kind) {
  return writer.number(static_cast<std::uint8_t>(kind));
}

/// One message of a stream. An epoch begins with message 0, and sends all entities again.
struct GhostHead {
  std::uint32_t cluster_id = 0;  ///< the cluster id of the sender's map
  Incarnation incarnation;       ///< the sender's worker incarnation
  std::uint32_t epoch = 0;
  std::uint32_t sequence = 0;
  Tick tick;           ///< the tick of all content of the message
  bool whole = false;  ///< with this message everything has been sent in this epoch
  /// Boxes around the sender's entities outside of its own regions, one for each region that they
  /// are in. The last box also covers the entities in further regions.
  static constexpr std::size_t out_of_region_max = 4;
  FixedVector<world::Bounds, out_of_region_max> out_of_region;
};
template <class Cursor, class Head>
bool walk(Cursor& cursor, Head& head) {
  return cursor.number(head.cluster_id) && cursor.id(head.incarnation) &&
         cursor.number(head.epoch) && cursor.number(head.sequence) && cursor.tick(head.tick) &&
         cursor.flag(head.whole) && walk_list(cursor, head.out_of_region, [&](auto& box) {
           return cursor.vec3(box.low) && cursor.vec3(box.high);
         });
}

/// Requests epoch + 1.
struct GhostsAgain {
  std::uint32_t cluster_id = 0, epoch = 0;
};
template <class Cursor>
bool walk_again(Cursor& cursor, auto& again) {
  return cursor.number(again.cluster_id) && cursor.number(again.epoch);
}

enum class GhostRecord : std::uint8_t {
  /// Identity and present state: when it enters the band, and for changes of a scheduled object.
  Thing,
  Motion,  ///< motion of a body
  Trace,   ///< motion of an actor
  Gone,    ///< the entity left the band, or was despawned
  Chunk,   ///< changed chunk of voxel ground: GhostChunk
  State,   ///< changed state of an entity: GhostState
  last = State
};

/// A whole chunk as its owner has it, with the edits that are not settled.
struct GhostChunk {
  Handle patch = no_entity;
  std::uint16_t chunk = 0, version = 0;
  ChunkBits bits{};
};
template <class Cursor>
bool walk_ghost_chunk(Cursor& cursor, auto& chunk) {
  bool ok =
      cursor.number(chunk.patch) && cursor.number(chunk.chunk) && cursor.number(chunk.version);
  for (auto& row : chunk.bits) ok = ok && cursor.number(row);
  return ok;
}

/// Comes before all other changes of a tick except Gone. To the standby none is deferred: it has
/// the states of things and of players of the same tick. To neighbours some are.
struct GhostState {
  Handle thing = no_entity;
  world::ThingState state;
};
template <class Cursor>
bool walk_ghost_state(Cursor& cursor, auto& changed) {
  return cursor.number(changed.thing) && world::walk_thing_state(cursor, changed.state);
}

struct GhostThing {
  world::Entity entity;
  Motion motion;            ///< bodies
  world::ActorTrace trace;  ///< actors
  world::TimelineLog log;   ///< scheduled objects
  world::ThingState state;  ///< of a type that has one
};
/// Voxel ground has its initial content: changed chunks follow.
template <class Cursor, class Thing>
bool walk_thing(Cursor& cursor, Thing& thing, std::span<const world::EntityType> types) {
  auto& entity = thing.entity;
  const bool ok = cursor.number(entity.id.bits) && cursor.number(entity.handle) &&
                  cursor.number(entity.type) && cursor.number(entity.respawns) &&
                  cursor.number(entity.parent) &&
                  world::sparse(cursor, world::fields_of_pose(entity.local));
  if (!ok || entity.handle == no_entity || entity.type >= types.size()) return false;
  const world::EntityType& type = types[entity.type];
  if (type.state != nullptr && !world::walk_thing_state(cursor, thing.state)) return false;
  switch (type.kind) {
    case world::EntityKind::Static:
      return entity.parent == no_entity;
    case world::EntityKind::Body:
      return entity.parent == no_entity && world::walk_motion(cursor, thing.motion);
    case world::EntityKind::Actor:
      return world::walk_trace(cursor, thing.trace);
    case world::EntityKind::Timeline:
      return entity.parent != entity.handle && world::walk_log(cursor, thing.log, entity.handle);
  }
  return false;
}

}  // namespace perigee::worker
