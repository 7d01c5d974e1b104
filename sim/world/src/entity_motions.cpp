#include "perigee/world/entity_motions.hpp"

#include <algorithm>
#include <cmath>

#include "perigee/world/aboard.hpp"

namespace perigee::world {

const Motion* EntityMotions::body_motion(const EntityRecord& body, Tick tick) const {
  const std::int32_t ago = ticks_between(tick, now_);
  const bool kept = ago >= 0 && ago < static_cast<std::int32_t>(history_ticks);
  const bool still = body.still && kept && body.still->at_tick(tick);
  if (still) return &body.still->at;
  return body.motions ? body.motions->find(tick) : nullptr;
}

std::optional<Bounds> EntityMotions::bounds_over(const EntityRecord& record, Tick tick) const {
  const Bounds& own = record.type->shape->bounds();
  if (record.is(EntityKind::Actor)) {
    const auto at = actor_motion(record, tick);
    return at ? std::optional(transformed({at->pose.position, {}}, own)) : std::nullopt;
  }
  const auto poses = ends(record, tick);
  if (!poses) return std::nullopt;
  const Bounds before = transformed(poses->before, own);
  return poses->before == poses->after ? before : united(before, transformed(poses->after, own));
}

std::optional<Motion> EntityMotions::actor_motion(const EntityRecord& actor, Tick tick) const {
  const ActorTrace* trace = actor.trace(tick);
  if (trace == nullptr) return std::nullopt;
  const auto parent = carrier_motion(trace->parent, tick);
  if (!parent) return std::nullopt;
  return world_motion_of({.position = trace->position, .velocity = to_float(trace->velocity)},
                         *parent);
}

std::optional<Motion> EntityMotions::motion(Handle handle, Tick tick) const {
  if (handle == no_entity) return Motion{};
  const EntityRecord* r = entities_.find(handle);
  return r == nullptr ? std::nullopt : motion(*r, tick);
}

std::optional<Motion> EntityMotions::motion(const EntityRecord& r, Tick tick) const {
  switch (r.type->kind) {
    case EntityKind::Static:
      return r.start;
    case EntityKind::Body: {
      const Motion* found = body_motion(r, tick);
      return found == nullptr ? std::nullopt : std::optional(*found);
    }
    case EntityKind::Actor:
      return actor_motion(r, tick);
    case EntityKind::Timeline:
      if (r.still && r.still->at_tick(tick)) return r.still->at;
      break;
  }
  const auto parent = carrier_motion(r.entity.parent, tick);
  if (!parent) return std::nullopt;
  return moved_with(*parent, timeline_motion(r.type->travel, r.entity.local, r.log, tick));
}

// Actors carry nothing. So another worker's data cannot make an entity carry itself.
std::optional<Motion> EntityMotions::carrier_motion(Handle handle, Tick tick) const {
  if (handle == no_entity) return Motion{};
  const EntityRecord* r = entities_.find(handle);
  return r == nullptr || r->is(EntityKind::Actor) ? std::nullopt : motion(*r, tick);
}

std::optional<Pose> EntityMotions::pose(Handle handle, Tick tick) const {
  const auto at = motion(handle, tick);
  return at ? std::optional(at->pose) : std::nullopt;
}

std::optional<FrameMotion> EntityMotions::frame(Handle parent, Tick tick) const {
  if (parent == no_entity) return FrameMotion{};
  const auto start = motion(parent, tick);
  const auto end = motion(parent, tick + 1);
  if (!start || !end) return std::nullopt;
  const EntityRecord& moving = *entities_.find(parent);
  const EntityRecord* carrier = entities_.find(moving.entity.parent);
  return frame_felt(*moving.type, *start, *end, carrier != nullptr ? carrier->type : nullptr,
                    [&](int ahead) { return motion(*carrier, tick + ahead); });
}

std::optional<EntityMotions::Ends> EntityMotions::ends(const EntityRecord& r, Tick tick) const {
  if (r.is(EntityKind::Body)) {
    const Motion* before = body_motion(r, tick);
    const Motion* after = body_motion(r, tick + 1);
    if (before == nullptr || after == nullptr) return std::nullopt;
    return Ends{before->pose, after->pose};
  }
  const auto before = motion(r, tick);
  const auto after = motion(r, tick + 1);
  if (!before || !after) return std::nullopt;
  return Ends{before->pose, after->pose};
}

std::optional<EntityMotions::Ends> EntityMotions::ends(Handle handle, Tick tick) const {
  if (handle == no_entity) return Ends{};
  const EntityRecord* r = entities_.find(handle);
  return r == nullptr ? std::nullopt : ends(*r, tick);
}

std::optional<ActorBeside> EntityMotions::actor_beside(const EntityRecord& actor, Handle parent,
                                                       Tick tick) const {
  const ActorTrace* trace = actor.trace(tick);
  if (trace == nullptr) return std::nullopt;
  ActorBeside out{actor.entity.handle, actor.type, trace->position, trace->velocity};
  if (trace->parent == parent) return out;
  const auto world = actor_motion(actor, tick);
  const auto seen_from = motion(parent, tick);
  if (!world || !seen_from) return std::nullopt;
  const Vec3 drift = world->velocity - velocity_at(*seen_from, world->pose.position);
  out.position = inverse_transform(seen_from->pose, world->pose.position);
  out.velocity = rotate_back(seen_from->pose.rotation, drift);
  return out;
}

bool EntityMotions::parent_rests(const EntityRecord& child) const {
  const EntityRecord* parent = entities_.find(child.entity.parent);
  return parent == nullptr ? child.entity.parent == no_entity : parent->is(EntityKind::Static);
}

bool EntityMotions::goes_rounds(const EntityRecord& r) const {
  return r.is(EntityKind::Timeline) && r.type->travel.endless && parent_rests(r);
}

// Computed from the parent, the place on it and the turn. This is not the smallest box.
Bounds EntityMotions::path_bounds(const EntityRecord& r) const {
  const Travel& travel = r.type->travel;
  Bounds own = r.type->shape->bounds();
  if (travel.turn_rad != 0) {
    const Vec3 corner{
        std::max(std::abs(own.low.x - travel.hinge.x), std::abs(own.high.x - travel.hinge.x)),
        std::max(std::abs(own.low.y - travel.hinge.y), std::abs(own.high.y - travel.hinge.y)),
        std::max(std::abs(own.low.z - travel.hinge.z), std::abs(own.high.z - travel.hinge.z))};
    const double reach_m = length(corner);
    own = inflated({travel.hinge, travel.hinge}, reach_m);
  }
  own = united(own, {own.low + travel.slide, own.high + travel.slide});
  const auto parent = carrier_motion(r.entity.parent, now_);
  const Pose rest = parent ? parent->pose * r.entity.local : r.entity.local;
  return transformed(rest, own);
}

}  // namespace perigee::world
