/// Encoding of one tick: most fields are zero or unchanged, and take one bit.
#pragma once

#include <array>
#include <bit>

#include "perigee/base/bytes.hpp"
#include "perigee/base/input_codec.hpp"
#include "perigee/replay/ground_codec.hpp"
#include "perigee/replay/recording.hpp"
#include "perigee/world/codec.hpp"

namespace perigee::replay {

using world::fields_of;
using world::fields_of_pose;
using world::joined;
using world::number_max;
using world::sparse;
using world::walk_game;
using world::walk_gravity;
using world::walk_motion;

/// The wire's walk() accepts any position; this limits it.
template <class Cursor, class State>
bool walk_state(Cursor& cursor, State& state) {
  return walk(cursor, state) && length_squared(state.position) < number_max * number_max &&
         length_squared(to_double(state.velocity)) < number_max * number_max;
}

template <class Cursor, class P>
bool walk_place(Cursor& cursor, P& place) {
  return cursor.number(place.parent) && cursor.vec3(place.position) &&
         cursor.vec3(place.velocity) && world::is_place(place.position) &&
         world::within(to_double(place.velocity), world::speed_max_m_s);
}

/// The shape of each type of the game.
using TypeShapes = std::span<const world::ShapePtr>;

/// A product of rotations that world::is_turn() accepts has a length near 1. Others are refused
/// when they are read: with them, a step's normals grow without bound.
template <class Cursor>
bool accepts_rotation(const Quat& q) {
  const double size = dot(q, q);
  return !Cursor::reading || (size >= 0.5 && size <= 2);
}

template <class Cursor, class M>
bool walk_turned_motion(Cursor& cursor, M& motion) {
  return walk_motion(cursor, motion) && accepts_rotation<Cursor>(motion.pose.rotation);
}

/// Bit by bit: the two zeros differ.
inline bool same_bits(const Pose& a, const Pose& b) {
  using Words = std::array<std::uint64_t, sizeof(Pose) / sizeof(std::uint64_t)>;
  return std::bit_cast<Words>(a) == std::bit_cast<Words>(b);
}

template <class Cursor, class N>
bool walk_neighbour(Cursor& cursor, N& neighbour, TypeShapes shapes) {
  std::uint8_t still = same_bits(neighbour.previous, neighbour.pose) ? 1 : 0;
  const bool ok =
      cursor.number(neighbour.id) &&
      cursor.enumerator(neighbour.kind, world::NeighbourKind::last) &&
      cursor.number(neighbour.type) && cursor.flag(still) &&
      sparse(cursor, joined(fields_of_pose(neighbour.previous), fields_of(neighbour.velocity),
                            fields_of(neighbour.angular_velocity)));
  if (!ok || neighbour.type >= shapes.size()) return false;
  if (!accepts_rotation<Cursor>(neighbour.previous.rotation)) return false;
  if constexpr (Cursor::reading) {
    neighbour.shape = shapes[neighbour.type].get();
    neighbour.cutout = 0;
    if (still != 0) neighbour.pose = neighbour.previous;
  }
  return still != 0 || (sparse(cursor, fields_of_pose(neighbour.pose)) &&
                        accepts_rotation<Cursor>(neighbour.pose.rotation));
}

template <class Cursor, class E>
bool walk_event(Cursor& cursor, E& event) {
  return cursor.number(event.kind) && cursor.tick(event.tick) && cursor.number(event.other) &&
         cursor.number(event.amount);
}

enum StepBits : std::uint8_t {
  step_guessed = 1 << 0,
  step_switched = 1 << 1,
  step_game_same = 1 << 2,  ///< the game state is unchanged
  step_bits_all = (1 << 3) - 1,
};

/// The neighbours with cutouts of cells, and the cutouts.
template <class Cursor, class R>
bool walk_cutouts(Cursor& cursor, R& record) {
  auto count = static_cast<std::uint8_t>(record.cutouts.size());
  if (!cursor.number(count) || count > world::cutouts_max) return false;
  if constexpr (Cursor::reading) record.cutouts.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t at = 0;
    if constexpr (!Cursor::reading) {
      while (at < record.neighbours.size() && record.neighbours[at].cutout != i + 1) ++at;
    }
    if (!cursor.number(at) || at >= record.neighbours.size()) return false;
    auto& neighbour = record.neighbours[at];
    if (neighbour.shape->voxels() == nullptr) return false;
    if constexpr (Cursor::reading) {
      if (neighbour.cutout != 0) return false;
      neighbour.cutout = static_cast<std::uint8_t>(i + 1);
    }
    if (!walk_cutout(cursor, record.cutouts[i], *neighbour.shape->voxels())) return false;
  }
  return true;
}

template <class Cursor, class R>
bool walk_surroundings(Cursor& cursor, R& record, TypeShapes shapes) {
  auto count = static_cast<std::uint8_t>(record.neighbours.size());
  if (!cursor.number(count) || count > world::neighbours_max) return false;
  if constexpr (Cursor::reading) record.neighbours.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!walk_neighbour(cursor, record.neighbours[i], shapes)) return false;
    if (i > 0 && record.neighbours[i].id <= record.neighbours[i - 1].id) return false;
  }
  return walk_cutouts(cursor, record);
}

/// The tick's inputs and results. The actor is the header's.
template <class Cursor, class R>
bool walk_step(Cursor& cursor, R& record, TypeShapes shapes) {
  auto bits = static_cast<std::uint8_t>(
      (record.guessed ? step_guessed : 0) | (record.switched_from ? step_switched : 0) |
      (record.game_after == record.game_before ? step_game_same : 0));
  bool ok =
      cursor.number(bits) && bits <= step_bits_all && cursor.tick(record.tick) &&
      cursor.number(record.parent) && walk_turned_motion(cursor, record.parent_motion) &&
      sparse(cursor,
             joined(fields_of(record.frame.acceleration), fields_of(record.frame.angular_velocity),
                    fields_of(record.frame.angular_acceleration))) &&
      cursor.enumerator(record.frame.inertia, world::Inertia::Full) &&
      walk_gravity(cursor, record.frame.gravity) &&
      cursor.enumerator(record.vehicle, VehicleChange::last) &&
      sparse(cursor, fields_of(record.seat)) && walk_input(cursor, record.input) &&
      walk_surroundings(cursor, record, shapes) &&
      walk_list(cursor, record.events, [&](auto& event) { return walk_event(cursor, event); });
  if (!ok) return false;
  if constexpr (Cursor::reading) {
    record.guessed = (bits & step_guessed) != 0;
    record.switched_from.reset();
    if ((bits & step_switched) != 0) record.switched_from.emplace();
  }
  if (record.switched_from && !walk_turned_motion(cursor, *record.switched_from)) return false;
  ok = walk_state(cursor, record.before) && walk_state(cursor, record.after) &&
       walk_game(cursor, record.game_before);
  if (!ok) return false;
  if ((bits & step_game_same) == 0) return walk_game(cursor, record.game_after);
  if constexpr (Cursor::reading) record.game_after = record.game_before;
  return true;
}

inline constexpr std::size_t step_bytes_max = 8960;

}  // namespace perigee::replay
