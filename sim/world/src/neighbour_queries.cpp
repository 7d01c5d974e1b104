// Places of entities, and queries for nearby ones.
#include <algorithm>
#include <bit>
#include <limits>

#include "entity_order.hpp"
#include "entity_record.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/world/aboard.hpp"

namespace perigee::world {
namespace {

constexpr std::size_t found_max = 128;

}  // namespace

World::Grid::Cells::Cells(const WorldLimits& limits)
    : cell_m_(limits.cell_m), heads_(std::bit_ceil(std::size_t{limits.entities_max}), none) {
  entries_.reserve(limits.entities_max);
}

void World::Grid::Cells::clear() {
  entries_.clear();
  free_ = none;
  std::fill(heads_.begin(), heads_.end(), none);
}

World::Grid::Cell World::Grid::Cells::cell_of(const Vec3& point) const {
  const auto floor = [&](double x) {
    const double cells = x / cell_m_;
    const auto whole = static_cast<std::int64_t>(cells);
    return static_cast<double>(whole) > cells ? whole - 1 : whole;
  };
  return {floor(point.x), floor(point.y), floor(point.z)};
}

std::size_t World::Grid::Cells::bucket(const Cell& cell) const {
  return mix64(static_cast<std::uint64_t>(cell.x), static_cast<std::uint64_t>(cell.y),
               static_cast<std::uint64_t>(cell.z)) &
         (heads_.size() - 1);
}

std::uint32_t World::Grid::Cells::add(const Record& record, const Bounds& bounds) {
  std::uint32_t place = free_;
  if (place == none) {
    place = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  } else {
    free_ = entries_[place].next;
  }
  std::uint32_t& head = heads_[bucket(cell_of(bounds.center()))];
  entries_[place] = {&record, bounds, head};
  head = place;
  return place;
}

void World::Grid::Cells::remove(std::uint32_t entry) {
  std::uint32_t* link = &heads_[bucket(cell_of(entries_[entry].bounds.center()))];
  while (*link != entry) link = &entries_[*link].next;
  *link = entries_[entry].next;
  entries_[entry] = {nullptr, {}, free_};
  free_ = entry;
}

void World::index_neighbours(Tick tick) {
  grid_->begin(tick);
  file_doors();
  std::erase_if(lively_, [&](Record* r) {
    if (r->is(EntityKind::Timeline)) {
      r->log.forget_finished(r->type->travel, now_ - timeline_look_back_ticks);
    }
    if (comes_to_rest(*r, tick)) {
      settle(*r, tick);
    } else if (goes_rounds(*r)) {
      file_rounds(*r);
    }
    return !r->lively;
  });
  file_lively(tick);
  forget_old_motions(tick);
}

void World::look_back(Tick tick) {
  grid_->begin(tick);
  file_lively(tick);
}

void World::file_lively(Tick tick) {
  for (const Record* r : lively_) {
    const auto bounds = bounds_over(*r, tick);
    if (!bounds) continue;
    if (grid_->is_large(*bounds)) {
      grid_->large.push_back({r, *bounds});
    } else {
      grid_->moving.add(*r, *bounds);
    }
  }
}

/// A body's own motion, at a tick of the history.
const Motion* World::body_motion(const Record& body, Tick tick) const {
  const std::int32_t ago = ticks_between(tick, now_);
  const bool kept = ago >= 0 && ago < static_cast<std::int32_t>(history_ticks);
  const bool still = body.still && kept && body.still->at_tick(tick);
  if (still) return &body.still->at;
  return body.motions ? body.motions->find(tick) : nullptr;
}

std::optional<Bounds> World::bounds_over(const Record& record, Tick tick) const {
  const Bounds& own = record.type->shape->bounds();
  if (record.is(EntityKind::Actor)) {
    const auto at = actor_motion(record, tick);
    return at ? std::optional(transformed({at->pose.position, {}}, own)) : std::nullopt;
  }
  const auto poses = ends_of(record, tick);
  if (!poses) return std::nullopt;
  const Bounds before = transformed(poses->before, own);
  return poses->before == poses->after ? before : united(before, transformed(poses->after, own));
}

std::optional<Motion> World::actor_motion(const Record& actor, Tick tick) const {
  const ActorTrace* trace = actor.trace(tick);
  if (trace == nullptr) return std::nullopt;
  const auto parent = motion_of_carrier(trace->parent, tick);
  if (!parent) return std::nullopt;
  return world_motion_of({.position = trace->position, .velocity = to_float(trace->velocity)},
                         *parent);
}

std::optional<Motion> World::motion(Handle handle, Tick tick) const {
  if (handle == no_entity) return Motion{};
  const Record* r = record(handle);
  return r == nullptr ? std::nullopt : motion_of(*r, tick);
}

std::optional<Motion> World::motion_of(const Record& r, Tick tick) const {
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
  const auto parent = motion_of_carrier(r.entity.parent, tick);
  if (!parent) return std::nullopt;
  return moved_with(*parent, timeline_motion(r.type->travel, r.entity.local, r.log, tick));
}

// Actors carry nothing: another worker's data cannot make an entity carry itself.
std::optional<Motion> World::motion_of_carrier(Handle handle, Tick tick) const {
  if (handle == no_entity) return Motion{};
  const Record* r = record(handle);
  return r == nullptr || r->is(EntityKind::Actor) ? std::nullopt : motion_of(*r, tick);
}

std::optional<Pose> World::pose(Handle handle, Tick tick) const {
  const auto at = motion(handle, tick);
  return at ? std::optional(at->pose) : std::nullopt;
}

std::optional<FrameMotion> World::frame(Handle parent, Tick tick) const {
  if (parent == no_entity) return FrameMotion{};
  const auto start = motion(parent, tick);
  const auto end = motion(parent, tick + 1);
  if (!start || !end) return std::nullopt;
  const Record& moving = *record(parent);
  const Record* carrier = record(moving.entity.parent);
  return frame_felt(*moving.type, *start, *end, carrier != nullptr ? carrier->type : nullptr,
                    [&](int ahead) { return motion_of(*carrier, tick + ahead); });
}

std::optional<World::Ends> World::ends_of(const Record& r, Tick tick) const {
  if (r.is(EntityKind::Body)) {
    const Motion* before = body_motion(r, tick);
    const Motion* after = body_motion(r, tick + 1);
    if (before == nullptr || after == nullptr) return std::nullopt;
    return Ends{before->pose, after->pose};
  }
  const auto before = motion_of(r, tick);
  const auto after = motion_of(r, tick + 1);
  if (!before || !after) return std::nullopt;
  return Ends{before->pose, after->pose};
}

std::optional<World::Ends> World::ends(Handle handle, Tick tick) const {
  if (handle == no_entity) return Ends{};
  const Record* r = record(handle);
  return r == nullptr ? std::nullopt : ends_of(*r, tick);
}

std::optional<ActorBeside> World::actor_beside(Handle actor, Handle parent, Tick tick) const {
  const Record* r = record(actor);
  const bool is_actor = r != nullptr && r->is(EntityKind::Actor);
  return is_actor ? actor_beside(*r, parent, tick) : std::nullopt;
}

std::optional<ActorBeside> World::actor_beside(const Record& actor, Handle parent,
                                               Tick tick) const {
  const ActorTrace* trace = actor.trace(tick);
  if (trace == nullptr) return std::nullopt;
  ActorBeside out{actor.entity.handle, actor.type->shape.get(), trace->position, trace->velocity};
  if (trace->parent == parent) return out;
  const auto world = actor_motion(actor, tick);
  const auto seen_from = motion(parent, tick);
  if (!world || !seen_from) return std::nullopt;
  const Vec3 drift = world->velocity - velocity_at(*seen_from, world->pose.position);
  out.position = inverse_transform(seen_from->pose, world->pose.position);
  out.velocity = rotate_back(seen_from->pose.rotation, drift);
  return out;
}

std::optional<Neighbour> World::as_neighbour(const Record& other, Handle parent, const Ends& frame,
                                             Tick tick) const {
  const Handle handle = other.entity.handle;
  const Shape& shape = *other.type->shape;
  if (handle == parent) return make_neighbour(handle, NeighbourKind::Solid, shape, {}, {});
  if (other.is(EntityKind::Actor)) {
    const auto beside = actor_beside(other, parent, tick);
    return beside ? std::optional(make_neighbour(*beside)) : std::nullopt;
  }
  if (other.is(EntityKind::Timeline) && other.entity.parent == parent) {
    // Not via world poses: client and server get the same bits from tick and log alone.
    return make_neighbour(
        handle, NeighbourKind::Solid, shape,
        timeline_pose(other.type->travel, other.entity.local, other.log, tick),
        timeline_pose(other.type->travel, other.entity.local, other.log, tick + 1));
  }
  const auto poses = ends_of(other, tick);
  if (!poses) return std::nullopt;
  return make_neighbour_in(frame.before, frame.after, handle, NeighbourKind::Solid, shape,
                           poses->before, poses->after);
}

std::uint32_t World::gather_neighbours(Handle parent, const Bounds& around, Tick tick, Handle self,
                                       Neighbours& out) const {
  out.clear();
  const auto frame = ends(parent, tick);
  if (!frame) return 0;
  FixedVector<const Record*, found_max> near;
  std::uint32_t dropped = 0;
  const Bounds query =
      united(transformed(frame->before, around), transformed(frame->after, around));
  const auto take = [&](const Record& r) {
    if (r.entity.handle != self && !near.push_back(&r)) ++dropped;
  };
  if (grid_->valid && grid_->tick == tick) {
    grid_->find(query, take);
  } else {
    for (const Order::Place& each : order_->places()) {  // a past tick, or a despawn since
      const auto bounds = bounds_over(*each.record, tick);
      if (bounds && overlap(*bounds, query)) take(*each.record);
    }
  }
  FixedVector<double, neighbours_max> gaps;
  for (const Record* r : near) {
    const auto neighbour = as_neighbour(*r, parent, *frame, tick);
    if (!neighbour) continue;
    if (!overlap(bounds_of(*neighbour), around)) continue;
    // The nearest neighbours are kept, and always the parent's own hull. Equal distances: the lower
    // handle.
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

bool World::own_within(const Record& r, const Vec3& world_point, double m) const {
  if (r.entity.remote) return false;
  const auto at = motion_of(r, now_);
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

void World::parents_within(const Vec3& world_point, double m, std::vector<Handle>& out) const {
  out.clear();
  for (const Record* r : eligible_) {
    if (own_within(*r, world_point, m)) out.push_back(r->entity.handle);
  }
}

void World::doors_within(const Vec3& world_point, double m, std::vector<Handle>& out) const {
  out.clear();
  std::vector<const Record*> found;
  const auto take = [&](const Record& r) {
    if (own_within(r, world_point, m)) found.push_back(&r);
  };
  grid_->doors.find(inflated({world_point, world_point}, m), take);
  for (const auto* list : {&grid_->wide_doors, &grid_->carried_doors}) {
    for (const Record* r : *list) take(*r);
  }
  std::sort(found.begin(), found.end(),
            [](const Record* a, const Record* b) { return a->entity.id < b->entity.id; });
  for (const Record* r : found) out.push_back(r->entity.handle);
}

void World::parent_candidates(const Vec3& world_point, Tick tick, Handle current,
                              ParentCandidates& out) const {
  out.clear();
  const auto add = [&](const Record& r, bool always) {
    const auto at = motion(r.entity.handle, tick);
    if (!at) return;
    const Bounds& bounds = r.type->shape->bounds();
    const Vec3 local = inverse_transform(at->pose, world_point);
    const GravityBox& gravity = r.type->gravity;
    const bool near = inflated_box(setup_.parenting, bounds).contains(local);
    if (!always && !near && !gravity.inside.contains(local)) return;
    const double mass =
        r.is(EntityKind::Static) ? std::numeric_limits<double>::infinity() : r.type->mass_kg;
    out.push_back({r.entity.handle, *at, bounds, mass, gravity});
  };
  if (const Record* r = record(current)) add(*r, true);
  for (const Record* r : eligible_) {
    if (r->entity.handle != current) add(*r, false);
  }
}

}  // namespace perigee::world
