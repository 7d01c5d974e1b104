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

namespace perigee {

/// Classes of precision, one for each ring of interest. A receiver's error stays below the class's
/// bound between two looks at the entity; positions and rates are written in steps of a fifth of
/// it. Positions are cell + local offset of 18 bits per axis.
enum class Precision : std::uint8_t { Finest, Fine, Middle, Coarse, last = Coarse };
inline constexpr std::size_t precisions = 4;
static_assert(precisions == interest_rings);

/// The largest error of a point of the entity's surface, metres.
constexpr double bound_m(Precision precision) {
  constexpr std::array<double, precisions> bounds_m{0.01, 0.05, 0.2, 1};
  return bounds_m[static_cast<std::size_t>(precision)];
}
constexpr double offset_step_m(Precision precision) {
  constexpr std::array<double, precisions> steps_m{1.0 / 512, 1.0 / 128, 1.0 / 32, 1.0 / 8};
  return steps_m[static_cast<std::size_t>(precision)];
}
constexpr double cell_m(Precision precision) { return offset_step_m(precision) * (1 << 18); }
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
constexpr std::uint8_t handle_block(Handle handle) {
  return static_cast<std::uint8_t>(handle >> handle_index_bits);
}

/// The origin of a group of records: an entity, or a cell of the world.
struct GroupFrame {
  Handle parent = no_entity;
  Cell cell;  ///< if parent == no_entity
  Precision precision = Precision::Finest;
  std::uint8_t block = 0;  ///< of the records' handles
  friend bool operator==(const GroupFrame&, const GroupFrame&) = default;
};
Vec3 origin_of(const GroupFrame& frame);  ///< 0 in a parent's frame

/// One entity's track; absolute and self-contained. Or only the heading of an entity that is still
/// on its track: then tick and rotation alone are set.
struct TrackRecord {
  Handle handle = no_entity;  ///< in the group's block
  /// Its position is the offset from the group's origin, |component| <= offset_limit_m.
  Track track;
  bool heading_only = false;
  Tick sent;  ///< the block's tick
};

/// Tracks get a new tick within this time, so that ages and angles stay bounded: 4.9 hours.
inline constexpr std::int32_t track_ticks_max = 1 << 20;
inline constexpr std::size_t track_record_bytes_max = 52;
/// A record without its age: the same for all observers.
using EncodedTrack = FixedVector<std::byte, track_record_bytes_max>;

/// `radius_m`: of the entity around its origin. The rotation and its rate are written so finely
/// that a point at this distance is off by at most about a fifth of the bound.
EncodedTrack encode_track(const TrackRecord& record, Precision precision, double radius_m);
EncodedTrack encode_heading(Handle handle, const Quat& rotation);
/// Reads one record behind its age. None if the bytes are no record. The track's tick is not set.
std::optional<TrackRecord> decode_track(ByteReader& reader, const GroupFrame& frame);

}  // namespace perigee
