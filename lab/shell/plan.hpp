/// Which cells are run: the quick look, the whole table, or what was asked for.
#pragma once

#include <string>
#include <vector>

#include "perigee/lab/cell.hpp"

namespace perigee::lab {

struct PlanOptions {
  std::string scenarios, profiles,
      presets;  ///< names with commas between, or all; empty: the size's
  bool full = false;
  std::uint32_t players = 0, seconds = 0, seeds = 0;  ///< 0: the size's
  std::vector<LinkPair> own_links;                    ///< profiles besides the lab's
  std::string commit;                                 ///< seeds one more run of our own preset
};

/// Seeds up to here count for the verdict; the commit's is printed only.
inline constexpr std::uint64_t fixed_seeds_max = 100;

Result<std::vector<CellOptions>> plan(const PlanOptions& options);

}  // namespace perigee::lab
