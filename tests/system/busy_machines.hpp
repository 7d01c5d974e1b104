/// Tick costs of machines on which most ticks are in time; now and then a worker is late with
/// dozens of consecutive ticks.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "perigee/base/hash.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::lab {

inline std::function<Micros(const worker::Core&)> cost_of_busy_machines(std::uint64_t seed) {
  struct Costs {
    Random chance;
    std::map<WorkerSlot, std::uint32_t> dear;  ///< slow ticks left
  };
  const auto costs = std::make_shared<Costs>(Costs{.chance = Random(seed), .dear = {}});
  return [costs](const worker::Core& core) -> Micros {
    auto& [chance, dear] = *costs;
    std::uint32_t& left = dear[core.slot()];
    if (left == 0 && chance.below(400) == 0) left = 10 + chance.below(40);
    if (left == 0) return 2'000 + chance.below(9'000);
    --left;
    return 15'000 + chance.below(20'000);
  };
}

}  // namespace perigee::lab
