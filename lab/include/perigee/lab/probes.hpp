/// What needs twins to be measured: two runs that differ in one thing. (metrics M3 and M5 of the
/// lab)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/lab/presets.hpp"
#include "perigee/netcode/link_simulator.hpp"

namespace perigee::lab {

struct ProbeOptions {
  Preset preset;
  LinkPair link;
  std::uint32_t frames_per_s = 60;
  std::uint64_t seed = 1;
};

/// From the frame in which a pressed key is sampled to the first frame that shows what it did, of
/// `presses` at different moments. (M3) Without prediction that takes a round trip and more.
std::vector<double> press_to_display_ms(const ProbeOptions& options, std::uint32_t presses);

/// The prediction is moved aside by so much; from its correction until 10 % of it is left to see.
/// (M5) None if that took more than 5 s.
std::optional<double> settle_ms(const ProbeOptions& options, double meters);

}  // namespace perigee::lab
