/// Records of entities on the wire: a track each, in the frame of its group. Bytes: proto/WIRE.md,
/// section "Track record".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/bytes.hpp"
#include "perigee/base/interest.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/base/track.hpp"
#include "perigee/base/track_steps.hpp"

namespace perigee {

constexpr double cell_m(Precision precision) {
  return offset_step_m(precision) * (1 << offset_bits);
}
/// Largest offset that can be encoded, per axis.
constexpr double offset_limit_m(Precision precision) { return cell_m(precision) / 2; }

struct Cell {
  std::int16_t x = 0, y = 0, z = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};
/// The cell with the nearest centre.
Cell cell_of(const Vec3& world, Precision precision);
Vec3 cell_center(const Cell& cell, Precision precision);

/// A handle is a worker's block and an index in it; a group's records share the block.
inline constexpr int handle_index_bits = 20;
constexpr std::uint16_t handle_block(Handle handle) {
  return static_cast<std::uint16_t>(handle >> handle_index_bits);
}

/// The origin of a group of records: an entity, or a cell of the world.
struct GroupFrame {
  Handle parent = no_entity;
  Cell cell;  ///< if parent == no_entity
  Precision precision = Precision::Finest;
  std::uint16_t block = 0;  ///< of the records' handles
  friend bool operator==(const GroupFrame&, const GroupFrame&) = default;
};
Vec3 origin_of(const GroupFrame& frame);  ///< 0 in a parent's frame

/// A track that a receiver has, with its place in time: a later record may be the difference to
/// where it leads.
struct TrackBasis {
  GroupFrame frame;
  Tick tick;
  TrackSteps steps;
};

/// One entity's track. Or the difference to a basis, which complete() makes a track of. Or only the
/// heading of an entity that is still on its track: then tick and rotation alone are set.
struct TrackRecord {
  Handle handle = no_entity;  ///< in the group's block
  /// Its position is the offset from the group's origin, |component| <= offset_limit_m.
  Track track;
  bool heading_only = false;
  Tick sent;  ///< the block's tick
  /// Of the track. Of a difference: those that it adds to the expected ones.
  TrackSteps steps;
  std::int32_t basis_ticks = 0;  ///< 0: no difference. Else the basis began so long before
  std::uint8_t added = 0;        ///< of a difference: the fields that are added; wire_track.cpp
};

/// Tracks get a new tick within this time, so that ages and angles stay bounded: 4.9 hours.
inline constexpr std::int32_t track_ticks_max = 1 << 20;
inline constexpr std::size_t track_record_bytes_max = 52;
/// A record without its age: the same for all observers.
using EncodedTrack = FixedVector<std::byte, track_record_bytes_max>;
/// No longer than this: otherwise the whole track is sent.
inline constexpr std::size_t difference_bytes_max = 31;
using EncodedDifference = FixedVector<std::byte, difference_bytes_max>;

using EncodedHeading = FixedVector<std::byte, 8>;

EncodedTrack encode_track(Handle handle, const TrackSteps& steps);
EncodedTrack encode_track(const TrackRecord& record, Precision precision, double radius_m);
EncodedHeading encode_heading(Handle handle, const Quat& rotation);
/// The same track as the difference to where `basis`, of the same frame, leads by `tick`. Empty if
/// it would be as long as `whole_bytes`. The receiver's decoded track has the same bits.
EncodedDifference encode_difference(Handle handle, const TrackSteps& steps, Tick tick,
                                    const TrackBasis& basis, double spin_damping_per_s,
                                    std::size_t whole_bytes);
/// Reads one record behind its age. None if the bytes are no record. The track's tick is not set.
std::optional<TrackRecord> decode_track(ByteReader& reader, const GroupFrame& frame);
/// Sets track and steps of a difference. False if there is no such track.
bool complete(TrackRecord& record, const TrackBasis& basis, double spin_damping_per_s);

}  // namespace perigee
