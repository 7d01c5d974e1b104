#include "perigee/tracing/worker_spans.hpp"

#include <algorithm>

namespace perigee::tracing {
namespace {

bool owns_a_region(const ClusterMap& map, WorkerSlot worker) {
  return std::any_of(map.regions.begin(), map.regions.end(),
                     [&](const RegionEntry& region) { return region.owner == worker; });
}

std::uint32_t entities_in(RegionId region, const WorkerReport& report) {
  for (const RegionThings& things : report.regions) {
    if (things.region == region) return things.entities;
  }
  return 0;
}

}  // namespace

void WorkerSpans::on_map(Micros now_us, WorkerSlot self, const ClusterMap& map) {
  const bool follows = map_ && map_->cluster_id == map.cluster_id && self == self_;
  if (follows && map_->version == map.version) return;
  self_ = self;
  const std::optional<ClusterMap> before = std::exchange(map_, map);
  if (!follows) return;
  for (const MapEvent& event : events_between(*before, map)) on_event(now_us, event);
  const WorkerEntry* own = map.worker(self);
  if (drain_ && (own == nullptr || !own->draining)) drain_.reset();
}

void WorkerSpans::on_event(Micros now_us, const MapEvent& event) {
  switch (event.kind) {
    case MapEventKind::Failover:
      end_suspicion(now_us, event);
      if (event.to == self_) takeovers_.push_back({event, now_us});
      break;
    case MapEventKind::RegionMove:
      if (event.worker == self_ && leaving_.size() < regions_max) {
        leaving_.push_back({event, now_us});
      }
      break;
    case MapEventKind::Drain:
      if (event.worker == self_) drain_ = {event, now_us};
      break;
    case MapEventKind::Loss:
      break;
  }
}

void WorkerSpans::end_takeovers(Micros now_us) {
  for (const Leaving& takeover : std::exchange(takeovers_, {})) {
    Span span = child_span("failover.take_over", takeover.event.trace, takeover.since_us, now_us);
    span.attributes = {{"perigee.worker", std::int64_t{takeover.event.worker.number}},
                       {"perigee.to_worker", std::int64_t{self_.number}}};
    emit_(std::move(span));
  }
}

void WorkerSpans::end_suspicion(Micros now_us, const MapEvent& event) {
  const auto found = std::find_if(suspects_.begin(), suspects_.end(), [&](const Suspect& each) {
    return each.whom == WorkerIncarnation{event.worker, event.incarnation};
  });
  if (found == suspects_.end()) return;
  Span span = child_span("failover.suspicion", event.trace, found->since_us, now_us);
  span.attributes = {{"perigee.worker", std::int64_t{event.worker.number}}};
  emit_(std::move(span));
  suspects_.erase(found);
}

void WorkerSpans::on_report(Micros now_us, const WorkerReport& report) {
  follow_suspects(now_us, report.suspects);
  end_left_regions(now_us, report);
  end_drain(now_us, report);
  std::erase_if(migrations_,
                [&](const auto& each) { return now_us - each.second.since_us > migration_us_max; });
}

void WorkerSpans::follow_suspects(Micros now_us, std::span<const WorkerIncarnation> suspects) {
  std::vector<Suspect> now;
  for (const WorkerIncarnation& whom : suspects) {
    const auto known = std::find_if(suspects_.begin(), suspects_.end(),
                                    [&](const Suspect& each) { return each.whom == whom; });
    now.push_back({whom, known == suspects_.end() ? now_us : known->since_us});
  }
  suspects_ = std::move(now);
}

void WorkerSpans::end_left_regions(Micros now_us, const WorkerReport& report) {
  if (leaving_.empty() || !map_ || report.map_version < map_->version) return;
  std::erase_if(leaving_, [&](const Leaving& leaving) {
    const std::uint32_t left = entities_in(leaving.event.region, report);
    if (left > 0 && now_us - leaving.since_us < region_us_max) return false;
    Span span = child_span("region.leave", leaving.event.trace, leaving.since_us, now_us);
    span.attributes = {{"perigee.region", std::int64_t{leaving.event.region.number}},
                       {"perigee.worker", std::int64_t{self_.number}},
                       {"perigee.entities_left", std::int64_t{left}}};
    if (left > 0) span.error = "entities of the former owner are still in the region";
    emit_(std::move(span));
    return true;
  });
}

void WorkerSpans::end_drain(Micros now_us, const WorkerReport& report) {
  if (!drain_ || report.entities > 0 || owns_a_region(*map_, self_)) return;
  Span span = child_span("drain.leave", drain_->event.trace, drain_->since_us, now_us);
  span.attributes = {{"perigee.worker", std::int64_t{self_.number}}};
  emit_(std::move(span));
  drain_.reset();
}

void WorkerSpans::on_migration(Micros now_us, MigrationStep step, std::uint32_t group,
                               std::uint32_t attempt, WorkerSlot peer) {
  const MigrationKey key{group, attempt};
  switch (step) {
    case MigrationStep::Offered:
      return begin_migration(now_us, key, peer, true);
    case MigrationStep::Promised:
      return begin_migration(now_us, key, peer, false);
    case MigrationStep::Left:
      if (const auto found = migrations_.find(key);
          found != migrations_.end() && !found->second.left_us) {
        found->second.left_us = now_us;
      }
      return;
    case MigrationStep::Settled:
    case MigrationStep::Received:
      return end_migration(now_us, key, false);
    case MigrationStep::Refused:
      return end_migration(now_us, key, true);
  }
}

void WorkerSpans::begin_migration(Micros now_us, const MigrationKey& key, WorkerSlot peer,
                                  bool here_first) {
  // Former attempts to move the group were given up.
  migrations_.erase(migrations_.lower_bound({key.first, 0}), migrations_.lower_bound(key));
  if (migrations_.size() == migrations_max) return;
  migrations_.try_emplace(key,
                          Migration{.since_us = now_us, .peer = peer, .here_first = here_first});
}

void WorkerSpans::end_migration(Micros now_us, const MigrationKey& key, bool refused) {
  const auto found = migrations_.find(key);
  if (found == migrations_.end() || !map_) return;
  const Migration migration = found->second;
  migrations_.erase(found);
  const TraceId trace = trace_of_migration(map_->cluster_id, key.first, key.second);
  Span span = migration.here_first
                  ? root_span("migration", trace, migration.since_us, now_us)
                  : child_span("migration.receive", trace, migration.since_us, now_us);
  span.attributes = {{"perigee.group", std::int64_t{key.first}},
                     {"perigee.attempt", std::int64_t{key.second}},
                     {"perigee.worker", std::int64_t{self_.number}},
                     {"perigee.peer_worker", std::int64_t{migration.peer.number}}};
  if (migration.left_us) span.events = {{"left", *migration.left_us}};
  if (refused) span.error = "the receiver refused the group";
  span.frequent = true;
  emit_(std::move(span));
}

}  // namespace perigee::tracing
