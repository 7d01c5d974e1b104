/// Spans of a worker: its part of failovers, of moves of regions, of drains, and migrations of
/// groups. It learns of them from the map, from its reports, and from its migrations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/migration_step.hpp"
#include "perigee/base/worker_report.hpp"
#include "perigee/tracing/map_events.hpp"

namespace perigee::tracing {

class WorkerSpans {
 public:
  static constexpr std::size_t migrations_max = 1'024;    ///< open ones; further ones are left out
  static constexpr std::size_t regions_max = 256;         ///< likewise
  static constexpr Micros migration_us_max = 60'000'000;  ///< open for longer: forgotten
  /// If the former owner has entities in a region for longer, the span ends with an error.
  static constexpr Micros region_us_max = 60'000'000;

  explicit WorkerSpans(std::function<void(Span)> emit) : emit_(std::move(emit)) {}

  /// A map that the worker has adopted.
  void on_map(Micros now_us, WorkerSlot self, const ClusterMap& map);
  /// After each tick.
  void on_tick(Micros now_us) {
    if (!takeovers_.empty()) end_takeovers(now_us);
  }
  /// The worker's report to the directory.
  void on_report(Micros now_us, const WorkerReport& report);
  void on_migration(Micros now_us, MigrationStep step, std::uint32_t group, std::uint32_t attempt,
                    WorkerSlot peer);

 private:
  struct Leaving {
    MapEvent event;
    Micros since_us = 0;
  };
  struct Migration {
    Micros since_us = 0;
    std::optional<Micros> left_us;
    WorkerSlot peer;
    bool here_first = false;  ///< the worker is the sender
  };
  using MigrationKey = std::pair<std::uint32_t, std::uint32_t>;  ///< group and attempt

  void on_event(Micros now_us, const MapEvent& event);
  void end_takeovers(Micros now_us);
  void end_suspicion(Micros now_us, const MapEvent& event);
  void end_left_regions(Micros now_us, const WorkerReport& report);
  void end_drain(Micros now_us, const WorkerReport& report);
  void follow_suspects(Micros now_us, std::span<const WorkerIncarnation> suspects);
  void begin_migration(Micros now_us, const MigrationKey& key, WorkerSlot peer, bool here_first);
  void end_migration(Micros now_us, const MigrationKey& key, bool refused);

  const std::function<void(Span)> emit_;
  std::optional<ClusterMap> map_;
  WorkerSlot self_;
  std::vector<Leaving> takeovers_;  ///< no tick has run since
  std::vector<Leaving> leaving_;    ///< regions with entities of this worker
  std::optional<Leaving> drain_;
  struct Suspect {
    WorkerIncarnation whom;
    Micros since_us = 0;
  };
  std::vector<Suspect> suspects_;
  std::map<MigrationKey, Migration> migrations_;
};

}  // namespace perigee::tracing
