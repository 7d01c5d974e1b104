/// One cell of the lab's table: a preset on a profile under a seed, and what it felt like.
#pragma once

#include <cstdint>

#include "perigee/bots/brain.hpp"
#include "perigee/lab/presets.hpp"
#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {

struct CellOptions {
  Preset preset;
  LinkPair link;
  std::uint32_t players = 4;
  std::uint32_t seconds = 60;    ///< measured, after ...
  std::uint32_t warm_up_s = 10;  ///< ... joining and settling
  std::uint64_t seed = 1;
};

/// Of all players together.
struct Cell {
  std::string_view preset, profile;
  std::uint64_t seed = 0;
  double minutes = 0;                 ///< of play that were measured
  double corrections_per_minute = 0;  ///< M1
  double parent_jumps_per_minute = 0;
  double correction_p99_m = 0;  ///< M2
  double correction_max_m = 0;
  double error_p50_m = 0;  ///< M0
  double error_p99_m = 0;
  double shown_error_p50_m = 0;  ///< displayed - final
  double shown_error_p99_m = 0;
  double roughness_p999_m_s = 0;  ///< M4
  double roughness_max_m_s = 0;
  double animated_share = 0;
  double predicted_share = 0;  ///< of the frames
  double moving_share = 0;     ///< floors: without play nothing is measured
  double jumps_per_minute = 0;
  double boardings_per_minute = 0;

  /// Enough happened that the figures mean something.
  bool valid() const { return moving_share >= 0.5 && predicted_share >= 0.9; }
};

/// Runs as long as it takes: some hundredths of the time that passes in it.
Cell run_cell(const world::GameModule& game, const CellOptions& options);

}  // namespace perigee::lab
