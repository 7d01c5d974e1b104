/// Causes of corrections as text.
#pragma once

#include <string>

#include "perigee/lab/cell.hpp"

namespace perigee::lab {

/// A line below a cell's row, if there were corrections: causes per minute and player, most
/// frequent first.
void add_causes(std::string& out, const Cell& cell);

}  // namespace perigee::lab
