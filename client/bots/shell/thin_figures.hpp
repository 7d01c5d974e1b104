/// The results of thin players, apart from those of full ones: they have no prediction to judge.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "quantiles.hpp"
#include "thin_bot.hpp"

namespace perigee::bots {

struct ThinFigures {
  std::uint32_t players = 0;
  std::uint32_t joined = 0;
  std::uint32_t playing = 0;
  std::uint32_t refused = 0;
  std::uint32_t disconnects = 0;
  std::uint32_t silent = 0;  ///< connected at the end, but without a snapshot for two seconds
  std::uint32_t resumes = 0;
  std::uint64_t stalls = 0;
  double longest_gap_ms = 0;
  std::uint64_t gaps = 0;
  double measured_s = 0;  ///< play without warm-up, summed over the players
  Quantiles rtt_ms, full_loop_ms, lead_ms;
  double loss = 0;          ///< share of packets, downwards
  std::uint64_t bytes = 0;  ///< received in the measured time
  std::uint64_t inputs = 0;
  std::uint64_t late = 0;     ///< inputs that arrived after their tick, as the workers reported
  std::uint64_t guessed = 0;  ///< ticks that ran with a guess
  std::uint64_t hard_resets = 0;
  std::uint64_t malformed = 0;

  double bytes_per_s() const {
    return measured_s > 0 ? static_cast<double>(bytes) / measured_s : 0;
  }
  double per_minute(std::uint64_t count) const {
    return measured_s > 0 ? static_cast<double>(count) * 60 / measured_s : 0;
  }
  bool all_well() const { return joined == players && disconnects == 0 && silent == 0; }
};

ThinFigures sum_up_thin(std::span<const ThinBot* const> players, Micros now_us);
std::string thin_table(const ThinFigures& figures);

}  // namespace perigee::bots
