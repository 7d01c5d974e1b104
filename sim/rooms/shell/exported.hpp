/// The metrics of a process of rooms.
#pragma once

#include "perigee/host/metrics.hpp"
#include "perigee/host/udp_socket.hpp"
#include "perigee/rooms/host.hpp"
#include "perigee/store_thread/store_thread.hpp"
#include "process_metrics.hpp"

namespace perigee::rooms {

class Exported {
 public:
  explicit Exported(host::Metrics& metrics) : process_(metrics, process_metric) {}

  void on_tick(Micros spent_us, Micros late_us);
  void on_telemetry(const Telemetry& telemetry);
  void on_created(Micros took_us);
  void on_ended(EndReason reason) { process_.add(process_metric.ended[reason]); }
  void on_refused(Refusal reason) { process_.add(process_metric.refused[reason]); }
  void on_invited() { process_.add(process_metric.invitations); }
  void show(const store_thread::StoreThread::Status& store);
  /// Ten times a second.
  void show(const Host& host, const host::UdpCounts& sessions, const host::UdpCounts& handshakes);

 private:
  host::MetricSeries<ProcessMetrics> process_;
};

}  // namespace perigee::rooms
