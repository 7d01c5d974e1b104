#include "exported.hpp"

#include <algorithm>

namespace perigee::worker {
namespace {

constexpr double seconds(Micros us) { return static_cast<double>(us) * 1e-6; }

}  // namespace

Exported::Exported(host::Metrics& metrics)
    : process_(metrics, process_metric),
      core_(metrics, metric),
      links_(metrics, peers::metric),
      seal_(metrics, fabric_seal::metric) {}

void Exported::show(const fabric_seal::Seal& seal) { seal_.follow(seal.counts()); }

void Exported::on_tick(Micros duration_us, Micros cpu_us) {
  process_.observe(process_metric.tick, seconds(duration_us));
  process_.observe(process_metric.tick_cpu, seconds(cpu_us));
}

void Exported::on_phase(TickPhase phase, Micros duration_us) {
  process_.observe(process_metric.phase[phase], seconds(duration_us));
}

void Exported::on_transits(const Transits& transits_s) {
  for (const float transit_s : transits_s)
    process_.observe(process_metric.fabric_transit, double{transit_s});
}

void Exported::on_waits(const Waits& waits_s) {
  for (const float wait_s : waits_s) process_.observe(process_metric.input_wait, double{wait_s});
}

void Exported::on_new_core() {
  exported_ = {};
  exported_publisher_ = {};
}

void Exported::show(const Core& core, const EntityRoles& entities) {
  core_.add_since(exported_, core.counts());
  show_publisher(core.publisher().counters());
  const TickSummary summary = core.summary();
  process_.set(process_metric.players, summary.players);
  process_.set(process_metric.observers, summary.observers);
  process_.set(process_metric.gap_steps_most, summary.most_gap_steps);
  process_.set(process_metric.standby_in_sync, core.in_sync() ? 1 : 0);
  process_.set(process_metric.messages_open, static_cast<double>(core.messages_open()));
  process_.set(process_metric.groups_remembered, static_cast<double>(core.groups_remembered()));
  process_.set(process_metric.entities_owned, entities.owned);
  process_.set(process_metric.ghosts, entities.ghosts);
  if (const auto handles = core.handles_left()) {
    process_.set(process_metric.handles_left, *handles);
  }
}

void Exported::show_publisher(const replication::Publisher::Counters& totals) {
  const replication::Publisher::Counters& exported = exported_publisher_;
  process_.add(process_metric.blocks, totals.blocks - exported.blocks);
  const auto headers = [](const replication::Publisher::Counters& of) {
    return of.bytes - of.bytes_own - of.bytes_events - of.bytes_tracks - of.bytes_cues;
  };
  const auto& bytes = process_metric.block_bytes;
  process_.add(bytes[BlockPart::Header], headers(totals) - headers(exported));
  process_.add(bytes[BlockPart::Own], totals.bytes_own - exported.bytes_own);
  process_.add(bytes[BlockPart::Events], totals.bytes_events - exported.bytes_events);
  process_.add(bytes[BlockPart::Tracks], totals.bytes_tracks - exported.bytes_tracks);
  process_.add(bytes[BlockPart::Cues], totals.bytes_cues - exported.bytes_cues);
  core_.add(metric.cues_sent, totals.cues.sent - exported.cues.sent);
  core_.add(metric.cues_repeated, totals.cues.repeated - exported.cues.repeated);
  core_.add(metric.cues_crowded_out, totals.cues.crowded_out - exported.cues.crowded_out);
  process_.add(process_metric.records_over_limit,
               totals.records_over_limit - exported.records_over_limit);
  process_.add(process_metric.known_full, totals.known_full - exported.known_full);
  core_.add(metric.sweep_events_deferred, totals.events_deferred - exported.events_deferred);
  for (std::size_t ring = 0; ring < interest_rings; ++ring) {
    process_.add(process_metric.records_of_ring[ring],
                 totals.records_by_ring[ring] - exported.records_by_ring[ring]);
  }
  exported_publisher_ = totals;
}

void Exported::show(const TickMeter& meter) {
  process_.follow(process_metric.overruns, meter.overruns());
  process_.follow(process_metric.late_starts, meter.late_starts());
}

void Exported::show(const TickBudget& budget) {
  for (std::size_t i = 0; i < TickBudget::phases; ++i) {
    const auto phase = static_cast<TickPhase>(i);
    process_.follow(process_metric.phase_over_budget[phase], budget.over(phase));
  }
  process_.set(process_metric.give_way_step, budget.step());
  process_.set(process_metric.overload_level, static_cast<double>(budget.level()));
}

void Exported::show_rate(double rate) { process_.set(process_metric.time_rate, rate); }
void Exported::show_island(double seconds) { process_.set(process_metric.largest_island, seconds); }

void Exported::show(const host::UdpCounts& fabric) {
  process_.follow(process_metric.datagrams_in, fabric.received_datagrams);
  process_.follow(process_metric.datagrams_out, fabric.sent_datagrams);
  process_.follow(process_metric.bytes_in, fabric.received_bytes);
  process_.follow(process_metric.bytes_out, fabric.sent_bytes);
  process_.follow(process_metric.lost_in_kernel_buffer, fabric.kernel_dropped);
  process_.follow(process_metric.lost_oversized, fabric.received_oversized);
  process_.follow(process_metric.lost_from_send_queue, fabric.send_queue_full);
  process_.follow(process_metric.lost_by_failed_send, fabric.send_failed);
}

void Exported::show(const peers::Core& links) {
  links_.follow(links.counts());
  process_.set(process_metric.links_up, static_cast<double>(links.links()));
  process_.set(process_metric.links_down, static_cast<double>(links.neighbours() - links.links()));
}

void Exported::show(std::span<const GroupInDoubt> doubts) {
  process_.set(process_metric.groups_in_doubt, static_cast<double>(doubts.size()));
  const double oldest_s = doubts.empty() ? 0 : doubts.front().for_ticks * seconds_per_tick;
  process_.set(process_metric.oldest_doubt, oldest_s);
}

void Exported::show(const flight_log::FlightLog& recordings) {
  process_.follow(process_metric.recordings_written, recordings.written());
  process_.follow(process_metric.recordings_lost, recordings.lost());
}

void Exported::show(RecorderCalls& recorder_calls) {
  const RecorderCalls::Counts counts = recorder_calls.counts();
  process_.set(process_metric.recorders_in_use, counts.in_use);
  process_.follow(process_metric.recorders_armed, counts.armed);
  process_.follow(process_metric.recorders_refused, counts.refused);
  process_.follow(process_metric.recordings_sent, counts.sent);
  for (const Micros us : recorder_calls.take_copies()) {
    process_.observe(process_metric.recorder_copy, seconds(us));
  }
}

void Exported::show(const StoreThread::Status& store, std::optional<double> age_s,
                    std::size_t waiting) {
  core_.follow(metric.outcomes_stored, store.rows_stored);
  core_.follow(metric.checkpoints_written, store.parts_written);
  core_.follow(metric.checkpoints_dropped, store.parts_dropped);
  process_.follow(process_metric.store_fault, store.faults);
  for (const Micros us : store.parts_us) process_.observe(process_metric.store_part, seconds(us));
  process_.set(process_metric.store_rows_waiting,
               static_cast<double>(std::max(store.rows_waiting, waiting)));
  process_.set(process_metric.store_checkpoint_age, age_s.value_or(0));
  process_.set(process_metric.store_behind, store.behind ? 1 : 0);
}

void Exported::show(const world::SlowCalls& slow_calls) {
  process_.follow(process_metric.slow_game_calls, slow_calls.counts());
}

void Exported::show_tick_lag(Micros lag_us) {
  process_.set(process_metric.tick_lag, seconds(lag_us));
}
void Exported::show_clock_error(Micros error_us) {
  process_.set(process_metric.clock_error, seconds(error_us));
}

void Exported::flush() {
  process_.flush();
  core_.flush();
  links_.flush();
  seal_.flush();
}

}  // namespace perigee::worker
