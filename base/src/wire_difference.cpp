// Differences: what a track adds to the expectation of its basis.
#include <algorithm>
#include <array>

#include "record_parts.hpp"
#include "wire_numbers.hpp"

namespace perigee {
namespace record {
namespace {

/// Widths of the ticks between a basis and a track, by their code of two bits.
constexpr int ago_code_bits = 2;
constexpr std::array<std::uint8_t, 1 << ago_code_bits> ago_widths{4, 6, 10, 20};

/// Fields of a difference that are added to the expected ones.
enum Added : std::uint8_t {
  added_velocity = 1,
  added_bend = 2,
  added_rotation = 4,
  added_spin = 8,
  added_spin_acceleration = 16,
  same_spin_exponent = 32,
  same_spin_acceleration_exponent = 64
};

/// The steps themselves, or what is to be added to the expected ones, whichever is shorter.
void put_nearer(BitWriter& out, const Steps& steps, const Steps& expected, Often often) {
  const Steps more = minus(steps, expected);
  const bool adds = bits_of(more, often) <= bits_of(steps, often);
  out.put(adds ? 1 : 0, 1);
  put_steps(out, adds ? more : steps, often);
}
void take_nearer(BitReader& in, Steps& steps, Often often, std::uint8_t field,
                 std::uint8_t& added) {
  if (in.take(1) != 0) added |= field;
  take_steps(in, steps, often);
}

void put_spin_nearer(BitWriter& out, const SpinSteps& spin, const Steps& expected,
                     std::uint8_t basis_exponent) {
  const bool same = spin.exponent == basis_exponent;
  out.put(same ? 1 : 0, 1);
  if (!same) out.put(spin.exponent, spin_exponent_bits);
  put_nearer(out, spin.steps, expected, Often::Nothing);
}
void take_spin_nearer(BitReader& in, SpinSteps& spin, std::uint8_t field,
                      std::uint8_t same_exponent, std::uint8_t& added) {
  if (in.take(1) != 0) {
    added |= same_exponent;
  } else {
    spin.exponent = static_cast<std::uint8_t>(in.take(spin_exponent_bits));
  }
  take_nearer(in, spin.steps, Often::Nothing, field, added);
}

void put_rotation_nearer(BitWriter& out, const RotationSteps& rotation,
                         const std::optional<RotationSteps>& expected) {
  const bool adds = expected && rotation.width == expected->width &&
                    rotation.largest == expected->largest &&
                    width_code(minus(rotation.parts, expected->parts)) < widths.size();
  out.put(adds ? 1 : 0, 1);
  if (adds) {
    put_steps(out, minus(rotation.parts, expected->parts), Often::Nothing);
  } else {
    put_rotation(out, rotation);
  }
}
void take_rotation_nearer(BitReader& in, RotationSteps& rotation, std::uint8_t& added) {
  if (in.take(1) != 0) {
    added |= added_rotation;
    take_steps(in, rotation.parts, Often::Nothing);
  } else {
    rotation = take_rotation_steps(in);
  }
}

void put_difference(BitWriter& out, const TrackSteps& steps, const Expectation& expected,
                    const TrackSteps& basis) {
  put_steps(out, minus(steps.position, expected.position()), Often::Level);
  if (steps.curve != TrackCurve::Still) {
    put_nearer(out, steps.velocity, expected.velocity(steps.brevity), Often::Level);
  }
  if (bends(steps)) put_nearer(out, steps.bend, expected.bend(steps), bend_often(steps));
  if (steps.turn == TrackTurn::Yaw) out.put(steps.yaw, yaw_bits);
  if (steps.turn != TrackTurn::Full) return;
  put_rotation_nearer(out, steps.rotation, expected.rotation());
  put_spin_nearer(out, steps.spin, expected.spin(steps.spin.exponent), basis.spin.exponent);
  if (!steps.spins_faster) return;
  put_spin_nearer(out, steps.spin_acceleration,
                  expected.spin_acceleration(steps.spin_acceleration.exponent),
                  basis.spin_acceleration.exponent);
}

}  // namespace

void take_difference(BitReader& in, TrackRecord& record) {
  record.basis_ticks = static_cast<std::int32_t>(
                           in.take(ago_widths[static_cast<std::size_t>(in.take(ago_code_bits))])) +
                       1;
  TrackSteps& steps = record.steps;
  take_steps(in, steps.position, Often::Level);
  if (steps.curve != TrackCurve::Still) {
    take_nearer(in, steps.velocity, Often::Level, added_velocity, record.added);
  }
  if (bends(steps)) take_nearer(in, steps.bend, bend_often(steps), added_bend, record.added);
  if (steps.turn == TrackTurn::Yaw) steps.yaw = static_cast<std::uint8_t>(in.take(yaw_bits));
  if (steps.turn != TrackTurn::Full) return;
  take_rotation_nearer(in, steps.rotation, record.added);
  take_spin_nearer(in, steps.spin, added_spin, same_spin_exponent, record.added);
  if (!steps.spins_faster) return;
  take_spin_nearer(in, steps.spin_acceleration, added_spin_acceleration,
                   same_spin_acceleration_exponent, record.added);
}

}  // namespace record

EncodedDifference encode_difference(Handle handle, const TrackSteps& steps, Tick tick,
                                    const TrackBasis& basis, double spin_damping_per_s,
                                    std::size_t whole_bytes) {
  const std::int32_t ticks = ticks_between(basis.tick, tick);
  PERIGEE_ASSERT(ticks > 0 && ticks <= track_ticks_max, "a basis is older, within limits");
  std::array<std::byte, track_record_bytes_max + 12> buffer;
  BitWriter bits(buffer);
  using namespace record;
  put_index(bits, handle);
  put_kind(bits, steps, true);
  std::size_t ago = 0;
  while (static_cast<std::uint64_t>(ticks - 1) > low_bits(ago_widths[ago])) ++ago;
  bits.put(ago, ago_code_bits);
  bits.put(static_cast<std::uint64_t>(ticks - 1), ago_widths[ago]);
  EncodedDifference out;
  const Expectation expected(basis.steps, basis.frame.precision, spin_damping_per_s, ticks);
  if (width_code(minus(steps.position, expected.position())) == widths.size()) return out;
  put_difference(bits, steps, expected, basis.steps);
  const std::size_t size = bits.finish();
  if (size >= whole_bytes || size > difference_bytes_max) return out;
  out.resize(size);
  std::copy_n(buffer.begin(), size, out.begin());
  return out;
}

bool complete(TrackRecord& record, const TrackBasis& basis, double spin_damping_per_s) {
  using namespace record;
  const Precision precision = basis.frame.precision;
  const Expectation expected(basis.steps, precision, spin_damping_per_s, record.basis_ticks);
  TrackSteps out = record.steps;
  const auto adds = [&](std::uint8_t field) { return (record.added & field) != 0; };
  if (adds(same_spin_exponent)) out.spin.exponent = basis.steps.spin.exponent;
  if (adds(same_spin_acceleration_exponent)) {
    out.spin_acceleration.exponent = basis.steps.spin_acceleration.exponent;
  }
  if (!add(out.position, expected.position(), offset_bits)) return false;
  if (adds(added_velocity) && !add(out.velocity, expected.velocity(out.brevity), rate_width_max)) {
    return false;
  }
  // In steps that the velocity determines.
  if (adds(added_bend) && !add(out.bend, expected.bend(out), rate_width_max)) return false;
  if (adds(added_rotation)) {
    const auto rotation = expected.rotation();
    if (!rotation) return false;
    out.rotation.width = rotation->width;
    out.rotation.largest = rotation->largest;
    if (!add(out.rotation.parts, rotation->parts, rotation->width)) return false;
  }
  if (adds(added_spin) && !add(out.spin.steps, expected.spin(out.spin.exponent), spin_width_max)) {
    return false;
  }
  if (adds(added_spin_acceleration) &&
      !add(out.spin_acceleration.steps, expected.spin_acceleration(out.spin_acceleration.exponent),
           spin_width_max)) {
    return false;
  }
  if (!is_valid(out) || !is_possible(out, precision)) return false;
  const Tick tick = record.track.tick;
  record.steps = out;
  record.track = track_of(out, precision);
  record.track.tick = tick;
  return true;
}

}  // namespace perigee
