#include "exported.hpp"

#include <algorithm>

#include "exported_counts.hpp"
#include "exported_families.hpp"

namespace perigee::worker {
namespace {

constexpr double seconds(Micros us) { return static_cast<double>(us) * 1e-6; }

}  // namespace

Exported::Exported(host::Metrics& metrics)
    : counters_(metrics, counter_rows),
      levels_(metrics, level_rows),
      spreads_(metrics, spread_rows) {}

template <class Label>
void Exported::grow(Family family, Label label, std::uint64_t& shown, std::uint64_t total) {
  counters_.add_labelled(family, label, total - shown);
  shown = total;
}

void Exported::on_tick(Micros duration_us, Micros cpu_us) {
  spreads_.observe(Spread::Tick, seconds(duration_us));
  spreads_.observe(Spread::TickCpu, seconds(cpu_us));
}

void Exported::on_phase(TickPhase phase, Micros duration_us) {
  spreads_.observe_labelled(Spread::Phase, phase, seconds(duration_us));
}

void Exported::on_transits(const Transits& transits_s) {
  for (const float transit_s : transits_s)
    spreads_.observe(Spread::FabricTransit, double{transit_s});
}

void Exported::on_waits(const Waits& waits_s) {
  for (const float wait_s : waits_s) spreads_.observe(Spread::InputWait, double{wait_s});
}

void Exported::show(const Core& core, const EntityRoles& entities) {
  for (const Row& row : rows) {
    grow(row.family, row.label, shown_.counts[static_cast<std::size_t>(row.count)],
         core.counts()[row.count]);
  }
  const replication::Publisher::Counters& publisher = core.publisher().counters();
  grow(Family::Blocks, 0, shown_.publisher.blocks, publisher.blocks);
  grow(Family::BlockBytes, 0, shown_.publisher.bytes, publisher.bytes);
  grow(Family::RecordsOverLimit, 0, shown_.publisher.records_over_limit,
       publisher.records_over_limit);
  grow(Family::KnownFull, 0, shown_.publisher.known_full, publisher.known_full);
  grow(Family::EventsDeferred, 1, shown_.publisher.events_deferred, publisher.events_deferred);
  for (std::size_t ring = 0; ring < interest_rings; ++ring) {
    grow(Family::Records, ring, shown_.publisher.records_by_ring[ring],
         publisher.records_by_ring[ring]);
  }
  const TickSummary summary = core.summary();
  levels_.set(Level::Players, summary.players);
  levels_.set(Level::Observers, summary.observers);
  levels_.set(Level::BuddyState, core.in_sync() ? 1 : 0);
  levels_.set(Level::LettersOpen, static_cast<double>(core.letters_open()));
  levels_.set(Level::GroupsRemembered, static_cast<double>(core.groups_remembered()));
  levels_.set_labelled(Level::Entities, 0, entities.owned);
  levels_.set_labelled(Level::Entities, 1, entities.ghosts);
}

void Exported::show(const TickMeter& meter) {
  counters_.follow(Family::Overruns, meter.overruns());
  counters_.follow(Family::LateStarts, meter.late_starts());
}

void Exported::show(const TickBudget& budget) {
  for (std::size_t phase = 0; phase < TickBudget::phases; ++phase) {
    counters_.follow_labelled(Family::PhasesOver, phase,
                              budget.over(static_cast<TickPhase>(phase)));
  }
  levels_.set(Level::GiveWayStep, budget.step());
  levels_.set(Level::OverloadRung, static_cast<double>(budget.rung()));
}

void Exported::show_rate(double rate) { levels_.set(Level::TimeRate, rate); }
void Exported::show_island(double seconds) { levels_.set(Level::LargestIsland, seconds); }

void Exported::show(const host::UdpCounts& fabric) {
  counters_.follow_labelled(Family::FabricDatagrams, 0, fabric.received_datagrams);
  counters_.follow_labelled(Family::FabricDatagrams, 1, fabric.sent_datagrams);
  counters_.follow_labelled(Family::FabricBytes, 0, fabric.received_bytes);
  counters_.follow_labelled(Family::FabricBytes, 1, fabric.sent_bytes);
  std::size_t label = 0;
  for (const std::uint64_t lost : {fabric.kernel_dropped, fabric.received_oversized,
                                   fabric.send_queue_full, fabric.send_failed}) {
    counters_.follow_labelled(Family::SocketLosses, label++, lost);
  }
}

void Exported::show(const peers::Core& links) {
  for (const LinkRow& row : link_rows) {
    counters_.follow_labelled(row.family, row.label, links.counts()[row.count]);
  }
  levels_.set_labelled(Level::Links, 0, static_cast<double>(links.links()));
  levels_.set_labelled(Level::Links, 1, static_cast<double>(links.neighbours() - links.links()));
}

void Exported::show(std::span<const GroupInDoubt> doubts) {
  levels_.set(Level::GroupsInDoubt, static_cast<double>(doubts.size()));
  const double oldest_s = doubts.empty() ? 0 : doubts.front().for_ticks * seconds_per_tick;
  levels_.set(Level::OldestDoubt, oldest_s);
}

void Exported::show(const flight_log::FlightLog& recordings) {
  counters_.follow_labelled(Family::FlightRecordings, 0, recordings.written());
  counters_.follow_labelled(Family::FlightRecordings, 1, recordings.lost());
}

void Exported::show(const StoreThread::Status& store, std::optional<double> age_s,
                    std::size_t waiting) {
  counters_.follow_labelled(Family::StoreOutcomes, 2, store.rows_stored);
  counters_.follow_labelled(Family::StoreCuts, 1, store.parts_written);
  counters_.follow_labelled(Family::StoreCuts, 2, store.parts_dropped);
  for (std::size_t kind = 0; kind < store_faults.size(); ++kind) {
    counters_.follow_labelled(Family::StoreFaults, kind,
                              store.faults[static_cast<world_store::StoreFault>(kind)]);
  }
  for (const Micros us : store.parts_us) spreads_.observe(Spread::StorePart, seconds(us));
  levels_.set(Level::StoreRowsWaiting, static_cast<double>(std::max(store.rows_waiting, waiting)));
  levels_.set(Level::StoreCutAge, age_s.value_or(0));
  levels_.set(Level::StoreBehind, store.behind ? 1 : 0);
}

void Exported::show_tick_lag(Micros lag_us) { levels_.set(Level::TickLag, seconds(lag_us)); }
void Exported::show_clock_error(Micros error_us) {
  levels_.set(Level::ClockError, seconds(error_us));
}

void Exported::flush() {
  counters_.flush();
  spreads_.flush();
}

}  // namespace perigee::worker
