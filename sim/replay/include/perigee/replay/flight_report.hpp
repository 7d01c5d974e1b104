/// A flight for viewers: both paths tick by tick, the error between them, and the corrections with
/// their causes. Layout of the JSON: docs/flight_recorder.md.
#pragma once

#include <cstddef>
#include <string>

#include "perigee/replay/rerun.hpp"

namespace perigee::replay {

struct ReportSettings {
  /// Whether the game has the rules of the recordings; without them nothing is replayed.
  bool rules = true;
  bool reruns = true;  ///< run all ticks again, 0.1 ms each
  /// Causes are looked for in the newest corrections, for milliseconds each.
  std::size_t explained_max = 64;
};

/// Smaller errors are no corrections: as in the client library.
inline constexpr double report_correction_m = 0.05;

/// A JSON object. The error is a sentence: the ticks are too far from each other, or the game
/// cannot play those of a half (unplayable()).
Result<std::string> report_flight(const world::GameModule& game, const Halves& halves,
                                  const ReportSettings& settings = {});

}  // namespace perigee::replay
