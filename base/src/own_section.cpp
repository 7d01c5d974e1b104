// One walk for both directions: fields that equal those of the basis take one bit. The basis of a
// section that builds on none is an empty one.
#include "perigee/base/own_section.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>

#include "wire_numbers.hpp"

namespace perigee {
namespace {

constexpr double place_step = 1.0 / (1 << 14);  // m, m/s, m/s^2
constexpr double angle_step = 1.0 / (1 << 18);  // rad/s, rad/s^2
constexpr double rotation_step_rad = 1e-6;
constexpr std::int32_t margin_step_us = 16;
constexpr int width_bits = 6;
constexpr double whole_max = static_cast<double>(std::int64_t{1} << 44);
constexpr int whole_bits_max = 48;  // of a difference

std::int64_t steps_in(double value, double step) {
  PERIGEE_ASSERT(!std::isnan(value), "a worker's states must be numbers");
  return static_cast<std::int64_t>(whole(std::clamp(value / step, -whole_max, whole_max)));
}
using Steps = std::array<std::int64_t, 3>;
template <class V>
Steps steps_of(const V& v, double step) {
  return {steps_in(v.x, step), steps_in(v.y, step), steps_in(v.z, step)};
}
template <class V>
V value_of(const Steps& steps, double step) {
  using Part = decltype(V::x);
  return {static_cast<Part>(static_cast<double>(steps[0]) * step),
          static_cast<Part>(static_cast<double>(steps[1]) * step),
          static_cast<Part>(static_cast<double>(steps[2]) * step)};
}

/// Cursors over bits: number() writes or reads a value, and fails for one that is out of range.
class PutBits {
 public:
  static constexpr bool reading = false;
  explicit PutBits(BitWriter& out) : out_(out) {}
  template <class T>
  bool number(const T& value, int bits) {
    out_.put(static_cast<std::uint64_t>(value), bits);
    return true;
  }
  bool rotation(const Quat& q) {
    put_rotation(out_, q, rotation_step_rad);
    return true;
  }

 private:
  BitWriter& out_;
};
class TakeBits {
 public:
  static constexpr bool reading = true;
  explicit TakeBits(BitReader& in) : in_(in) {}
  template <class T>
  bool number(T& value, int bits) {
    value = static_cast<T>(in_.take(bits));
    return in_.ok();
  }
  bool rotation(Quat& q) {
    q = take_rotation(in_);
    return in_.ok();
  }

