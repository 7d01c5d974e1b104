// Layout of a record, least significant bit first: index, curve 2, turn 2, whether it is a
// difference 1, brevity 2, position; then what curve and turn need.
#include "perigee/base/wire_track.hpp"

#include <algorithm>

#include "record_parts.hpp"
#include "wire_numbers.hpp"

namespace perigee {
namespace record {
namespace {

void put_whole_track(BitWriter& out, const TrackSteps& steps) {
  for (const std::int32_t part : steps.position) {
    out.put(static_cast<std::uint64_t>(part), offset_bits);
  }
  if (steps.curve != TrackCurve::Still) put_steps(out, steps.velocity, Often::Level);
  if (bends(steps)) put_steps(out, steps.bend, bend_often(steps));
  if (steps.turn == TrackTurn::Yaw) out.put(steps.yaw, yaw_bits);
  if (steps.turn != TrackTurn::Full) return;
  put_rotation(out, steps.rotation);
  for (const SpinSteps* spin : {&steps.spin, &steps.spin_acceleration}) {
    if (spin == &steps.spin_acceleration && !steps.spins_faster) continue;
    out.put(spin->exponent, spin_exponent_bits);
    put_steps(out, spin->steps, Often::Nothing);
  }
}
void take_whole_track(BitReader& in, TrackSteps& steps) {
  for (std::int32_t& part : steps.position) {
    part = static_cast<std::int32_t>(signed_bits(in.take(offset_bits), offset_bits));
  }
  if (steps.curve != TrackCurve::Still) take_steps(in, steps.velocity, Often::Level);
  if (bends(steps)) take_steps(in, steps.bend, bend_often(steps));
  if (steps.turn == TrackTurn::Yaw) steps.yaw = static_cast<std::uint8_t>(in.take(yaw_bits));
  if (steps.turn != TrackTurn::Full) return;
  steps.rotation = take_rotation_steps(in);
  for (SpinSteps* spin : {&steps.spin, &steps.spin_acceleration}) {
    if (spin == &steps.spin_acceleration && !steps.spins_faster) continue;
    spin->exponent = static_cast<std::uint8_t>(in.take(spin_exponent_bits));
    take_steps(in, spin->steps, Often::Nothing);
  }
}

}  // namespace
}  // namespace record

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

EncodedTrack encode_track(Handle handle, const TrackSteps& steps) {
  using namespace record;
  EncodedTrack out;
  out.resize(track_record_bytes_max);
  BitWriter bits({out.begin(), out.size()});
  put_index(bits, handle);
  put_kind(bits, steps, false);
  put_whole_track(bits, steps);
  out.resize(bits.finish());
  return out;
}

EncodedTrack encode_track(const TrackRecord& record, Precision precision, double radius_m) {
  return encode_track(record.handle, steps_of(record.track, precision, radius_m));
}

EncodedHeading encode_heading(Handle handle, const Quat& rotation) {
  using namespace record;
  EncodedHeading out;
  out.resize(EncodedHeading::capacity());
  BitWriter bits({out.begin(), out.size()});
  put_index(bits, handle);
  bits.put(static_cast<std::uint64_t>(TrackCurve::Still), 2);
  bits.put(turn_special, 2);
  bits.put(yaw_steps(rotation), yaw_bits);
  out.resize(bits.finish());
  return out;
}

std::optional<TrackRecord> decode_track(ByteReader& reader, const GroupFrame& frame) {
  using namespace record;
  ByteReader ahead = reader;
  std::span<const std::byte> bytes;
  ahead.view(bytes, std::min(reader.remaining(), track_record_bytes_max));
  BitReader bits(bytes);
  TrackRecord out;
  out.handle = take_handle(bits, frame.block);
  if (out.handle == no_entity) return std::nullopt;
  TrackSteps& steps = out.steps;
  steps.curve = static_cast<TrackCurve>(bits.take(2));
  const std::uint64_t turn = bits.take(2);
  if (turn == turn_special && steps.curve == TrackCurve::Still) {
    out.heading_only = true;
    out.track.rotation = yaw_of(static_cast<std::uint8_t>(bits.take(yaw_bits)));
  } else {
    steps.spins_faster = turn == turn_special;
    steps.turn = steps.spins_faster ? TrackTurn::Full : static_cast<TrackTurn>(turn);
    const bool difference = bits.take(1) != 0;
    steps.brevity = static_cast<std::uint8_t>(bits.take(brevity_bits));
    if (difference) {
      take_difference(bits, out);
    } else {
      take_whole_track(bits, steps);
      if (!is_valid(steps) || !is_possible(steps, frame.precision)) return std::nullopt;
      out.track = track_of(steps, frame.precision);
    }
  }
  if (!bits.ok()) return std::nullopt;
  reader.view(bytes, bits.bytes());
  return out;
}

}  // namespace perigee
