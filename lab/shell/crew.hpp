/// Runs cells on several threads: cells are independent, so an idle thread takes the next one.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "perigee/lab/cell.hpp"

namespace perigee::lab {

/// Called when a cell is started, from one thread at a time.
using Progress = std::function<void(std::size_t begun, const CellOptions& cell)>;

/// Called with each finished cell, from one thread at a time.
using Done = std::function<void(const CellOptions& order, const Cell& cell)>;

/// Results in the order of `orders`, independent of the number of threads.
std::vector<Cell> run_cells(std::span<const CellOptions> orders, std::uint32_t threads,
                            const Progress& progress, const Done& done);

}  // namespace perigee::lab
