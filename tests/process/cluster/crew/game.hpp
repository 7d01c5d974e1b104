/// Two ships that swing over the border at 50 m/s, one from either side, each with room for a crowd
/// of a hundred on its deck.
#pragma once

#include <cstdint>
#include <memory>

#include "perigee/lab/stage.hpp"

namespace perigee::process_test {

inline constexpr std::uint32_t crew_max = 100;

inline std::unique_ptr<world::GameModule> crew_ships() {
  lab::PenPlan plan = lab::crossing_pen();
  plan.moves = lab::Swinging{.half_way_m = 400};  // on its own side for the first 12 s
  plan.starts.clear();
  for (std::uint32_t i = 0; i < crew_max; ++i) {  // they fall onto the deck, or onto each other
    plan.starts.push_back({-16.2 + 3.6 * (i % 10), 5.5, -16.2 + 3.6 * (i / 10)});
  }
  return lab::make_pens(2 * crew_max, plan);
}

}  // namespace perigee::process_test
