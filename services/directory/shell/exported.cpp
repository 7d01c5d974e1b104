#include "exported.hpp"

#include <algorithm>
#include <functional>

namespace perigee::directory {
namespace {

template <class Entries, class Predicate>
double count(const Entries& entries, Predicate predicate) {
  return static_cast<double>(std::count_if(entries.begin(), entries.end(), predicate));
}

}  // namespace

void Exported::show(const Service::Stats& stats) {
  process_.follow(process_metric.deaths, stats.tally.deaths);
  process_.follow(process_metric.refusals, stats.refusals);
  process_.follow(process_metric.sign_offs, stats.signed_off);
  process_.follow(process_metric.map_versions, stats.tally.map_versions);
  process_.follow(process_metric.saves_written, stats.saved);
  process_.follow(process_metric.saves_failed, stats.save_failures);
  for (std::size_t kind = 0; kind < change_kinds; ++kind) {
    process_.follow(process_metric.region_changes[static_cast<ChangeKind>(kind)],
                    stats.tally.changes[kind]);
  }
  process_.follow(process_metric.reports_refused, stats.tally.reports_refused);
  process_.follow(process_metric.failovers, stats.tally.failovers);
  process_.follow(process_metric.promotions_without_inputs, stats.tally.promotions_without_inputs);
  process_.follow(process_metric.quarantined, stats.tally.quarantined);
  process_.follow(process_metric.suspicions_refuted, stats.suspicions_refuted);
  process_.follow(process_metric.rate_changes, stats.tally.rate_changes);
  process_.follow(process_metric.terms, stats.terms);
  process_.follow(process_metric.fabric_key_changes, stats.tally.fabric_key_changes);
  process_.flush();
  process_.set(process_metric.leads, stats.leads ? 1 : 0);
  process_.set(process_metric.store_answers, stats.store_answers ? 1 : 0);
  process_.set(process_metric.imbalance, stats.imbalance);
  process_.set(process_metric.entities_away, stats.away);
  process_.set(process_metric.overloaded, stats.overloaded);
  process_.set(process_metric.largest_island, stats.largest_island_ms * 1e-3);
  process_.set(process_metric.watchers, stats.watchers);
  process_.set(process_metric.fabric_epoch, stats.fabric_epoch);
  process_.set(process_metric.handle_blocks_left, stats.handle_blocks_left);
  show_members(stats.map);
}

void Exported::show_members(const ClusterMap& map) {
  const auto alive = [](const auto& entry) { return entry.alive; };
  const auto draining = [](const WorkerEntry& worker) { return worker.alive && worker.draining; };
  const auto owned = [](const auto& region) { return region.owner.has_value(); };
  process_.set(process_metric.workers, count(map.workers, alive));
  process_.set(process_metric.gateways, count(map.gateways, alive));
  process_.set(process_metric.draining, count(map.workers, draining));
  process_.set(process_metric.regions_owned, count(map.regions, owned));
  process_.set(process_metric.regions_ownerless, count(map.regions, std::not_fn(owned)));
  const WorldTime& time = map.time;
  process_.set(process_metric.time_rate, (time.change ? *time.change : time.base).rate_ppm * 1e-6);
}

}  // namespace perigee::directory
