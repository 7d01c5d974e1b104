/// The metrics of the session service's process.
#pragma once

#include "perigee/host/metrics.hpp"
#include "process_metrics.hpp"
#include "session_server.hpp"

namespace perigee::session {

class Exported {
 public:
  explicit Exported(host::Metrics& metrics) : process_(metrics, process_metric) {}
  void show(const SessionServer::Stats& stats);
  void show(const Accounts::Stats& stats, std::int64_t certificate_expires_s);
  void show(const HttpPort::Stats& stats);

 private:
  host::MetricSeries<ProcessMetrics> process_;
};

}  // namespace perigee::session
