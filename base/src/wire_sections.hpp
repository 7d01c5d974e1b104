/// Walks over a block's events.
#pragma once

#include <concepts>
#include <type_traits>

#include "perigee/base/walk.hpp"
#include "perigee/base/wire_world.hpp"

namespace perigee {

template <class Cursor, class T>
bool as_float(Cursor& cursor, T& value) {
  float narrow = static_cast<float>(value);
  if (!cursor.number(narrow)) return false;
  if constexpr (Cursor::reading) value = narrow;
  return true;
}
template <class Cursor, class Q>
bool quat_float(Cursor& cursor, Q& q) {
  if (!as_float(cursor, q.x) || !as_float(cursor, q.y) || !as_float(cursor, q.z) ||
      !as_float(cursor, q.w)) {
    return false;
  }
  if constexpr (Cursor::reading) {
    const double size = dot(q, q);
    if (size < 0.99 || size > 1.01) return false;
    q = normalized(q);
  }
  return true;
}
template <class Cursor, class P>
bool walk_pose(Cursor& cursor, P& pose) {
  return cursor.vec3(pose.position) && quat_float(cursor, pose.rotation);
}

template <class Cursor, class V>
bool walk_chunk_version(Cursor& c, V& v) {
  return c.number(v.patch) && c.number(v.chunk) && c.number(v.version);
}

template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, SpawnEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle) && c.number(e.identity) && c.number(e.type) && c.number(e.respawns) &&
         c.number(e.made) && c.number(e.parent) && c.number(e.goal) && walk_pose(c, e.pose);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, DespawnEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle) && c.number(e.made);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, ParentSwitchEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle) && c.number(e.parent) && c.tick(e.effect) && c.number(e.version) &&
         c.enumerator(e.vehicle, VehicleChange::last);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, TimelineEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.object) && c.tick(e.effect) && c.number(e.goal) && c.number(e.version);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, EffectEvent>
bool walk_event(Cursor& c, E& e) {
  return c.tick(e.target) && c.number(e.index) && c.enumerator(e.verdict, Verdict::last) &&
         c.enumerator(e.reason, CancelReason::last) && c.number(e.detail);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, OutcomeEvent>
bool walk_event(Cursor& c, E& e) {
  return c.tick(e.tick) && c.number(e.index) && c.number(e.kind) && c.number(e.actor) &&
         c.number(e.target) && c.number(e.amount);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, ProjectileEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.actor) && c.tick(e.tick) && c.number(e.index) && c.number(e.kind) &&
         c.number(e.parent) && c.vec3(e.from) && c.vec3(e.velocity);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, GameStateEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle) && c.number(e.version) && walk(c, e.game);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, WorldStateEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.identity) && c.number(e.version) && walk(c, e.game);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, VoxelEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.patch) && c.number(e.cell) && c.number(e.version) && c.tick(e.tick) &&
         c.number(e.actor) && c.number(e.index) && c.flag(e.solid) && c.flag(e.withdrawn);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, ChunkEvent>
bool walk_event(Cursor& c, E& e) {
  if (!walk_chunk_version(c, e.what)) return false;
  for (auto& eight : e.bits) {
    if (!c.number(eight)) return false;
  }
  return true;
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, ProjectileHitEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.actor) && c.tick(e.left) && c.number(e.index) && c.number(e.kind) &&
         c.tick(e.at);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, PlayerNameEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.actor) && walk_text(c, e.name);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, LostEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle);
}

/// A cue's first byte: its age, and whether a byte with its parts follows. Footsteps and the like
/// have none.
constexpr std::uint8_t cue_age_bits = 0x3f, cue_has_parts = 0x40;
static_assert(cue_age_ticks_max <= cue_age_bits);
enum CuePart : std::uint8_t { cue_detail = 1, cue_subject = 2, cue_place = 4, cue_parts_all = 7 };

inline std::uint8_t parts_of(const CueEvent& cue) {
  return static_cast<std::uint8_t>((cue.detail != 0 ? cue_detail : 0) |
                                   (cue.subject != no_entity ? cue_subject : 0) |
                                   (cue.place ? cue_place : 0));
}

/// `now`: the block's tick.
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, CueEvent>
bool walk_cue(Cursor& c, E& cue, Tick now) {
  std::uint8_t parts = parts_of(cue);
  auto head = static_cast<std::uint8_t>(ticks_between(cue.tick, now) & cue_age_bits);
  if (parts != 0) head |= cue_has_parts;
  if (!c.number(head) || (head & ~(cue_age_bits | cue_has_parts)) != 0) return false;
  const int age_ticks = head & cue_age_bits;
  if (age_ticks > cue_age_ticks_max || !c.number(cue.effect) || !c.number(cue.entity)) return false;
  if ((head & cue_has_parts) != 0 && (!c.number(parts) || (parts & ~cue_parts_all) != 0)) {
    return false;
  }
  if constexpr (Cursor::reading) {
    cue.tick = now - age_ticks;
    if ((parts & cue_place) != 0) cue.place.emplace();
  }
  if ((parts & cue_detail) != 0 && !c.number(cue.detail)) return false;
  if ((parts & cue_subject) != 0 && !c.number(cue.subject)) return false;
  if (!cue.place) return cue.entity != no_entity;
  const auto near = [](float m) { return m >= -cue_place_max_m && m <= cue_place_max_m; };
  return c.vec3(*cue.place) && near(cue.place->x) && near(cue.place->y) && near(cue.place->z);
}

}  // namespace perigee
