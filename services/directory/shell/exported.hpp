/// The metrics of the directory's process.
#pragma once

#include "perigee/host/metrics.hpp"
#include "service.hpp"

namespace perigee::directory {

enum class Count : std::uint8_t {
  Deaths,
  SignOffs,
  Refusals,
  MapVersions,
  Saves,
  Changes,
  ReportsRefused,
  Bequeathed,
  Careful,
  Quarantined,
  SuspicionsRefuted,
  RateChanges,
  Terms,
  last = Terms
};
enum class Level : std::uint8_t {
  Workers,
  Gateways,
  Regions,
  Watchers,
  HandleBlocks,
  Imbalance,
  Draining,
  Away,
  Rate,
  Overloaded,
  LargestIsland,
  Leads,
  StoreAnswers,
  last = StoreAnswers
};

struct Tables {
  explicit Tables(host::Metrics& metrics);
  void show(const Service::Picture& picture);

  host::CounterTable<Count> counts;
  host::GaugeTable<Level> levels;
};

}  // namespace perigee::directory
