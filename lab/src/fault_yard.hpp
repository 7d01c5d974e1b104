/// Where faults are brought about: each player alone on a wide floor, with the one thing that the
/// fault needs. Everything happens at moments of a period, which players and things know.
#pragma once

#include <memory>

#include "perigee/client/client.hpp"
#include "perigee/netcode/correction_cause.hpp"
#include "perigee/world/game.hpp"

namespace perigee::lab {

inline constexpr std::uint32_t fault_period_ticks = 240;
/// When who jumps in a period jumps.
inline constexpr std::uint32_t fault_jump = 60;
/// Not at the same moment of each period, so that not all meet the same phase of sending.
constexpr bool fault_now(Tick tick) {
  const std::uint32_t period = tick.count / fault_period_ticks;
  return tick.count % fault_period_ticks == fault_jump + 10 + period * 7 % 13;
}

std::unique_ptr<world::GameModule> make_fault_yard(std::uint32_t players, CorrectionCause cause);
std::unique_ptr<client::InputSampler> make_fault_pilot(CorrectionCause cause);

}  // namespace perigee::lab
