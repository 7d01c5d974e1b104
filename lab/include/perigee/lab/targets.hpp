/// Target values for our own preset, cell by cell.
#pragma once

#include <string_view>
#include <vector>

#include "perigee/lab/cell.hpp"

namespace perigee::lab {

struct Target {
  std::string_view scenarios;  ///< names with a comma after each; empty: all
  std::string_view profiles;   ///< likewise
  std::string_view metric;
  double most;
  double (*value)(const Cell&);

  bool asks(const Cell& cell) const;
  bool met_by(const Cell& cell) const { return value(cell) <= most; }
};

std::span<const Target> targets();
/// The targets that a valid cell of our own preset misses.
std::vector<const Target*> missed_targets(const Cell& cell);

}  // namespace perigee::lab
