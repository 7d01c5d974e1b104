/// The metrics of the session service's process.
#pragma once

#include "desk.hpp"
#include "perigee/host/metrics.hpp"
#include "process_metrics.hpp"

namespace perigee::session {

class Exported {
 public:
  explicit Exported(host::Metrics& metrics) : process_(metrics, process_metric) {}
  void show(const Desk::Picture& picture);

 private:
  host::MetricSeries<ProcessMetrics> process_;
};

}  // namespace perigee::session
