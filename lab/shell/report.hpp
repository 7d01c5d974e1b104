/// Cells as a table for people and as JSON for programs.
#pragma once

#include <span>
#include <string>

#include "perigee/lab/cell.hpp"

namespace perigee::lab {

/// The worst cell of each preset and profile, by corrections: a table per profile.
std::string table(std::span<const Cell> cells);
/// One object; keys are the names of Cell's members.
std::string json(std::span<const Cell> cells);

}  // namespace perigee::lab
