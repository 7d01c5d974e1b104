#include "exported.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace perigee::directory {
namespace {

constexpr std::array<std::string_view, 2> save_results{"written", "failed"};
constexpr std::array<std::string_view, change_kinds> change_names{"split", "merge", "slide",
                                                                  "move"};
constexpr std::array count_rows{
    host::CounterRow<Count>{Count::Deaths, "directory_deaths_total",
                            "Members considered dead: no heartbeat for more than 5 s."},
    host::CounterRow<Count>{Count::SignOffs, "directory_sign_offs_total",
                            "Members that signed off in good order."},
    host::CounterRow<Count>{Count::Refusals, "directory_refusals_total",
                            "Registrations refused; the member's log has the reason."},
    host::CounterRow<Count>{Count::MapVersions, "directory_map_versions_total",
                            "Changes of the cluster map."},
    host::CounterRow<Count>{Count::Saves,
                            "directory_saves_total",
                            "Commits to the store; failed ones are retried.",
                            {"result", save_results}},
    host::CounterRow<Count>{Count::Changes,
                            "directory_region_changes_total",
                            "Changes of regions and their owners, except after deaths.",
                            {"kind", change_names}},
    host::CounterRow<Count>{Count::ReportsRefused, "directory_reports_refused_total",
                            "Reports of workers refused as implausible."},
    host::CounterRow<Count>{Count::Bequeathed, "directory_workers_bequeathed_total",
                            "Failovers: incarnations of workers taken over by their standby."},
    host::CounterRow<Count>{
        Count::Careful, "directory_careful_promotions_total",
        "Failovers within 8 s after another one of the crash chain: pending inputs were skipped."},
    host::CounterRow<Count>{Count::Quarantined, "directory_lives_quarantined_total",
                            "Incarnations of workers not taken over, to end a crash chain."},
    host::CounterRow<Count>{Count::SuspicionsRefuted, "directory_suspicions_refuted_total",
                            "Workers suspected by their standby that did answer the directory."},
    host::CounterRow<Count>{Count::RateChanges, "directory_rate_changes_total",
                            "Changes of the rate of world time."},
    host::CounterRow<Count>{Count::Terms, "directory_terms_total",
                            "Times this directory became the leader."},
};
static_assert(host::one_row_each(count_rows, Count::last), "one row for each Count");

constexpr std::array<std::string_view, 2> region_states{"owned", "ownerless"};
constexpr std::array level_rows{
    host::GaugeRow<Level>{Level::Workers, "directory_workers_alive", "Simulation workers alive."},
    host::GaugeRow<Level>{Level::Gateways, "directory_gateways_alive", "Gateways alive."},
    host::GaugeRow<Level>{Level::Regions,
                          "directory_regions",
                          "Regions by state; ownerless regions are not simulated.",
                          {"state", region_states}},
    host::GaugeRow<Level>{Level::Watchers, "directory_watchers",
                          "Open streams of the cluster map."},
    host::GaugeRow<Level>{Level::HandleBlocks, "directory_handle_blocks_left",
                          "Further starts of workers for which entity handles are left."},
    host::GaugeRow<Level>{
        Level::Imbalance, "directory_imbalance_ratio",
        "Load of the most loaded worker relative to the mean; 1 while the load is negligible."},
    host::GaugeRow<Level>{Level::Draining, "directory_workers_draining",
                          "Living workers that are being drained."},
    host::GaugeRow<Level>{Level::Away, "directory_entities_away",
                          "Entities in a region with another owner than the worker that has them."},
    host::GaugeRow<Level>{Level::Rate, "directory_time_rate_ratio",
                          "World time per real time, after the last change has taken effect."},
    host::GaugeRow<Level>{Level::Overloaded, "directory_workers_overloaded",
                          "Workers overloaded even with the fewest updates of distant entities."},
    host::GaugeRow<Level>{
        Level::LargestIsland, "directory_largest_island_seconds",
        "CPU time per tick of the largest group of entities that no split of regions divides."},
    host::GaugeRow<Level>{
        Level::Leads, "directory_leads",
        "1: this directory leads; one that stands by exports 0 for members and regions."},
    host::GaugeRow<Level>{Level::StoreAnswers, "directory_store_answers",
                          "0: the store does not answer, and changes of the map wait."},
};
static_assert(host::one_row_each(level_rows, Level::last), "one row for each Level");

template <class Entries, class Predicate>
std::size_t count(const Entries& entries, Predicate predicate) {
  return static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(), predicate));
}

}  // namespace

Tables::Tables(host::Metrics& metrics) : counts(metrics, count_rows), levels(metrics, level_rows) {}

void Tables::show(const Service::Picture& picture) {
  const auto alive = [](const auto& entry) { return entry.alive; };
  const std::size_t owned =
      count(picture.map.regions, [](const auto& region) { return region.owner.has_value(); });
  counts.follow(Count::Deaths, picture.tally.deaths);
  counts.follow(Count::Refusals, picture.refusals);
  counts.follow(Count::SignOffs, picture.signed_off);
  counts.follow(Count::MapVersions, picture.tally.map_versions);
  counts.follow_labelled(Count::Saves, 0, picture.saved);
  counts.follow_labelled(Count::Saves, 1, picture.save_failures);
  for (std::size_t kind = 0; kind < change_kinds; ++kind) {
    counts.follow_labelled(Count::Changes, kind, picture.tally.changes[kind]);
  }
  counts.follow(Count::ReportsRefused, picture.tally.reports_refused);
  counts.follow(Count::Bequeathed, picture.tally.bequeathed);
  counts.follow(Count::Careful, picture.tally.careful);
  counts.follow(Count::Quarantined, picture.tally.quarantined);
  counts.follow(Count::SuspicionsRefuted, picture.suspicions_refuted);
  counts.follow(Count::RateChanges, picture.tally.rate_changes);
  counts.follow(Count::Terms, picture.terms);
  counts.flush();
  levels.set(Level::Leads, picture.leads ? 1 : 0);
  levels.set(Level::StoreAnswers, picture.store_answers ? 1 : 0);
  levels.set(Level::Imbalance, picture.imbalance);
  levels.set(Level::Draining,
             static_cast<double>(count(picture.map.workers, [](const WorkerEntry& worker) {
               return worker.alive && worker.draining;
             })));
  levels.set(Level::Away, picture.away);
  const WorldTime& time = picture.map.time;
  levels.set(Level::Rate, (time.change ? *time.change : time.base).rate_ppm * 1e-6);
  levels.set(Level::Overloaded, picture.overloaded);
  levels.set(Level::LargestIsland, picture.largest_island_ms * 1e-3);
  levels.set(Level::Workers, static_cast<double>(count(picture.map.workers, alive)));
  levels.set(Level::Gateways, static_cast<double>(count(picture.map.gateways, alive)));
  levels.set_labelled(Level::Regions, 0, static_cast<double>(owned));
  levels.set_labelled(Level::Regions, 1, static_cast<double>(picture.map.regions.size() - owned));
  levels.set(Level::Watchers, picture.watchers);
  levels.set(Level::HandleBlocks, picture.handle_blocks_left);
}

}  // namespace perigee::directory
