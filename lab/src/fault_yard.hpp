/// The stage for injected faults: each player alone on a wide floor with the one thing that the
/// fault needs. Everything happens at fixed moments of a period, known to players and things.
#pragma once

#include <memory>

#include "perigee/base/correction_cause.hpp"
#include "perigee/client/client.hpp"
#include "perigee/world/game.hpp"

namespace perigee::lab {

inline constexpr std::uint32_t fault_period_ticks = 240;
/// Time in the period of a jump, for players that jump.
inline constexpr std::uint32_t fault_jump = 60;
/// Not at the same moment of each period, so that the faults meet different phases of sending.
constexpr bool fault_now(Tick tick) {
  const std::uint32_t period = tick.count / fault_period_ticks;
  return tick.count % fault_period_ticks == fault_jump + 10 + period * 7 % 13;
}

std::unique_ptr<world::GameModule> make_fault_yard(std::uint32_t players, CorrectionCause cause);
std::unique_ptr<client::InputSampler> make_fault_pilot(CorrectionCause cause);

}  // namespace perigee::lab
