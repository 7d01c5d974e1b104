/// Chooses the cells to run: the quick set, the full table, or a selection.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/lab/cell.hpp"
#include "perigee/purity/checked_twice.hpp"
#include "perigee/world/game.hpp"

namespace perigee::lab {

inline constexpr std::string_view unknown_commit = "unknown";

struct PlanOptions {
  std::string scenarios, profiles,
      presets;  ///< names separated by commas, or all; empty: the size's
  bool full = false;
  std::uint32_t players = 0, seconds = 0;  ///< 0: the size's
  std::string seeds;                       ///< "N", "commit" or "commit:N"; empty: the size's
  std::vector<LinkPair> own_links;         ///< profiles besides the lab's
  /// Played by bots in place of the lab's scenarios; outlives the cells. Null: none.
  const world::GameModule* game = nullptr;
  std::string commit{unknown_commit};
  /// If set, games are checked, and this is called by the threads that play (purity::CheckedTwice).
  purity::CheckedTwice::Report on_impurity;
};

/// Maximum of seeds given by number; seeds of commits are larger.
inline constexpr std::uint32_t seeds_max = 100;

Result<std::vector<CellOptions>> plan(const PlanOptions& options);
/// One line per cell.
std::string list_of(std::span<const CellOptions> cells);

}  // namespace perigee::lab
