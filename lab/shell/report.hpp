/// Cells as a table for people and as JSON for programs.
#pragma once

#include <span>
#include <string>

#include "perigee/lab/cell.hpp"

namespace perigee::lab {

/// The worst cell of each preset and profile, by corrections: a table per profile.
std::string table(std::span<const Cell> cells);
/// How soon a key is seen at 30, 60 and 144 frames a second, and how long steps of 0.1, 0.5 and 2 m
/// last: M3 and M5. Runs the probes.
std::string probe_table(std::span<const Preset> presets, std::span<const LinkPair> links);
/// One object; keys are the names of Cell's members.
std::string json(std::span<const Cell> cells);

}  // namespace perigee::lab
