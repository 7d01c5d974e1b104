/// Writes recordings of a cell's worst correction to files.
#pragma once

#include <span>
#include <string>

#include "perigee/base/result.hpp"
#include "perigee/lab/cell.hpp"

namespace perigee::lab {

/// SCENARIO-PROFILE-PRESET-SEED-client.flight and -worker.flight; nothing without a folder.
Result<Ok> write_flights(std::span<const Cell> cells, const std::string& folder);

}  // namespace perigee::lab
