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
         c.number(e.version) && c.number(e.parent) && c.number(e.goal) && walk_pose(c, e.pose);
}
template <class Cursor, class E>
  requires std::same_as<std::remove_const_t<E>, DespawnEvent>
bool walk_event(Cursor& c, E& e) {
  return c.number(e.handle) && c.number(e.version);
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

}  // namespace perigee
