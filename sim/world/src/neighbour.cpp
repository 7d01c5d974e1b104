#include "perigee/world/neighbour.hpp"

#include <algorithm>
#include <utility>

#include "perigee/base/tick.hpp"
#include "perigee/world/entity_type.hpp"

namespace perigee::world {
namespace {

double gap_squared(const Bounds& bounds, const Vec3& point) {
  const auto axis = [](double low, double high, double at) {
    return std::max({low - at, at - high, 0.0});
  };
  return length_squared({axis(bounds.low.x, bounds.high.x, point.x),
                         axis(bounds.low.y, bounds.high.y, point.y),
                         axis(bounds.low.z, bounds.high.z, point.z)});
}

}  // namespace

NeighbourKind neighbour_kind(const EntityType& type) {
  if (type.kind == EntityKind::Actor) return NeighbourKind::Actor;
  return type.trigger ? NeighbourKind::Trigger : NeighbourKind::Solid;
}

Neighbour make_neighbour(Handle id, NeighbourKind kind, const Shape& shape, const Pose& previous,
                         const Pose& pose) {
  Neighbour out{.id = id, .kind = kind, .shape = &shape, .previous = previous, .pose = pose};
  if (previous == pose) return out;
  out.velocity = (pose.position - previous.position) / seconds_per_tick;
  out.angular_velocity =
      rotation_vector(pose.rotation * conjugate(previous.rotation)) / seconds_per_tick;
  return out;
}

Neighbour make_neighbour(Handle id, const EntityType& type, const Pose& previous,
                         const Pose& pose) {
  Neighbour out = make_neighbour(id, neighbour_kind(type), *type.shape, previous, pose);
  out.type = type.id;
  return out;
}

Neighbour make_neighbour_in(const Pose& parent_previous, const Pose& parent_pose, Handle id,
                            const EntityType& type, const Pose& previous, const Pose& pose) {
  return make_neighbour(id, type, relative(parent_previous, previous), relative(parent_pose, pose));
}

Bounds bounds_of(const Neighbour& neighbour) {
  const Bounds& own = neighbour.shape->bounds();
  const Bounds before = transformed(neighbour.previous, own);
  if (neighbour.pose == neighbour.previous) return before;
  return united(before, transformed(neighbour.pose, own));
}

double gap_squared(const Neighbour& neighbour, Handle parent, const Vec3& point) {
  return neighbour.id == parent ? -1 : gap_squared(bounds_of(neighbour), point);
}

Neighbour make_neighbour(const ActorBeside& actor) {
  const Pose at{actor.position, {}};
  Neighbour out = make_neighbour(actor.id, *actor.type, at, at);
  out.velocity = actor.velocity;
  return out;
}

void add_actors(Neighbours& neighbours, std::span<ActorBeside> actors, Handle parent,
                const Vec3& point) {
  constexpr std::size_t chosen_max = 128;
  FixedVector<const ActorBeside*, chosen_max> chosen;
  for (ActorBeside& actor : actors) {
    const Bounds& own = actor.type->shape->bounds();
    const Bounds body{actor.position + own.low, actor.position + own.high};
    actor.gap_squared = gap_squared(body, point);
    if (!chosen.push_back(&actor)) break;
  }
  const auto nearer = [](const ActorBeside* a, const ActorBeside* b) {
    return std::pair(a->gap_squared, a->id) < std::pair(b->gap_squared, b->id);
  };
  if (chosen.size() > neighbours_max) {
    std::nth_element(chosen.begin(), chosen.begin() + neighbours_max, chosen.end(), nearer);
    chosen.resize(neighbours_max);
  }
  while (neighbours.size() + chosen.size() > neighbours_max) {
    const auto last = std::max_element(chosen.begin(), chosen.end(), nearer);
    std::size_t thing = 0;
    std::pair<double, Handle> farthest{-1, no_entity};
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::pair gap{gap_squared(neighbours[i], parent, point), neighbours[i].id};
      if (gap <= farthest) continue;
      farthest = gap;
      thing = i;
    }
    if (std::pair((*last)->gap_squared, (*last)->id) > farthest) {
      chosen.erase(static_cast<std::size_t>(last - chosen.begin()));
    } else {
      neighbours.erase(thing);
    }
  }
  std::sort(chosen.begin(), chosen.end(),
            [](const ActorBeside* a, const ActorBeside* b) { return a->id < b->id; });
  for (const ActorBeside* actor : chosen) insert_by_id(neighbours, make_neighbour(*actor));
}

bool insert_by_id(Neighbours& neighbours, const Neighbour& neighbour) {
  std::size_t at = neighbours.size();
  while (at > 0 && neighbours[at - 1].id > neighbour.id) --at;
  return neighbours.insert(at, neighbour);
}

}  // namespace perigee::world
