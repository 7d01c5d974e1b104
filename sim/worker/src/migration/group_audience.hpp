/// The clients that know members of a group, and the tracks that they have, as they migrate with
/// it.
#pragma once

#include <utility>
#include <vector>

#include "perigee/base/fabric.hpp"
#include "perigee/base/walk.hpp"
#include "perigee/replication/track_table.hpp"

namespace perigee::worker {

inline constexpr std::size_t subscribers_max = 8192;

template <class Cursor, class Track>
bool walk_shared_track(Cursor& cursor, Track& track) {
  GroupFrame frame = track.frame;
  auto size = static_cast<std::uint8_t>(track.bytes.size());
  if (!cursor.enumerator(frame.precision, Precision::last) || !cursor.number(frame.block) ||
      !cursor.number(frame.parent) || !cursor.number(frame.cell.x) ||
      !cursor.number(frame.cell.y) || !cursor.number(frame.cell.z) ||
      !cursor.tick(track.track.tick) || !cursor.number(track.version) || track.version == 0 ||
      !cursor.number(track.heading) || !cursor.tick(track.turned) || !cursor.number(size) ||
      size > track_record_bytes_max) {
    return false;
  }
  if constexpr (Cursor::reading) {
    track.frame = frame;
    track.bytes.resize(size);
    if (!cursor.copy({track.bytes.begin(), track.bytes.size()})) return false;
    ByteReader reader({track.bytes.begin(), track.bytes.size()});
    const auto read = decode_track(reader, frame);
    if (!read || read->heading_only || read->basis_ticks != 0 || !reader.at_end()) return false;
    track.steps = read->steps;
    const Tick tick = std::exchange(track.track, read->track).tick;
    track.track.tick = tick;
    if (read->track.turn == TrackTurn::Yaw) {
      track.heading_bytes = encode_heading(read->handle, read->track.rotation);
    }
    return true;
  } else {
    return cursor.copy({track.bytes.begin(), track.bytes.size()});
  }
}

/// The shared tracks of each member.
template <class Cursor, class Tracks>
bool walk_tracks(Cursor& cursor, Tracks& tracks, std::size_t members) {
  return walk_counted<std::uint16_t>(cursor, tracks, members, [&](auto& of_member) {
    return walk_counted<std::uint8_t>(cursor, of_member, precisions, [&](auto& track) {
      return walk_shared_track(cursor, track);
    });
  });
}

/// A subscriber of the group: a client that knows some of its members, given by their indexes.
struct GroupSubscriber {
  struct Known {
    std::uint16_t member = 0;
    replication::TrackVersion has;
  };
  ObserverRecord as;
  std::vector<Known> known;

  template <class Cursor, class K>
  static bool walk(Cursor& cursor, K& subscriber, std::size_t members) {
    auto& as = subscriber.as;
    return cursor.number(as.session) && cursor.tick(as.effective) && cursor.vec3(as.position) &&
           cursor.vec3(as.velocity) && cursor.number(as.radius_m) && cursor.number(as.stretch) &&
           cursor.number(as.near_m) &&
           walk_counted<std::uint16_t>(cursor, subscriber.known, members, [&](auto& known) {
             return cursor.number(known.member) && known.member < members &&
                    cursor.number(known.has.version) && cursor.number(known.has.heading) &&
                    cursor.enumerator(known.has.precision, Precision::last);
           });
  }
  template <class Cursor, class Subscribers>
  static bool walk_all(Cursor& cursor, Subscribers& subscribers, std::size_t members) {
    return walk_one_by_one<std::uint16_t>(
        cursor, subscribers, subscribers_max,
        [&](auto& subscriber) { return walk(cursor, subscriber, members); });
  }
};

/// The subscribers, and the tracks that they have.
struct GroupAudience {
  std::vector<std::vector<replication::SharedTrack>> tracks;  ///< by member
  std::vector<GroupSubscriber> subscribers;

  template <class Cursor, class Self>
  static bool walk(Cursor& cursor, Self& self, std::size_t members) {
    return walk_tracks(cursor, self.tracks, members) &&
           GroupSubscriber::walk_all(cursor, self.subscribers, members);
  }
};

}  // namespace perigee::worker
