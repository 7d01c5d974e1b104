/// The cluster map of a process that is a whole cluster: its gateway, and workers that each own one
/// region. There is no directory: this process alone writes the map and reads it.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/directory/world_time_control.hpp"

namespace perigee::embed {

class OwnMap {
 public:
  /// After a longer stall (5 s) world time continues from now: the ticks in between are skipped.
  /// Higher: players see more of the world in fast motion.
  static constexpr std::int32_t ticks_owed_max = 300;

  /// World time begins with tick `first` at `now_us`.
  OwnMap(Micros now_us, Tick first, const GatewayEntry& gateway, std::uint64_t schema_hash);
  OwnMap(const OwnMap&) = delete;
  OwnMap& operator=(const OwnMap&) = delete;

  /// Adds a worker in an unused slot, with a new region. The worker creates the region's content.
  /// The region's id must not have been used before. The slot's next worker is another incarnation.
  void add(WorkerSlot slot, const Address& fabric, RegionId region, const Vec3& low,
           const Vec3& high);
  /// The worker and its region are no more.
  void remove(WorkerSlot slot);
  /// Renews world time before its ticks overflow.
  void advance(Micros now_us) { time_.renew(now_us); }
  /// If more than ticks_owed_max ticks are due from `next` on, world time continues with `next` at
  /// `now_us`, under another cluster id. Returns the number of ticks skipped.
  std::uint64_t skip_stall(Micros now_us, Tick next);

  const ClusterMap& map() const { return map_; }
  /// The map for a worker that knows of no other one.
  ClusterMap map_of(WorkerSlot slot) const;

 private:
  ClusterMap map_;
  directory::WorldTimeControl time_;
  std::vector<Incarnation> incarnations_;  ///< the last of each slot
};

}  // namespace perigee::embed
