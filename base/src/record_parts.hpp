/// Parts of records: handles, kinds, and vectors of steps, for whole tracks and for differences.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "perigee/base/assert.hpp"
#include "perigee/base/bits.hpp"
#include "perigee/base/wire_track.hpp"

namespace perigee::record {

/// With the curve Still a record of nothing but the heading, with others a full turn with an
/// angular acceleration.
inline constexpr std::uint64_t turn_special = 3;
static_assert(turn_special > static_cast<std::uint64_t>(TrackTurn::last));

/// Widths of a handle's index, by their code of two bits: small ones are short.
inline constexpr int index_code_bits = 2;
inline constexpr std::array<std::uint8_t, 1 << index_code_bits> index_widths{8, 11, 14,
                                                                             handle_index_bits};

/// Widths of vectors, by their code of four bits.
inline constexpr int width_code_bits = 4;
inline constexpr std::array<std::uint8_t, 1 << width_code_bits> widths{
    0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20};
static_assert(rate_width_max <= widths.back() && offset_bits <= widths.back());

/// By the bits of the largest component without its sign: the code of the least width that holds
/// it; widths.size() if none does.
inline constexpr auto codes_of_bits = [] {
  std::array<std::uint8_t, 33> out{};
  for (std::size_t bits = 0; bits < out.size(); ++bits) {
    std::size_t code = 1;
    while (code < widths.size() && widths[code] < bits + 1) ++code;
    out[bits] = static_cast<std::uint8_t>(code);
  }
  return out;
}();

/// The code of the least width that holds all components; widths.size() if none does.
inline std::size_t width_code(const Steps& steps) {
  std::uint32_t any = 0, ones = 0;
  for (const std::int32_t part : steps) {
    any |= static_cast<std::uint32_t>(part);
    ones |= static_cast<std::uint32_t>(part ^ (part >> 31));
  }
  return any == 0 ? 0 : codes_of_bits[static_cast<std::size_t>(std::bit_width(ones))];
}
/// What a vector often is: level ones have no y, upright ones only y. Then a bit says so, and those
/// components are left out.
enum class Often : std::uint8_t { Nothing, Level, Upright };
inline bool is_often(const Steps& steps, Often often) {
  return often == Often::Level ? steps[1] == 0 : steps[0] == 0 && steps[2] == 0;
}
constexpr bool leaves_out(Often often, std::size_t component) {
  return (often == Often::Level) == (component == 1);
}

inline int bits_of(const Steps& steps, Often often) {
  constexpr int too_many = 1000;
  const std::size_t code = width_code(steps);
  if (code == widths.size()) return too_many;
  const int width = widths[code];
  if (often == Often::Nothing || width == 0) return 3 * width;
  return 1 + (!is_often(steps, often) ? 3 : often == Often::Level ? 2 : 1) * width;
}
inline void put_steps(BitWriter& out, const Steps& steps, Often often) {
  const std::size_t code = width_code(steps);
  PERIGEE_ASSERT(code < widths.size(), "steps must fit the widest vector");
  out.put(code, width_code_bits);
  if (code == 0) return;
  const bool is = often != Often::Nothing && is_often(steps, often);
  if (often != Often::Nothing) out.put(is ? 1 : 0, 1);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is || !leaves_out(often, i)) out.put(static_cast<std::uint64_t>(steps[i]), widths[code]);
  }
}
inline void take_steps(BitReader& in, Steps& steps, Often often) {
  const int width = widths[static_cast<std::size_t>(in.take(width_code_bits))];
  if (width == 0) return;
  const bool is = often != Often::Nothing && in.take(1) != 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (is && leaves_out(often, i)) continue;
    steps[i] = static_cast<std::int32_t>(signed_bits(in.take(width), width));
  }
}

inline Steps minus(const Steps& a, const Steps& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
/// False if the sum needs more bits.
inline bool add(Steps& to, const Steps& more, int bits) {
  const std::int32_t limit = (1 << (bits - 1)) - 1;
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i] += more[i];
    if (to[i] < -limit || to[i] > limit) return false;
  }
  return true;
}

inline void put_index(BitWriter& out, Handle handle) {
  const std::uint64_t index = handle & low_bits(handle_index_bits);
  std::size_t code = 0;
  while (index > low_bits(index_widths[code])) ++code;
  out.put(code, index_code_bits);
  out.put(index, index_widths[code]);
}
inline Handle take_handle(BitReader& in, std::uint16_t block) {
  const int width = index_widths[static_cast<std::size_t>(in.take(index_code_bits))];
  return static_cast<Handle>(Handle{block} << handle_index_bits | in.take(width));
}

inline void put_kind(BitWriter& out, const TrackSteps& steps, bool difference) {
  PERIGEE_ASSERT(!steps.spins_faster || steps.curve != TrackCurve::Still,
                 "a track that turns faster and faster must have a curve");
  out.put(static_cast<std::uint64_t>(steps.curve), 2);
  out.put(steps.spins_faster ? turn_special : static_cast<std::uint64_t>(steps.turn), 2);
  out.put(difference ? 1 : 0, 1);
  out.put(steps.brevity, brevity_bits);
}

inline bool bends(const TrackSteps& steps) {
  return steps.curve == TrackCurve::Parabola || steps.curve == TrackCurve::Circle;
}
inline Often bend_often(const TrackSteps& steps) {
  return steps.curve == TrackCurve::Circle ? Often::Upright : Often::Level;
}

inline bool is_valid(const Steps& steps, int bits) {
  Steps zero{};
  return add(zero, steps, bits);
}
/// Whether the steps have no more bits than the writer gives them.
inline bool is_valid(const TrackSteps& steps) {
  return is_valid(steps.position, offset_bits) && is_valid(steps.velocity, rate_width_max) &&
         is_valid(steps.bend, rate_width_max) && is_valid(steps.spin.steps, spin_width_max) &&
         is_valid(steps.spin_acceleration.steps, spin_width_max);
}

/// A difference behind its brevity.
void take_difference(BitReader& in, TrackRecord& record);

}  // namespace perigee::record
