/// Counts attempts to board or leave a ship. (metric M6 of the lab)
#pragma once

#include <optional>

#include "perigee/lab/player_figures.hpp"

namespace perigee::lab {

class AttemptMeter {
 public:
  /// Differences within this time are one attempt.
  static constexpr std::int32_t attempt_ticks = 20;

  /// Notes the parent that was predicted for a tick, and the one that became final. Whichever side
  /// changed first, it is one attempt, and is counted as wrong at most once.
  void note(Tick tick, Handle predicted, Handle became, PlayerFigures& out);

 private:
  std::optional<Handle> final_parent_;
  std::optional<Tick> attempt_;  ///< its start
  bool wrong_ = false;
};

}  // namespace perigee::lab
