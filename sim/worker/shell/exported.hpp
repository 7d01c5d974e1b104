/// A worker's metrics: the counters of core, links and publisher, tick times, and socket losses.
#pragma once

#include "perigee/fabric_seal/seal.hpp"
#include "perigee/flight_log/flight_log.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/host/udp_socket.hpp"
#include "perigee/peers/core.hpp"
#include "perigee/store_thread/store_thread.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/worker/tick/tick_budget.hpp"
#include "perigee/worker/tick/tick_meter.hpp"
#include "process_metrics.hpp"
#include "recorder_calls.hpp"

namespace perigee::worker {

using store_thread::StoreThread;

/// Numbers of own entities and ghosts.
struct EntityRoles {
  std::uint32_t owned = 0;
  std::uint32_t ghosts = 0;
};

class Exported {
 public:
  explicit Exported(host::Metrics& metrics);
  void on_tick(Micros duration_us, Micros cpu_us);
  void on_phase(TickPhase phase, Micros duration_us);
  void on_transits(const Transits& transits_s);
  void on_waits(const Waits& waits_s);
  void show(const Core& core, const EntityRoles& entities);
  /// The next core counts from zero again.
  void on_new_core();
  void show(const TickMeter& meter);
  void show(const TickBudget& budget);
  void show(const world::SlowCalls& slow_calls);
  void show(const host::UdpCounts& fabric);
  void show(const peers::Core& links);
  void show(const fabric_seal::Seal& seal);
  void show(const flight_log::FlightLog& recordings);
  void show(RecorderCalls& recorder_calls);
  /// The oldest first.
  void show(std::span<const GroupInDoubt> doubts);
  /// `age_s`: of the last complete checkpoint.
  void show(const StoreThread::Status& store, std::optional<double> age_s, std::size_t waiting);
  void show_tick_lag(Micros lag_us);
  void show_rate(double rate);
  void show_island(double seconds);
  void show_clock_error(Micros error_us);
  /// Publishes to Prometheus; once per tick or less often.
  void flush();

 private:
  void show_publisher(const replication::Publisher::Counters& totals);

  host::MetricSeries<ProcessMetrics> process_;
  host::MetricSeries<Metrics> core_;
  host::MetricSeries<peers::Metrics> links_;
  host::MetricSeries<fabric_seal::Metrics> seal_;
  /// Totals of the current core that the series already contain.
  Counts<Count> exported_;
  replication::Publisher::Counters exported_publisher_;
};

}  // namespace perigee::worker