 private:
  BitReader& in_;
};

/// A flag, and what follows if it is set. `there` is read or written.
template <class Bits, class Flag, class Walk>
bool walk_if(Bits& b, Flag& there, Walk&& walk_rest) {
  return b.number(there, 1) && (!there || walk_rest());
}
/// A value that mostly equals the one before.
template <class Bits, class T, class Walk>
bool walk_change(Bits& b, T& value, const std::remove_const_t<T>& before, Walk&& walk_value) {
  bool changed = !Bits::reading && !(value == before);
  if constexpr (Bits::reading) value = before;
  return walk_if(b, changed, walk_value);
}

/// Classes of size: 0, or this many bits.
template <class Bits, class T>
bool walk_small(Bits& b, T& small) {
  constexpr std::array<int, 4> sizes{0, 4, 8, 32};
  auto value = static_cast<std::uint32_t>(small);
  std::uint32_t size = 0;
  while (static_cast<int>(std::bit_width(value)) > sizes[size]) ++size;
  if (!b.number(size, 2) || !b.number(value, sizes[size])) return false;
  if constexpr (Bits::reading) small = static_cast<T>(value);
  return static_cast<std::uint32_t>(small) == value;
}
/// Near `from`, mostly before it.
template <class Bits, class T>
bool walk_tick(Bits& b, Tick from, T& tick) {
  const std::int32_t ago = ticks_between(tick, from);
  auto zigzag = static_cast<std::uint32_t>(ago) << 1 ^ (ago < 0 ? ~0U : 0U);
  if (!walk_small(b, zigzag)) return false;
  if constexpr (Bits::reading) {
    tick.count = from.count - (zigzag >> 1 ^ ((zigzag & 1) != 0 ? ~0U : 0U));
  }
  return true;
}

int width_of(std::int64_t value) {
  return value == 0 ? 0
                    : static_cast<int>(
                          std::bit_width(static_cast<std::uint64_t>(value < 0 ? ~value : value))) +
                          1;
}
template <class Bits>
bool walk_signed(Bits& b, std::int64_t& value, int bits) {
  constexpr int half = 32;
  auto low = static_cast<std::uint64_t>(value) & low_bits(half);
  auto high = static_cast<std::uint64_t>(value) >> half;
  const int low_width = std::min(bits, half);
  if (!b.number(low, low_width) || !b.number(high, bits - low_width)) return false;
  if constexpr (Bits::reading) value = signed_bits(high << half | low, bits);
  return true;
}
template <class Bits>
bool walk_steps(Bits& b, Steps& steps) {
  int width = 0;
  for (const std::int64_t part : steps) width = std::max(width, width_of(part));
  if (!b.number(width, width_bits) || width > whole_bits_max) return false;
  for (std::int64_t& part : steps) {
    if (!walk_signed(b, part, width)) return false;
  }
  return true;
}
/// The difference to `expected`, in steps.
template <class Bits, class V>
bool walk_vector(Bits& b, V& v, const Steps& expected, double step) {
  Steps off{};
  if constexpr (!Bits::reading) {
    off = steps_of(v, step);
    for (std::size_t i = 0; i < off.size(); ++i) off[i] -= expected[i];
  }
  if (!walk_steps(b, off)) return false;
  if constexpr (Bits::reading) {
    for (std::size_t i = 0; i < off.size(); ++i) off[i] += expected[i];
    v = value_of<V>(off, step);
  }
  return true;
}
template <class Bits, class V>
bool walk_vector(Bits& b, V& v, double step) {
  return walk_vector(b, v, Steps{}, step);
}

template <class Bits, class T>
bool walk_shared_techniques(Bits& b, T& t) {
  constexpr int timeline_bits = 3;
  static_assert(static_cast<int>(Timeline::last) < 1 << timeline_bits);
  return b.number(t.timeline, timeline_bits) && t.timeline <= Timeline::last &&
         b.number(t.rollback, 1) && b.number(t.relative_prediction, 1);
}

template <class Bits, class Rate>
bool walk_rate(Bits& b, Rate& r) {
  const auto percent = [](std::uint8_t value) {
    return value >= slowest_ppm / ppm_per_percent && value <= 100;
  };
  return b.number(r.percent, 7) && b.number(r.change_in_ticks, 8) && b.number(r.next_percent, 7) &&
         percent(r.percent) && percent(r.next_percent);
}

/// The player itself, and time: constant for long.
template <class Bits, class Own>
bool walk_settings(Bits& b, Own& own, const OwnBasis& before) {
  constexpr int handle_bits = 32;
  return walk_change(b, own.avatar, before.avatar,
                     [&] { return b.number(own.avatar, handle_bits); }) &&
         walk_change(b, own.reset_epoch, before.reset_epoch,
                     [&] { return b.number(own.reset_epoch, 8); }) &&
         walk_change(b, own.techniques, before.techniques,
                     [&] { return walk_shared_techniques(b, own.techniques); }) &&
         walk_change(b, own.delay_ticks, before.delay_ticks,
                     [&] { return b.number(own.delay_ticks, 8); }) &&
         walk_change(b, own.rate, before.rate, [&] { return walk_rate(b, own.rate); });
}

/// A byte of the game's fields is mostly 0: at its default.
template <class Bits, class Rest>
bool walk_resting(Bits& b, Rest& rest) {
  const auto walk_byte = [&](auto& byte) {
    return walk_change(b, byte, std::byte{}, [&] { return b.number(byte, 8); });
  };
  return b.number(rest.yaw, 16) && b.number(rest.pitch, 16) && in_quarter_turn(rest.pitch) &&
         std::all_of(rest.own.changed.begin(), rest.own.changed.end(), walk_byte);
}

/// The worker's answers to inputs.
template <class Bits, class Own>
bool walk_answers(Bits& b, Own& own, Tick block) {
  const bool echo = walk_if(b, own.has_echo, [&] {
    return walk_tick(b, block, own.echo) && walk_small(b, own.echo_age_ticks);
  });
  const bool rest = own.has_echo || walk_change(b, own.rest, RestingInput{},
                                                [&] { return walk_resting(b, own.rest); });
  const bool margin = echo && rest && walk_if(b, own.has_margin, [&] {
                        std::int64_t steps = own.margin_us / margin_step_us;
                        int width = width_of(steps);
                        if (!walk_tick(b, block, own.margin_input) || !b.number(width, 5) ||
                            width > 28 || !walk_signed(b, steps, width)) {
                          return false;
                        }
                        if constexpr (Bits::reading)
                          own.margin_us = static_cast<std::int32_t>(steps) * margin_step_us;
                        return true;
                      });
  bool missed = !Bits::reading && (own.late != 0 || own.guessed != 0);
  return margin &&
         walk_if(b, missed, [&] { return b.number(own.late, 8) && b.number(own.guessed, 8); });
}

/// The place after the time between the two final ticks, by the basis's velocity.
Steps expected_place(const OwnBasis& before, Tick final_tick) {
  const double s = ticks_between(before.final_tick, final_tick) * seconds_per_tick;
  return steps_of(before.final_state.position + to_double(before.final_state.velocity) * s,
                  place_step);
}
std::uint8_t expected_grounded_ticks(const OwnBasis& before, Tick final_tick) {
  const std::int32_t ticks = ticks_between(before.final_tick, final_tick);
  return static_cast<std::uint8_t>(std::clamp(before.final_state.grounded_ticks + ticks, 0, 255));
}

template <class Bits, class Number>
bool walk_exact(Bits& b, Number& value) {
  using Raw = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
  auto raw = std::bit_cast<Raw>(value);
  constexpr int half = 32;
  auto low = static_cast<std::uint32_t>(raw);
  if (!b.number(low, half)) return false;
  auto high = static_cast<std::uint32_t>(std::uint64_t{raw} >> half);
  if (sizeof(Number) == 8 && !b.number(high, half)) return false;
  if constexpr (Bits::reading) {
    raw = static_cast<Raw>(std::uint64_t{high} << half | low);
    value = std::bit_cast<Number>(raw);
  }
  // As far as differences reach. A larger place would become infinite in another frame.
  return !Bits::reading || std::abs(value) <= static_cast<Number>(whole_max * place_step);
}
template <class Bits, class V>
bool walk_exact_vector(Bits& b, V& v) {
  return walk_exact(b, v.x) && walk_exact(b, v.y) && walk_exact(b, v.z);
}

template <class Bits, class State>
bool walk_place(Bits& b, State& state, const OwnBasis& basis, bool same_parent, Tick final_tick) {
  const Steps place = same_parent ? expected_place(basis, final_tick) : Steps{};
  const Steps velocity = steps_of(basis.final_state.velocity, place_step);
  return walk_vector(b, state.position, place, place_step) &&
         walk_vector(b, state.velocity, velocity, place_step);
}

template <class Bits, class State>
bool walk_contacts(Bits& b, State& state, const OwnBasis& basis, Tick final_tick) {
  const ActorState& before = basis.final_state;
  return walk_change(b, state.ground, before.ground, [&] { return b.number(state.ground, 32); }) &&
         walk_change(b, state.flags, before.flags, [&] { return b.number(state.flags, 8); }) &&
         state.flags <= actor_flags_all &&
         walk_change(b, state.coyote_ticks, before.coyote_ticks,
                     [&] { return b.number(state.coyote_ticks, 8); }) &&
         walk_change(b, state.jump_ticks, before.jump_ticks,
                     [&] { return b.number(state.jump_ticks, 8); }) &&
         walk_change(b, state.grounded_ticks, expected_grounded_ticks(basis, final_tick),
                     [&] { return b.number(state.grounded_ticks, 8); });
}

/// The bytes that differ. Eight unchanged ones take one bit together.
template <class Bits, class Game>
bool walk_game(Bits& b, Game& game, const GameBytes& before) {
  constexpr int size_bits = 9;
  constexpr std::uint32_t part_bytes = 8;
  static_assert(game_bytes_max < 1 << size_bits);
  auto size = static_cast<std::uint32_t>(game.size());
  const auto size_before = static_cast<std::uint32_t>(before.size());
  if (!walk_change(b, size, size_before, [&] { return b.number(size, size_bits); })) return false;
  if (size > game_bytes_max) return false;
  if constexpr (Bits::reading) game.resize(size);
  const auto old = [&](std::uint32_t i) { return i < size_before ? before[i] : std::byte{}; };
  for (std::uint32_t from = 0; from < size; from += part_bytes) {
    const std::uint32_t to = std::min(from + part_bytes, size);
    bool changed = false;
    for (std::uint32_t i = from; i < to; ++i) {
      if constexpr (Bits::reading) {
        game[i] = old(i);
      } else {
        changed = changed || game[i] != old(i);
      }
    }
    const bool whole = walk_if(b, changed, [&] {
      for (std::uint32_t i = from; i < to; ++i) {
        if (!walk_change(b, game[i], old(i), [&] { return b.number(game[i], 8); })) return false;
      }
      return true;
    });
    if (!whole) return false;
  }
  return true;
}

template <class Bits, class Own>
bool walk_final(Bits& b, Own& own, const OwnBasis& before, Tick block) {
  if (!walk_tick(b, block, own.final_tick) ||
      !walk_change(b, own.final_parent, before.final_parent,
                   [&] { return b.number(own.final_parent, 32); })) {
    return false;
  }
  const bool same_parent = own.final_parent == before.final_parent;
  const bool place =
      b.number(own.exact, 1) &&
      (own.exact ? walk_exact_vector(b, own.final_state.position) &&
                       walk_exact_vector(b, own.final_state.velocity)
                 : walk_place(b, own.final_state, before, same_parent, own.final_tick));
  return place && walk_contacts(b, own.final_state, before, own.final_tick) &&
         walk_change(b, own.final_game, before.final_game,
                     [&] { return walk_game(b, own.final_game, before.final_game); });
}

template <class Bits, class M>
bool walk_motion(Bits& b, M& motion) {
  return walk_vector(b, motion.pose.position, place_step) && b.rotation(motion.pose.rotation) &&
         walk_vector(b, motion.velocity, place_step) &&
         walk_vector(b, motion.angular_velocity, angle_step) &&
         walk_vector(b, motion.acceleration, place_step) &&
         walk_vector(b, motion.angular_acceleration, angle_step);
}

template <class Bits, class Handles>
bool walk_handles(Bits& b, Handles& handles) {
  constexpr int count_bits = 3;
  auto count = static_cast<std::uint32_t>(handles.size());
  if (!b.number(count, count_bits) || count > OwnBasis::parents_max) return false;
  if constexpr (Bits::reading) handles.resize(count);
  for (auto& handle : handles) {
    if (!b.number(handle, 32)) return false;
  }
  return true;
}

/// For each body in `near`, whether its motion follows.
template <class Bits, class Own>
bool walk_parents(Bits& b, Own& own, Tick block) {
  std::size_t next = 0;
  for (const Handle handle : own.near) {
    bool moves = next < own.parents.size() && own.parents[next].handle == handle;
    if constexpr (Bits::reading) moves = false;
    if (!b.number(moves, 1)) return false;
    if (!moves) continue;
    if constexpr (Bits::reading) own.parents.push_back({.handle = handle});
    auto& parent = own.parents[next++];
    if (!walk_tick(b, block, parent.tick) || !walk_motion(b, parent.motion)) return false;
  }
  return next == own.parents.size();
}

template <class Bits, class Own>
bool walk_bodies(Bits& b, Own& own, const OwnBasis& before, Tick block) {
  const bool control =
      walk_change(b, own.vehicle, before.vehicle, [&] { return b.number(own.vehicle, 2); }) &&
      own.vehicle <= VehiclePrediction::last &&
      (own.vehicle == VehiclePrediction::None || walk_vector(b, own.vehicle_thrust, place_step));
  return control &&
         walk_change(b, own.near, before.near, [&] { return walk_handles(b, own.near); }) &&
         walk_parents(b, own, block);
}

/// A list that is mostly empty.
template <class Bits, class List, class Walk>
bool walk_rare(Bits& b, List& list, int count_bits, Walk&& walk_item) {
  bool any = !Bits::reading && list.size() > 0;
  return walk_if(b, any, [&] {
    auto count = static_cast<std::uint32_t>(list.size());
    if (!b.number(count, count_bits) || count == 0 || count > list.capacity()) return false;
    if constexpr (Bits::reading) list.resize(count);
    return std::all_of(list.begin(), list.end(), walk_item);
  });
}
template <class Bits, class Own>
bool walk_lists(Bits& b, Own& own) {
  return walk_rare(b, own.versions, 5,
                   [&](auto& v) { return b.number(v.object, 32) && b.number(v.version, 16); }) &&
         walk_rare(b, own.chunks, 4, [&](auto& v) {
           return b.number(v.patch, 32) && b.number(v.chunk, 16) && b.number(v.version, 16);
         });
}

template <class Bits, class Own>
bool walk_own(Bits& b, Own& own, const OwnBasis& before, Tick block) {
  return b.number(own.becomes_basis, 1) && walk_settings(b, own, before) &&
         walk_answers(b, own, block) && walk_final(b, own, before, block) &&
         walk_bodies(b, own, before, block) && walk_lists(b, own);
}

constexpr int age_bits = 8;
static_assert(basis_ticks_max < 1 << age_bits);

}  // namespace

ActorState rounded(const ActorState& state) {
  ActorState out = state;
  out.position = value_of<Vec3>(steps_of(state.position, place_step), place_step);
  out.velocity = value_of<Vec3f>(steps_of(state.velocity, place_step), place_step);
  return out;
}

Motion rounded(const Motion& motion) {
  std::array<std::byte, own_section_bytes_max> bytes{};
  BitWriter out(bytes);
  PutBits put(out);
  walk_motion(put, motion);
  BitReader in(std::span<const std::byte>(bytes).first(out.finish()));
  TakeBits take(in);
  Motion read;
  const bool fits = walk_motion(take, read);
  PERIGEE_ASSERT(fits, "a motion that was just written must be readable");
  return read;
}

Vec3f rounded(const Vec3f& thrust_m_s2) {
  return value_of<Vec3f>(steps_of(thrust_m_s2, place_step), place_step);
}

bool write_own(ByteWriter& writer, Tick block, const OwnSection& own, const OwnBasis* basis) {
  std::array<std::byte, own_section_bytes_max> bytes;
  BitWriter out(bytes);
  out.put(basis != nullptr, 1);
  if (basis != nullptr) {
    const std::int32_t age = ticks_between(basis->tick, block);
    PERIGEE_ASSERT(age > 0 && age <= basis_ticks_max, "a basis must be a recent section");
    out.put(static_cast<std::uint64_t>(age), age_bits);
  }
  PutBits put(out);
  OwnBasis none;
  none.tick = none.final_tick = block;
  const bool whole_section = walk_own(put, own, basis != nullptr ? *basis : none, block);
  PERIGEE_ASSERT(whole_section, "an own section must have values in range, and parents of `near`");
  return writer.copy(std::span<const std::byte>(bytes).first(out.finish()));
}

bool read_own(ByteReader& reader, Tick block, const std::function<const OwnBasis*(Tick)>& basis_of,
              OwnSection& own) {
  ByteReader ahead = reader;
  std::span<const std::byte> bytes;
  ahead.view(bytes, std::min(reader.remaining(), own_section_bytes_max));
  BitReader in(bytes);
  OwnBasis none;
  none.tick = none.final_tick = own.tick = block;
  const OwnBasis* basis = &none;
  if (in.take(1) != 0) basis = basis_of(block - static_cast<std::int32_t>(in.take(age_bits)));
  TakeBits take(in);
  return basis != nullptr && walk_own(take, own, *basis, block) && in.ok() &&
         reader.view(bytes, in.bytes());
}

}  // namespace perigee
