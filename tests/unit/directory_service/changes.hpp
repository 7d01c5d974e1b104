/// Changes of the map, chosen at random.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "served.hpp"

namespace perigee::directory {

/// Orders of an operator and comings of gateways, at random.
class Changes {
 public:
  Changes(ADirectory& directory, std::uint32_t seed) : directory_(directory), random_(seed) {}
  void make() {
    switch (below(6)) {
      case 0:
      case 1:
        return order([&](Core& core, Micros now_us) {
          return core.split(now_us, some_region(core), {}, {}).ok();
        });
      case 2:
        return order(
            [&](Core& core, Micros now_us) { return core.merge(now_us, some_region(core)).ok(); });
      case 3:
        return order([&](Core& core, Micros now_us) {
          return core.move(now_us, some_region(core), "sim-" + std::to_string(below(3))).ok();
        });
      case 4: {
        const auto i = static_cast<unsigned>(below(6));
        EXPECT_TRUE(directory_.add_gateway(i, 40'000U + static_cast<unsigned>(below(9))).ok());
        return;
      }
      default:
        return order([&](Core& core, Micros) {
          core.set_balance(below(2) == 0);
          return true;
        });
    }
  }
  int accepted = 0;

 private:
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }
  RegionId some_region(const Core& core) {
    const auto& regions = core.map().regions;
    return regions[static_cast<std::size_t>(below(static_cast<int>(regions.size())))].region;
  }
  /// Regions change only when their owners have acknowledged the last change.
  static void acknowledge(Core& core, Micros now_us) {
    for (const WorkerEntry& worker : core.map().workers) {
      core.report(now_us, worker.slot.number,
                  {.incarnation = worker.incarnation, .map_version = core.map().version});
    }
  }
  template <class Order>
  void order(Order order) {
    const auto status = directory_.service.order([&](Core& core, Micros now_us) {
      acknowledge(core, now_us);
      accepted += order(core, now_us) ? 1 : 0;
      return std::optional<Error>();  // refused orders are part of the game
    });
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  ADirectory& directory_;
  std::mt19937 random_;
};

}  // namespace perigee::directory
