/// A directory, and the members that register with it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "perigee/directory/core.hpp"
#include "perigee/directory/handle_blocks.hpp"

namespace perigee::directory {

inline constexpr std::uint32_t cluster_id = 0xabcd;
inline constexpr Micros second = 1'000'000;
inline constexpr Micros start_us = 1'700'000'000 * second;

class ADirectory : public testing::Test {
 protected:
  static WorkerIntroduction worker(int i) {
    const auto port = static_cast<std::uint16_t>(40'040 + i);
    return {"sim-" + std::to_string(i), Address::v4(127, 0, 0, 1, port),
            Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(port - 20))};
  }
  static GatewayIntroduction gateway(int i) {
    const auto port = static_cast<std::uint16_t>(40'030 + i);
    return {"gateway-" + std::to_string(i), Address::v4(127, 0, 0, 1, port),
            Address::v4(203, 0, 113, 7, 40'000)};
  }
  Grant join(const WorkerIntroduction& introduction) {
    return std::get<Grant>(core.register_worker(now_us, introduction));
  }
  Grant join(const GatewayIntroduction& introduction) {
    return std::get<Grant>(core.register_gateway(now_us, introduction));
  }
  Refusal refused(const WorkerIntroduction& introduction) {
    return std::get<Refusal>(core.register_worker(now_us, introduction));
  }
  /// Lets seconds pass; only the named workers send their heartbeats.
  void pass(int seconds, std::initializer_list<int> living) {
    for (int i = 0; i < seconds; ++i) {
      now_us += second;
      for (const int slot : living) {
        EXPECT_TRUE(beats(slot)) << slot;
      }
      core.advance(now_us);
    }
  }
  /// Heartbeat of the process that registered last under that name.
  bool beats(int slot) {
    const std::uint64_t instance = core.saved().workers.at(static_cast<std::size_t>(slot)).instance;
    return core.heartbeat(now_us, MemberKind::Worker, static_cast<std::uint32_t>(slot),
                          worker(slot).name, cluster_id, instance);
  }
  const RegionEntry& region(std::uint32_t id) { return *core.map().region(RegionId{id}); }
  std::uint64_t version() { return core.map().version; }

  Micros now_us = start_us;
  Core core{CoreSettings{}, cluster_id, start_us};
};

}  // namespace perigee::directory
