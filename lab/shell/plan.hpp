/// Which cells are run: the quick look, the whole table, or what was asked for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/lab/cell.hpp"

namespace perigee::lab {

inline constexpr std::string_view unknown_commit = "unknown";

struct PlanOptions {
  std::string scenarios, profiles,
      presets;  ///< names with commas between, or all; empty: the size's
  bool full = false;
  std::uint32_t players = 0, seconds = 0;  ///< 0: the size's
  std::string seeds;                       ///< "N", "commit" or "commit:N"; empty: the size's
  std::vector<LinkPair> own_links;         ///< profiles besides the lab's
  std::string commit{unknown_commit};
};

/// Seeds that are asked for by their number; those of commits are larger.
inline constexpr std::uint32_t seeds_max = 100;

Result<std::vector<CellOptions>> plan(const PlanOptions& options);
/// A line for each.
std::string list_of(std::span<const CellOptions> cells);

}  // namespace perigee::lab
