/// Encoding of places and motions for files and for other workers: exact to the bit. A field with
/// its usual value takes one bit. Not for clients, and not for display.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "perigee/base/bytes.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/world/game_state.hpp"
#include "perigee/world/timeline.hpp"

namespace perigee::world {

inline constexpr double number_max = 1e12;  // larger than any place, speed or time of a game

template <class Number>
struct Usual {
  Number* value;
  double usual;
};

/// Up to 32 numbers: a mask of those that differ from their usual value, and these numbers.
template <class Cursor, class Number, std::size_t N>
bool sparse(Cursor& cursor, const std::array<Usual<Number>, N>& fields) {
  static_assert(N <= 32);
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  std::uint32_t mask = 0;
  if constexpr (!Cursor::reading) {
    for (std::size_t i = 0; i < N; ++i) {
      if (bits(*fields[i].value) != bits(fields[i].usual)) mask |= 1U << i;
    }
  }
  if (!cursor.number(mask)) return false;
  for (std::size_t i = 0; i < N; ++i) {
    if ((mask & 1U << i) != 0) {
      if (!cursor.number(*fields[i].value) || std::abs(*fields[i].value) > number_max) return false;
    } else if constexpr (Cursor::reading) {
      *fields[i].value = fields[i].usual;
    }
  }
  return true;
}

/// Collects fields; V is const for writers.
template <class V>
auto fields_of(V& v) {
  using Number = std::remove_reference_t<decltype((v.x))>;
  return std::array<Usual<Number>, 3>{{{&v.x, 0}, {&v.y, 0}, {&v.z, 0}}};
}
template <class Number, std::size_t... N>
auto joined(const std::array<Usual<Number>, N>&... parts) {
  std::array<Usual<Number>, (N + ...)> out{};
  std::size_t at = 0;
  ((std::copy(parts.begin(), parts.end(), out.begin() + static_cast<std::ptrdiff_t>(at)), at += N),
   ...);
  return out;
}
template <class P>
auto fields_of_pose(P& pose) {
  using Number = std::remove_reference_t<decltype((pose.position.x))>;
  const std::array<Usual<Number>, 4> turn{
      {{&pose.rotation.x, 0}, {&pose.rotation.y, 0}, {&pose.rotation.z, 0}, {&pose.rotation.w, 1}}};
  return joined(fields_of(pose.position), turn);
}

template <class Cursor, class M>
bool walk_motion(Cursor& cursor, M& motion) {
  return sparse(cursor, joined(fields_of_pose(motion.pose), fields_of(motion.velocity),
                               fields_of(motion.angular_velocity), fields_of(motion.acceleration),
                               fields_of(motion.angular_acceleration)));
}

template <class Cursor, class T>
bool walk_trace(Cursor& cursor, T& trace) {
  return cursor.number(trace.parent) &&
         sparse(cursor, joined(fields_of(trace.position), fields_of(trace.velocity)));
}

/// All announced changes of `object`.
template <class Cursor, class L>
bool walk_log(Cursor& cursor, L& log, Handle object) {
  std::uint8_t base_goal = log.base_goal();
  std::uint16_t version = log.last_version();
  auto count = static_cast<std::uint8_t>(log.size());
  if (!cursor.number(base_goal) || !cursor.number(version) || !cursor.number(count)) return false;
  if (count > TimelineLog::changes_max) return false;
  if constexpr (Cursor::reading) log = TimelineLog(base_goal, version);
  for (std::size_t i = 0; i < count; ++i) {
    TimelineChange change{.object = object};
    if constexpr (!Cursor::reading) change = log[i];
    if (!cursor.tick(change.effect) || !cursor.number(change.goal) ||
        !cursor.number(change.version)) {
      return false;
    }
    if constexpr (Cursor::reading) {
      // The log is not full: its travel is not used.
      if (log.add(change, {}) != TimelineLog::Added::Stored) return false;
    }
  }
  return true;
}

/// A game's state as it is in memory: the words that are not zero.
template <class Cursor, class G>
bool walk_game(Cursor& cursor, G& game) {
  std::array<std::uint64_t, GameState::bytes_max / 8> words{};
  static_assert(words.size() <= 32);
  std::uint32_t mask = 0;
  if constexpr (!Cursor::reading) {
    std::memcpy(words.data(), game.bytes.data(), game.bytes.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] != 0) mask |= 1U << i;
    }
  }
  if (!cursor.number(mask)) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((mask & 1U << i) != 0 && !cursor.number(words[i])) return false;
  }
  if constexpr (Cursor::reading) {
    std::memcpy(game.bytes.data(), words.data(), game.bytes.size());
  }
  return true;
}
template <class Cursor, class S>
bool walk_thing_state(Cursor& cursor, S& state) {
  return cursor.number(state.version) && walk_game(cursor, state.value);
}

template <class Cursor, class G>
bool walk_gravity(Cursor& cursor, G& gravity) {
  return sparse(cursor, joined(fields_of(gravity.acceleration), fields_of(gravity.inside.low),
                               fields_of(gravity.inside.high)));
}

template <class Cursor, class H>
bool walk_hinge(Cursor& cursor, H& hinge) {
  auto& order = hinge.order;
  using Number = std::remove_reference_t<decltype((hinge.rad_s))>;
  const std::array<Usual<Number>, 4> rest{
      {{&order.low_rad, 1}, {&order.high_rad, -1}, {&order.motor_n_m, 0}, {&hinge.rad_s, 0}}};
  return cursor.number(order.a) && cursor.number(order.b) &&
         sparse(cursor, fields_of_pose(order.frame_a)) &&
         sparse(cursor, fields_of_pose(order.frame_b)) && sparse(cursor, rest);
}

}  // namespace perigee::world
