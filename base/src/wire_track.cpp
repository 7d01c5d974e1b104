// Layout of a record, least significant bit first: index 20, curve 2, turn 2, three offsets of 18
// bits; then what curve and turn need.
#include "perigee/base/wire_track.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "wire_numbers.hpp"

namespace perigee {
namespace {

constexpr int offset_bits = 18;
constexpr int yaw_bits = 10;
/// With the curve Still a record of nothing but the heading, with others a full turn with an
/// angular acceleration.
constexpr std::uint64_t turn_special = 3;
static_assert(turn_special > static_cast<std::uint64_t>(TrackTurn::last));
constexpr int width_bits = 5;
constexpr int rate_width_max = 20;  // bits of a component of velocity or acceleration
constexpr int spin_exponent_bits = 4;
constexpr int spin_width_max = 16;
/// An acceleration acts for the square of a time, and a circle lasts longer than a parabola.
constexpr double parabola_steps = 4, circle_steps = 0.5, spin_acceleration_steps = 4;

/// Bits for whole steps up to `largest` with a sign; 0 for none.
int width_for(double largest, int most) {
  const auto steps = static_cast<std::uint64_t>(std::min(whole(largest), 1e15));
  return steps == 0 ? 0 : std::min(static_cast<int>(std::bit_width(steps)) + 1, most);
}

double largest_of(const Vec3& v) {
  return std::max(std::abs(v.x), std::max(std::abs(v.y), std::abs(v.z)));
}

void put_vector(BitWriter& out, const Vec3& v, double step, int most) {
  const Vec3 steps = v / step;
  const int width = width_for(largest_of(steps), most);
  out.put(static_cast<std::uint64_t>(width), width_bits);
  if (width == 0) return;
  for (const double part : {steps.x, steps.y, steps.z}) put_whole(out, part, width);
}
bool take_vector(BitReader& in, Vec3& v, double step, int most) {
  const auto width = static_cast<int>(in.take(width_bits));
  if (width > most) return false;
  if (width == 0) return true;
  v.x = take_whole(in, width) * step;
  v.y = take_whole(in, width) * step;
  v.z = take_whole(in, width) * step;
  return true;
}

double acceleration_step(Precision precision, TrackCurve curve) {
  return offset_step_m(precision) * (curve == TrackCurve::Circle ? circle_steps : parabola_steps);
}

constexpr double spin_step(std::uint64_t exponent) {
  return 1.0 / static_cast<double>(std::uint64_t{1} << exponent);
}

void put_spin(BitWriter& out, const Vec3& spin, double step_rad_s) {
  std::uint64_t exponent = 0;
  const double largest = largest_of(spin);
  while (exponent + 1 < (1U << spin_exponent_bits) && spin_step(exponent) > step_rad_s &&
         largest / spin_step(exponent + 1) < limit_of(spin_width_max)) {
    ++exponent;
  }
  out.put(exponent, spin_exponent_bits);
  put_vector(out, spin, spin_step(exponent), spin_width_max);
}
bool take_spin(BitReader& in, Vec3& spin) {
  const std::uint64_t exponent = in.take(spin_exponent_bits);
  return take_vector(in, spin, spin_step(exponent), spin_width_max);
}

void put_curve(BitWriter& out, const Track& track, Precision precision) {
  if (track.curve == TrackCurve::Still) return;
  put_vector(out, track.velocity, offset_step_m(precision), rate_width_max);
  if (track.curve == TrackCurve::Straight) return;
  put_vector(out, track.acceleration, acceleration_step(precision, track.curve), rate_width_max);
}
bool take_curve(BitReader& in, Track& track, Precision precision) {
  if (track.curve == TrackCurve::Still) return true;
  if (!take_vector(in, track.velocity, offset_step_m(precision), rate_width_max)) return false;
  if (track.curve == TrackCurve::Straight) return true;
  if (!take_vector(in, track.acceleration, acceleration_step(precision, track.curve),
                   rate_width_max)) {
    return false;
  }
  return track.curve != TrackCurve::Circle ||
         length(circle_turn(track.velocity, track.acceleration)) <= circle_turn_max_rad_s;
}

void put_yaw(BitWriter& out, const Quat& rotation) {
  const double yaw = 2 * arc_tangent(rotation.y, rotation.w);
  const auto steps = static_cast<std::int64_t>(whole(yaw * ((1 << yaw_bits) / (2 * pi))));
  out.put(static_cast<std::uint64_t>(steps), yaw_bits);
}
Quat take_yaw(BitReader& in) {
  return yaw_rotation(static_cast<double>(in.take(yaw_bits)) * (2 * pi) / (1 << yaw_bits));
}

bool accelerates(const Track& track) {
  return track.turn == TrackTurn::Full && track.angular_acceleration != Vec3{};
}
std::uint64_t turn_code(const Track& track) {
  return accelerates(track) ? turn_special : static_cast<std::uint64_t>(track.turn);
}

void put_turn(BitWriter& out, const Track& track, double step_rad) {
  if (track.turn == TrackTurn::Yaw) {
    put_yaw(out, track.rotation);
  } else if (track.turn == TrackTurn::Full) {
    put_rotation(out, track.rotation, step_rad);
    put_spin(out, track.angular_velocity, step_rad);
    if (accelerates(track)) {
      put_spin(out, track.angular_acceleration, step_rad * spin_acceleration_steps);
    }
  }
}
bool take_turn(BitReader& in, Track& track, bool accelerated) {
  if (track.turn == TrackTurn::Yaw) {
    track.rotation = take_yaw(in);
  } else if (track.turn == TrackTurn::Full) {
    track.rotation = take_rotation(in);
    return take_spin(in, track.angular_velocity) &&
           (!accelerated || take_spin(in, track.angular_acceleration));
  }
  return true;
}

}  // namespace

Cell cell_of(const Vec3& world, Precision precision) {
  constexpr double index_max = 32'000;
  const double per_m = 1 / cell_m(precision);  // a power of two: exact
  const auto index = [&](double v) {
    return static_cast<std::int16_t>(std::clamp(whole(v * per_m), -index_max, index_max));
  };
  return {index(world.x), index(world.y), index(world.z)};
}

Vec3 cell_center(const Cell& cell, Precision precision) {
  return Vec3{static_cast<double>(cell.x), static_cast<double>(cell.y),
              static_cast<double>(cell.z)} *
         cell_m(precision);
}

Vec3 origin_of(const GroupFrame& frame) {
  return frame.parent == no_entity ? cell_center(frame.cell, frame.precision) : Vec3{};
}

EncodedTrack encode_track(const TrackRecord& record, Precision precision, double radius_m) {
  constexpr double share = 5;
  const Track& track = record.track;
  EncodedTrack out;
  out.resize(track_record_bytes_max);
  BitWriter bits({out.begin(), out.size()});
  bits.put(record.handle, handle_index_bits);
  PERIGEE_ASSERT(!accelerates(track) || track.curve != TrackCurve::Still,
                 "a track that turns faster and faster must have a curve");
  bits.put(static_cast<std::uint64_t>(track.curve), 2);
  bits.put(turn_code(track), 2);
  const Vec3 offset = track.position / offset_step_m(precision);
  for (const double part : {offset.x, offset.y, offset.z}) put_whole(bits, part, offset_bits);
  put_curve(bits, track, precision);
  put_turn(bits, track, bound_m(precision) / (share * std::max(radius_m, bound_m(precision))));
  out.resize(bits.finish());
  return out;
}

EncodedTrack encode_heading(Handle handle, const Quat& rotation) {
  EncodedTrack out;
  out.resize(track_record_bytes_max);
  BitWriter bits({out.begin(), out.size()});
  bits.put(handle, handle_index_bits);
  bits.put(static_cast<std::uint64_t>(TrackCurve::Still), 2);
  bits.put(turn_special, 2);
  put_yaw(bits, rotation);
  out.resize(bits.finish());
  return out;
}

std::optional<TrackRecord> decode_track(ByteReader& reader, const GroupFrame& frame) {
  ByteReader ahead = reader;
  std::span<const std::byte> bytes;
  ahead.view(bytes, std::min(reader.remaining(), track_record_bytes_max));
  BitReader bits(bytes);
  TrackRecord out;
  out.handle =
      static_cast<Handle>(Handle{frame.block} << handle_index_bits | bits.take(handle_index_bits));
  out.track.curve = static_cast<TrackCurve>(bits.take(2));
  const std::uint64_t turn = bits.take(2);
  if (out.handle == no_entity) return std::nullopt;
  if (turn == turn_special && out.track.curve == TrackCurve::Still) {
    out.heading_only = true;
    out.track.rotation = take_yaw(bits);
    if (!bits.ok()) return std::nullopt;
    reader.view(bytes, bits.bytes());
    return out;
  }
  const bool accelerated = turn == turn_special;
  out.track.turn = accelerated ? TrackTurn::Full : static_cast<TrackTurn>(turn);
  Vec3& at = out.track.position;
  for (double* part : {&at.x, &at.y, &at.z}) {
    *part = take_whole(bits, offset_bits) * offset_step_m(frame.precision);
  }
  if (!take_curve(bits, out.track, frame.precision) || !take_turn(bits, out.track, accelerated) ||
      !bits.ok()) {
    return std::nullopt;
  }
  reader.view(bytes, bits.bytes());
  return out;
}

}  // namespace perigee
