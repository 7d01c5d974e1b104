#include "perigee/world/neighbour_queries.hpp"

#include <algorithm>
#include <limits>

namespace perigee::world {
namespace {

constexpr std::size_t found_max = 128;

}  // namespace

std::optional<Neighbour> NeighbourQueries::as_neighbour(const EntityRecord& other, Handle parent,
                                                        const EntityMotions::Ends& frame,
                                                        Tick tick) const {
  const Handle handle = other.entity.handle;
  const EntityType& type = *other.type;
  if (handle == parent) return make_neighbour(handle, type, {}, {});
  if (other.is(EntityKind::Actor)) {
    const auto beside = needs_.motions.actor_beside(other, parent, tick);
    return beside ? std::optional(make_neighbour(*beside)) : std::nullopt;
  }
  if (other.is(EntityKind::Timeline) && other.entity.parent == parent) {
    // Not via world poses: client and server get the same bits from tick and log alone.
    return make_neighbour(handle, type,
                          timeline_pose(type.travel, other.entity.local, other.log, tick),
                          timeline_pose(type.travel, other.entity.local, other.log, tick + 1));
  }
  const auto poses = needs_.motions.ends(other, tick);
  if (!poses) return std::nullopt;
  return make_neighbour_in(frame.before, frame.after, handle, type, poses->before, poses->after);
}

std::uint32_t NeighbourQueries::gather(Handle parent, const Bounds& around, Tick tick, Handle self,
                                       Neighbours& out) const {
  out.clear();
  const auto frame = needs_.motions.ends(parent, tick);
  if (!frame) return 0;
  FixedVector<const EntityRecord*, found_max> near;
  std::uint32_t dropped = 0;
  const Bounds query =
      united(transformed(frame->before, around), transformed(frame->after, around));
  const auto take = [&](const EntityRecord& r) {
    if (r.entity.handle != self && !near.push_back(&r)) ++dropped;
  };
  if (needs_.grid.is_of(tick)) {
    needs_.grid.find(query, take);
  } else {
    for (const EntityOrder::Place& each :
         needs_.entities.places()) {  // a past tick, or a despawn since
      const auto bounds = needs_.motions.bounds_over(*each.record, tick);
      if (bounds && overlap(*bounds, query)) take(*each.record);
    }
  }
  FixedVector<double, neighbours_max> gaps;
  for (const EntityRecord* r : near) {
    const auto neighbour = as_neighbour(*r, parent, *frame, tick);
    if (!neighbour) continue;
    if (!overlap(bounds_of(*neighbour), around)) continue;
    // The nearest neighbours are kept, and always the parent's own hull. At equal distances the
    // lower handle is kept.
    const double gap = gap_squared(*neighbour, parent, around.center());
    if (out.full()) {
      ++dropped;
      std::size_t worst = 0;
      for (std::size_t i = 1; i < out.size(); ++i) {
        if (gaps[i] >= gaps[worst]) worst = i;
      }
      const bool nearer =
          gap < gaps[worst] || (gap == gaps[worst] && neighbour->id < out[worst].id);
      if (!nearer) continue;
      out.erase(worst);
      gaps.erase(worst);
    }
    std::size_t at = 0;
    while (at < out.size() && out[at].id < neighbour->id) ++at;
    out.insert(at, *neighbour);
    gaps.insert(at, gap);
  }
  return dropped;
}

// The grid has the whole way of each scheduled object, where its parent is now.
void NeighbourQueries::add_doors(Handle parent, const Bounds& around, Tick tick,
                                 Neighbours& out) const {
  const auto now = needs_.motions.motion(parent, needs_.now);
  if (!now) return;
  const auto frame = needs_.motions.ends(parent, tick);
  const auto take = [&](const EntityRecord& r) {
    const Handle handle = r.entity.handle;
    if (handle == parent || (r.entity.parent != parent && !frame)) return;
    const auto listed = [&](const Neighbour& other) { return other.id == handle; };
    if (std::any_of(out.begin(), out.end(), listed)) return;
    const auto door = as_neighbour(r, parent, frame.value_or(EntityMotions::Ends{}), tick);
    if (door && overlap(bounds_of(*door), around)) insert_by_id(out, *door);
  };
  Bounds query = transformed(now->pose, around);
  if (frame) query = united(query, transformed(frame->before, around));
  needs_.grid.find_doors(query, take);
}

bool NeighbourQueries::own_within(const EntityRecord& r, const Vec3& world_point, double m) const {
  if (r.entity.remote) return false;
  const auto at = needs_.motions.motion(r, needs_.now);
  if (!at) return false;
  const Bounds bounds = transformed(at->pose, r.type->shape->bounds());
  const auto gap = [](double low, double high, double x) {
    return std::max({low - x, x - high, 0.0});
  };
  const Vec3 away{gap(bounds.low.x, bounds.high.x, world_point.x),
                  gap(bounds.low.y, bounds.high.y, world_point.y),
                  gap(bounds.low.z, bounds.high.z, world_point.z)};
  return length_squared(away) <= m * m;
}

void NeighbourQueries::parents_within(const Vec3& world_point, double m,
                                      std::vector<Handle>& out) const {
  out.clear();
  for (const EntityRecord* r : needs_.entities.eligible()) {
    if (own_within(*r, world_point, m)) out.push_back(r->entity.handle);
  }
}

void NeighbourQueries::doors_within(const Vec3& world_point, double m,
                                    std::vector<Handle>& out) const {
  out.clear();
  std::vector<const EntityRecord*> found;
  const auto take = [&](const EntityRecord& r) {
    if (own_within(r, world_point, m)) found.push_back(&r);
  };
  needs_.grid.find_doors(inflated({world_point, world_point}, m), take);
  std::sort(found.begin(), found.end(), by_entity_id);
  for (const EntityRecord* r : found) out.push_back(r->entity.handle);
}

void NeighbourQueries::parent_candidates(const Vec3& world_point, Tick tick, Handle current,
                                         ParentCandidates& out) const {
  out.clear();
  const auto add = [&](const EntityRecord& r, bool always) {
    const auto at = needs_.motions.motion(r.entity.handle, tick);
    if (!at) return;
    const Bounds& bounds = r.type->shape->bounds();
    const Vec3 local = inverse_transform(at->pose, world_point);
    const GravityBox& gravity = r.type->gravity;
    const bool near = inflated_box(needs_.parenting, bounds).contains(local);
    if (!always && !near && !gravity.inside.contains(local)) return;
    const double mass =
        r.is(EntityKind::Static) ? std::numeric_limits<double>::infinity() : r.type->mass_kg;
    out.push_back({r.entity.handle, *at, bounds, mass, gravity});
  };
  if (const EntityRecord* r = needs_.entities.find(current)) add(*r, true);
  for (const EntityRecord* r : needs_.entities.eligible()) {
    if (r->entity.handle != current) add(*r, false);
  }
}

}  // namespace perigee::world
