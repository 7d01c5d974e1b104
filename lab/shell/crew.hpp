/// Cells are independent of each other: several threads run them, whoever is free takes the next.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "perigee/lab/cell.hpp"

namespace perigee::lab {

/// Called as cells are begun, from one thread at a time.
using Progress = std::function<void(std::size_t begun, const CellOptions& cell)>;

/// Called with each cell that is done, from one thread at a time.
using Done = std::function<void(const CellOptions& order, const Cell& cell)>;

/// In the order of `orders`, however many `threads` there are.
std::vector<Cell> run_cells(std::span<const CellOptions> orders, std::uint32_t threads,
                            const Progress& progress, const Done& done);

}  // namespace perigee::lab
