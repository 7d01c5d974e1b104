/// Cells as tables for people.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/lab/cell.hpp"

namespace perigee::lab {

/// Incremented when existing scenarios are measured differently.
inline constexpr int lab_protocol = 2;

/// The build that produced figures. Figures of different builds must not be mixed in one table.
struct Provenance {
  std::string protocol, yardstick, commit;
};
/// Of this build.
Provenance of_this_build(const std::string& commit);

/// The worst cell of each scenario, profile and preset, in their order.
std::vector<const Cell*> worst_of_seeds(std::span<const Cell> cells);
/// The targets that our preset missed. Empty without our preset.
std::string verdict(std::span<const Cell> cells);

/// The worst cell of each preset and profile, by corrections: a table per profile.
std::string table(std::span<const Cell> cells);
/// Latency from key press to display at 30, 60 and 144 frames a second, and how long steps of 0.1,
/// 0.5 and 2 m last: M3 and M5. Runs the probes.
std::string probe_table(std::span<const Preset> presets, std::span<const LinkPair> links);
/// A page with a chart for each scenario, and every cell.
std::string html(std::span<const Cell> cells, const Provenance& of);
/// A table for docs/feel.md: a line for each scenario, with the results of our preset and the
/// talk's on each profile.
std::string markdown(std::span<const Cell> cells);

}  // namespace perigee::lab
