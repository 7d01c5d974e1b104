/// The gateway's metrics: the core's counters, client telemetry, and socket losses.
#pragma once

#include "perigee/fabric_seal/seal.hpp"
#include "perigee/gateway/core.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/host/session_link.hpp"
#include "perigee/host/udp_socket.hpp"
#include "process_metrics.hpp"

namespace perigee::gateway {

class Exported {
 public:
  explicit Exported(host::Metrics& metrics);
  void on_telemetry(const Telemetry& telemetry);
  /// Time from the kernel to the fabric of the turn's first datagram.
  void on_turn(Micros waited_us);
  /// A block with the own avatar: time since its tick began, and time that it waited here.
  void on_own_block(Micros since_tick_us, Micros held_us);
  void show(const Snapshot& snapshot);
  /// The next core counts from zero again.
  void on_new_core() { exported_ = {}; }
  void show(const host::UdpCounts& sessions, const host::UdpCounts& handshakes,
            const host::UdpCounts& fabric);
  /// The listener for doors, if there is one.
  void show_doors(const host::UdpCounts& doors);
  /// Total time that the loop stayed awake instead of sleeping.
  void show_awake(Micros now_us, Micros awake_us);
  void show(const fabric_seal::Seal& seal);
  void show(const Counts<host::SessionCall>& calls);
  void show_clock_error(Micros error_us);
  /// Publishes to Prometheus; once per turn or less often.
  void flush();

 private:
  void show_losses(ProcessMetrics::CounterOf<SocketLoss> losses, const host::UdpCounts& socket);

  /// Totals of the current core that the series already contain.
  struct Totals {
    Counts<Count> counts;
    Counts<transport::Drop> transport_drops;
    Counts<Drop> drops;
  };

  host::MetricSeries<Metrics> core_;
  host::MetricSeries<ProcessMetrics> process_;
  host::MetricSeries<fabric_seal::Metrics> seal_;
  Totals exported_;
  Micros awake_shown_at_us_ = 0;
  Micros awake_shown_us_ = 0;
};

}  // namespace perigee::gateway
