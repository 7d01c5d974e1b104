#include "perigee/worker/outcomes/remote_raycasts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ghosts/ghost_wire.hpp"
#include "perigee/world/ray.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t raycast_bytes_max = 192;
constexpr double unit_tolerance = 1e-6;

bool is_unit(const Vec3& direction) { return std::abs(length(direction) - 1) < unit_tolerance; }

}  // namespace

template <class Cursor>
bool RemoteRaycasts::walk_query(Cursor& cursor, auto& query) {
  auto& [wish, actor, identity, tick, flew, parent, view_age, steers] = query.outcome;
  return cursor.number(query.cluster_id) && cursor.number(query.number) &&
         cursor.number(wish.kind) && cursor.number(wish.index) && cursor.number(wish.target) &&
         cursor.number(wish.amount) && cursor.number(actor) && cursor.number(identity) &&
         cursor.tick(tick) && cursor.vec3(query.raycast.eye) &&
         cursor.vec3(query.raycast.direction) && cursor.tick(query.raycast.at.view) &&
         cursor.number(query.raycast.at.part) && cursor.number(query.far_m);
}

struct RemoteRaycasts::Reply {
  std::uint32_t cluster_id = 0;
  std::uint32_t number = 0;
  bool met = false;  ///< a hit at `met_m`
  double met_m = 0;
  world::Judgement judgement;
};
template <class Cursor>
bool RemoteRaycasts::walk_reply(Cursor& cursor, auto& reply) {
  return cursor.number(reply.cluster_id) && cursor.number(reply.number) && cursor.flag(reply.met) &&
         cursor.number(reply.met_m) &&
         cursor.enumerator(reply.judgement.reason, CancelReason::last) &&
         cursor.number(reply.judgement.detail) && cursor.number(reply.judgement.target);
}

/// Owners of regions along the line that are not near ours.
std::bitset<workers_max> RemoteRaycasts::owners_beyond(const Judged& judged) const {
  std::bitset<workers_max> out;
  if (!needs_.outputs.to_peer || !judged.raycast || judged.looked_m <= 0) return out;
  const world::Raycast& raycast = *judged.raycast;
  if (!is_unit(raycast.direction)) return out;  // the receivers would drop the query
  const double far_m = std::min(judged.looked_m, line_m_max);
  const auto along = [&](const RegionEntry& region, double more_m) {
    const Vec3 more{more_m, more_m, more_m};
    return world::ray_inside({region.low - more, region.high + more}, raycast.eye,
                             raycast.direction, far_m);
  };
  const auto known = [&](world::RaySpan span) {
    for (bool shorter = true; shorter && span.enters < span.leaves;) {
      shorter = false;
      for (const RegionEntry& region : needs_.cluster.map().regions) {
        if (region.owner != needs_.cluster.self()) continue;
        const auto ours = along(region, known_m);
        if (!ours || ours->enters > span.enters || ours->leaves <= span.enters) continue;
        span.enters = ours->leaves;
        shorter = true;
      }
    }
    return span.enters >= span.leaves;
  };
  for (const RegionEntry& region : needs_.cluster.map().regions) {
    if (!region.owner || *region.owner == needs_.cluster.self() || out.test(region.owner->index()))
      continue;
    const WorkerEntry* owner = needs_.cluster.map().worker(*region.owner);
    if (owner == nullptr || !owner->alive) continue;
    const auto theirs = along(region, 0);
    if (theirs && !known(*theirs)) out.set(region.owner->index());
  }
  return out;
}

