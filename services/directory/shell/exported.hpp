/// The metrics of the directory's process.
#pragma once

#include "perigee/host/metrics.hpp"
#include "process_metrics.hpp"
#include "service.hpp"

namespace perigee::directory {

class Exported {
 public:
  explicit Exported(host::Metrics& metrics) : process_(metrics, process_metric) {}
  void show(const Service::Stats& stats);

 private:
  void show_members(const ClusterMap& map);

  host::MetricSeries<ProcessMetrics> process_;
};

}  // namespace perigee::directory
