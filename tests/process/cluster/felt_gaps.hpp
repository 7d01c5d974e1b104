/// Gaps in players' updates, as the bots list them, and the part of each that is not the machine's
/// fault.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "perigee/host/loop.hpp"
#include "perigee/host/stall_watch.hpp"
#include "process/slowness.hpp"
#include "run_queue_watch.hpp"

namespace perigee::process_test {

/// A line of the bots' gap log.
struct Gap {
  double ended_s = 0;  ///< since 1970
  int bot = 0;
  double gap_ms = 0;
  /// time during which the bots themselves did not run: the machine's fault
  double stalled_ms = 0;
};
inline std::vector<Gap> read_gaps(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "ended_unix_s,bot,gap_ms,stalled_ms");
  std::vector<Gap> gaps;
  char comma = 0;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    Gap gap;
    fields >> gap.ended_s >> comma >> gap.bot >> comma >> gap.gap_ms >> comma >> gap.stalled_ms;
    EXPECT_TRUE(fields) << line;
    gaps.push_back(gap);
  }
  return gaps;
}

/// Watches the machine from its construction on.
class FeltGaps {
 public:
  /// Longer gaps are felt.
  static constexpr double seconds_max = 0.25 * slowness;

  /// For processes on the way from a worker to a player.
  void watch(pid_t process) { on_the_way_.watch(process); }
  /// Seconds of stall between the two times, in seconds since 1970.
  double machine_stalled_s(double from_s, double to_s) const {
    const host::ClockPair now = host::Loop::clocks();
    const auto monotonic_us = [&](double unix_s) {
      return static_cast<Micros>(unix_s * 1e6) - now.wall_us + now.monotonic_us;
    };
    const Micros from_us = monotonic_us(from_s), to_us = monotonic_us(to_s);
    const Micros stalled_us =
        std::max(machine_.stalled_us(from_us, to_us), on_the_way_.waited_us(from_us, to_us));
    return static_cast<double>(stalled_us) * 1e-6;
  }
  /// The part of a gap that counts: its length without the time during which the machine stalled.
  double own_part_s(const Gap& gap) const {
    const double began_s = gap.ended_s - gap.gap_ms / 1'000;
    return gap.gap_ms / 1'000 -
           std::max(gap.stalled_ms / 1'000, machine_stalled_s(began_s, gap.ended_s));
  }

 private:
  host::StallWatch machine_{2'000};  ///< minimum in us, because sleeps are always a little late
  RunQueueWatch on_the_way_;
};

}  // namespace perigee::process_test