bool RemoteRaycasts::ask(const world::Outcome& outcome, const Judged& judged, Tick now) {
  const auto waiting = owners_beyond(judged);
  if (waiting.none()) return false;
  if (open_.size() == open_max) {
    needs_.counts.add(metric.remote_raycasts_refused);
    return false;
  }
  const std::uint32_t number = ++numbers_;
  open_[number] = {.outcome = outcome,
                   .judgement = judged.judgement,
                   .met_m = judged.looked_m,
                   .since = now,
                   .waiting = waiting};
  std::array<std::byte, raycast_bytes_max> buffer;
  ByteWriter writer(buffer);
  const Query query{needs_.cluster.map().cluster_id, number, outcome, *judged.raycast,
                    std::min(judged.looked_m, line_m_max)};
  const bool fits = put(writer, PeerKind::RaycastQuery) && walk_query(writer, query);
  PERIGEE_ASSERT(fits, "raycast_bytes_max is too small for the message");
  for (const WorkerSlot slot : worker_slots(waiting.size())) {
    if (waiting.test(slot.index())) needs_.outputs.to_peer(slot, writer.written());
  }
  needs_.counts.add(metric.remote_raycasts_asked);
  return true;
}

void RemoteRaycasts::on_query(WorkerSlot from, std::span<const std::byte> bytes, Tick settled) {
  ByteReader reader(bytes);
  Query query;
  const bool read = walk_query(reader, query) && reader.at_end() && query.far_m > 0 &&
                    query.far_m <= line_m_max && query.raycast.at.part >= 0 &&
                    query.raycast.at.part <= 1 && is_unit(query.raycast.direction);
  if (!read) return needs_.counts.add(metric.drop_malformed);
  if (!needs_.cluster.is_peer(from, query.cluster_id))
    return needs_.counts.add(metric.drop_unknown_sender);
  query.raycast.at.own = query.outcome.tick;
  query.raycast.at.eye = query.raycast.eye;
  query.outcome.wish.from = query.raycast.eye;
  query.outcome.wish.direction = query.raycast.direction;
  if (not_after(query.outcome.tick, settled)) return answer(from, query);
  // A sender that is this far ahead has timed out before this worker reaches its tick.
  const bool ahead = ticks_between(settled, query.outcome.tick) > patience_ticks;
  if (ahead || asked_.size() == asked_max) return needs_.counts.add(metric.remote_raycasts_refused);
  asked_.emplace_back(from, query);
}

void RemoteRaycasts::answer(WorkerSlot to, const Query& query) {
  const world::DrawnScene scene(needs_.world, query.outcome, query.raycast);
  Reply reply{.cluster_id = needs_.cluster.map().cluster_id, .number = query.number};
  reply.judgement = needs_.judge(scene, query.outcome);
  reply.met = scene.met() && scene.looked_m() <= query.far_m;
  reply.met_m = scene.looked_m();
  std::array<std::byte, raycast_bytes_max> buffer;
  ByteWriter writer(buffer);
  const bool fits = put(writer, PeerKind::RaycastReply) && walk_reply(writer, std::as_const(reply));
  PERIGEE_ASSERT(fits, "raycast_bytes_max is too small for the message");
  needs_.outputs.to_peer(to, writer.written());
}

void RemoteRaycasts::on_reply(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Reply reply;
  if (!walk_reply(reader, reply) || !reader.at_end())
    return needs_.counts.add(metric.drop_malformed);
  if (!needs_.cluster.is_peer(from, reply.cluster_id))
    return needs_.counts.add(metric.drop_unknown_sender);
  const auto found = open_.find(reply.number);
  if (found == open_.end() || !found->second.waiting.test(from.index()))
    return;  // it came too late
  Open& open = found->second;
  open.waiting.reset(from.index());
  if (reply.met && reply.met_m < open.met_m) {
    open.met_m = reply.met_m;
    open.judgement = reply.judgement;
  }
}

// Commits in the order of the queries, whichever replies came first.
void RemoteRaycasts::after_tick(Tick now, Tick settled) {
  while (!asked_.empty() && not_after(asked_.front().second.outcome.tick, settled)) {
    answer(asked_.front().first, asked_.front().second);
    asked_.pop_front();
  }
  while (!open_.empty()) {
    const auto first = open_.begin();
    if (first->second.waiting.any()) {
      if (ticks_between(first->second.since, now) < patience_ticks) return;
      needs_.counts.add(metric.remote_raycasts_unanswered);
    }
    const Open open = first->second;
    open_.erase(first);
    needs_.commit(open.outcome, open.judgement);
  }
}

}  // namespace perigee::worker
