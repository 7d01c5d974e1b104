/// Measurements that compare two runs that differ in one thing. (metrics M3 and M5 of the lab)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/link_simulator.hpp"
#include "perigee/lab/presets.hpp"

namespace perigee::lab {

struct ProbeOptions {
  Preset preset;
  LinkPair link;
  std::uint32_t frames_per_s = 60;
  std::uint64_t seed = 1;
};

/// Latency from the frame that samples a key press to the first frame that displays its effect, for
/// `presses` at different moments. (M3) Without prediction it is at least a round trip.
std::vector<double> press_to_display_ms(const ProbeOptions& options, std::uint32_t presses);

/// Displaces the prediction by `meters`. Returns the time from the correction until 10 % of the
/// displacement is left on the display. (M5) None if that takes more than 5 s.
std::optional<double> settle_ms(const ProbeOptions& options, double meters);

}  // namespace perigee::lab
