/// Crowds, passing time, and invariants of a map.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cluster_model.hpp"

namespace perigee::directory {

inline constexpr double world_m = 7990;

inline CoreSettings settings_for(std::uint32_t workers, std::uint32_t regions) {
  return {.regions = regions, .workers = workers};
}

/// Two workers with a region each; their map changes only by orders.
inline ClusterModel two_without_balance() {
  CoreSettings settings = settings_for(2, 2);
  settings.balance = false;
  ClusterModel model(settings);
  model.start(0);
  model.start(1);
  return model;
}

inline void crowd(ClusterModel& model, int count, const Vec3& at, double spread_m,
                  std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> spread(0, spread_m);
  for (int i = 0; i < count; ++i) {
    const Vec3 point{std::clamp(at.x + spread(random), -world_m, world_m),
                     std::clamp(at.y + spread(random) / 8, -1990.0, 1990.0),
                     std::clamp(at.z + spread(random), -world_m, world_m)};
    model.things.push_back({point, 0.02, HandleBlock{1}, WorkerSlot{0}});
  }
}

/// Every point of the world is in exactly one region, and no region extends beyond the world.
inline void expect_whole(const ClusterMap& map) {
  double volume = 0;
  for (const RegionEntry& region : map.regions) {
    const Vec3 size = region.high - region.low;
    EXPECT_GT(size.x * size.y * size.z, 0);
    volume += size.x * size.y * size.z;
    const Vec3 middle = (region.low + region.high) * 0.5;
    EXPECT_EQ(map.region_at(middle)->region, region.region);
  }
  EXPECT_EQ(volume, 16000.0 * 4000 * 16000);
}

}  // namespace perigee::directory
