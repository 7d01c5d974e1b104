/// One client as one worker serves it: its viewpoint, the entities that it knows, and its pending
/// events.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/fabric.hpp"
#include "perigee/base/interest.hpp"
#include "perigee/base/reliable_stream.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/replication/cue_queue.hpp"
#include "perigee/replication/known_set.hpp"
#include "perigee/replication/sent_tracks.hpp"
#include "perigee/replication/track_holders.hpp"

namespace perigee::replication {

/// The meaning of an acknowledgement frame.
enum class Acknowledged : std::uint8_t {
  NewestBlock,  ///< it is the first one that names its newest block
  Nothing,      ///< an older or a repeated one, or of another stream epoch
  NeverSent     ///< it names a later block than the newest one sent, and was ignored
};

struct Observer {
  SessionId session = 0;
  std::uint16_t stream_epoch = 0;  ///< of this observer's event stream
  Vec3 position;                   ///< world
  Vec3f velocity;
  float radius_m = static_cast<float>(interest_radius_m);
  /// The next two are chosen by the avatar's owner, and are part of its observer record:
  float stretch = 1;  ///< >= 1
  /// Shrinks if more than near_max entities are within.
  float near_radius_m = static_cast<float>(near_lane_m);
  Handle avatar = no_entity;  ///< set on the owner only
  /// Tick of the newest block that the client has: the one that it names, or a newer one that its
  /// acknowledged events prove.
  std::optional<Tick> received;
  EventSender<WorldEvent> events;
  CueQueue cues;
  KnownSet known;   ///< by the publisher's slots
  SentTracks sent;  ///< of the known ones
  /// Its own in the publisher's TrackHolders while `known` is sized: it must not be copied then.
  TrackHolders::Column column;
  bool sent_all = false;  ///< all entities in reach were examined once
  /// To be spawned again, with all of their news: adopted from another worker, or of a change there
  /// was no room for. At most known_entities_max, each once; some may be unknown by now.
  std::vector<Handle> whole_due;
  std::vector<Handle> lost;           ///< let go to a worker that died: a LostEvent is due
  std::uint32_t bytes_in_period = 0;  ///< of records, since the last tally
  /// Of everything else that this worker sent, packet headers included, since the last tally.
  std::uint32_t other_bytes_in_period = 0;
  /// Packets and their repetitions must be few. Set on the owner only.
  bool narrow_path = false;
  /// Observers take turns: the ticks of its turn depend on the session alone.
  bool turn(Tick now, std::int32_t period_ticks) const {
    return (now.count + session) % static_cast<std::uint32_t>(period_ticks) == 0;
  }
  /// Events for which the window was full; the next sweep tries again.
  std::uint32_t events_deferred = 0;

  /// By a block that was never sent, with a tick far ahead, all events would count as lost, and no
  /// round trip as measured.
  Acknowledged acknowledge(const AcknowledgeFrame& frame) {
    if (frame.stream_epoch != stream_epoch) return Acknowledged::Nothing;
    const std::optional<Tick> newest_sent = sent.newest_sent();
    if (!newest_sent || before(*newest_sent, frame.newest_block)) return Acknowledged::NeverSent;
    const std::optional<Tick> proven = events.acknowledge(frame.events);
    const bool newer = !received || before(*received, frame.newest_block);
    if (newer) received = frame.newest_block;
    if (proven && before(*received, *proven)) received = proven;
    sent.acknowledge(frame.newest_block, frame.complete);
    return newer ? Acknowledged::NewestBlock : Acknowledged::Nothing;
  }
};

}  // namespace perigee::replication
