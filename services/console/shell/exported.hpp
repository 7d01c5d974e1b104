/// The metrics of the console's process.
#pragma once

#include "perigee/host/metrics.hpp"
#include "process_metrics.hpp"
#include "relay.hpp"
#include "web_server.hpp"

namespace perigee::console {

class Exported {
 public:
  explicit Exported(host::Metrics& metrics) : process_(metrics, process_metric) {}
  void show(const WebServer::Counts& web, const Relay::Counts& relay, std::size_t relayed);

 private:
  host::MetricSeries<ProcessMetrics> process_;
};

}  // namespace perigee::console
