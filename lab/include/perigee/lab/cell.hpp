/// One cell of the lab's table: a preset in a scenario on a profile with a seed, and its
/// measurements. The metrics M0 to M10 are explained in docs/feel.md.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "perigee/lab/presets.hpp"
#include "perigee/lab/scenario.hpp"

namespace perigee::lab {

struct CellOptions {
  Scenario scenario;
  Preset preset;
  LinkPair link;
  std::uint32_t players = 4;
  std::uint32_t seconds = 60;    ///< measured, after ...
  std::uint32_t warm_up_s = 10;  ///< ... joining and settling
  std::uint64_t seed = 1;
  bool records = false;  ///< both sides of the worst correction
};

/// Over all players.
struct Cell {
  std::string_view scenario, preset, profile;
  std::uint64_t seed = 0;
  double minutes = 0;                          ///< of measured play
  double corrections_per_minute = 0;           ///< M1
  double reported_corrections_per_minute = 0;  ///< as counted by the clients
  double resets_per_minute = 0;                ///< predictions that restarted
  double parent_jumps_per_minute = 0;
  double correction_p99_m = 0;  ///< M2
  double correction_max_m = 0;
  double error_p50_m = 0;  ///< M0
  double error_p99_m = 0;
  double error_p999_m = 0;
  double error_max_m = 0;
  double shown_error_p50_m = 0;  ///< displayed - final
  double shown_error_p99_m = 0;
  double people_drawn_p50_m = 0;  ///< others within 80 m, drawn - real; 0: there are none
  double people_drawn_p99_m = 0;
  double hulls_drawn_p99_m = 0;   ///< the bows of hulls 200 m away
  double roughness_p999_m_s = 0;  ///< M4
  double roughness_max_m_s = 0;
  double switch_roughness_max_m_s = 0;  ///< the same while a change of parents is blended
  double animated_share = 0;
  double attempts = 0;         ///< M6: to board or leave a ship, over all players
  double attempts_wrong = 0;   ///< ... another parent was displayed than became final
  double hits_expected = 0;    ///< M10: shots that should hit, and ...
  double hits_missing = 0;     ///< ... did not
  double misses_expected = 0;  ///< shots that should miss, and ...
  double misses_missing = 0;   ///< ... did not
  double input_delay_ms = 0;   ///< M7: from sampling to the consuming tick, minus path delay
  double missed_per_minute = 0;
  double unapplied_s_max = 0;  ///< longest on a usable path without applied input, minus 2 RTT
  double late_per_minute = 0;
  double rolled_back_per_s = 0;  ///< M8: ticks of an actor that the worker ran again, per player
  double replayed_per_s = 0;     ///< M8: by the client
  // Compared with the floors:
  double predicted_share = 0;
  double compared_share = 0;
  double moving_share = 0;
  double turns_per_minute = 0;
  double contacts_per_minute = 0;
  double jumps_per_minute = 0;
  double crossings_per_minute = 0;
  double parents_per_minute = 0;
  double steering_share = 0;
  double shots_per_minute = 0;
  double edits_per_minute = 0;

  /// By cause, found by counterfactual replay, in the order of correction_cause_rows ...
  std::array<double, enum_count<CorrectionCause>> causes_per_minute{};
  /// ... and as reported by the clients.
  std::array<double, enum_count<CorrectionCause>> reported_causes_per_minute{};

  std::shared_ptr<const Flight> worst;  ///< if it was recorded

  /// The first floor that is not reached, or empty: the figures are meaningful.
  std::string below;
  bool valid() const { return below.empty(); }
};

/// The run takes a few hundredths of the simulated time.
Cell run_cell(const CellOptions& options);

struct CellFigure {
  std::string_view name;
  double Cell::* value;
};
/// All figures of a cell, with their names in reports.
std::span<const CellFigure> cell_figures();

}  // namespace perigee::lab
