/// The lab's figures of one player's game. (metrics M0, M1, M2, M4, M6, M7, M8 of the lab)
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "perigee/base/correction_cause.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/lab/play_meter.hpp"

namespace perigee::lab {

/// One correction (M1) and its cause.
struct CauseFound {
  Micros at_us = 0;
  CorrectionCause cause = CorrectionCause::Unknown;
  double meters = 0;
  Tick since;  ///< the first tick that differs between the two sides
};

/// Measurements of one player's game.
struct PlayerFigures {
  double minutes = 0;
  std::uint64_t corrections = 0;         ///< M1: the present moved by > 5 cm, at least 0.25 s apart
  std::uint64_t resets = 0;              ///< predictions that restarted: corrections if > 5 cm
  std::uint64_t corrections_static = 0;  ///< of these, with a parent that never moves
  std::array<std::uint64_t, enum_count<CorrectionCause>> reported_causes{};  ///< by the client
  std::vector<CauseFound> causes;  ///< of each correction, found by counterfactual replay (M9)
  std::uint64_t parent_jumps = 0;  ///< times that a change of the present's parent was noticed late
  double correction_max_m = 0;     ///< M2
  double correction_static_max_m = 0;
  std::vector<double> errors_m;        ///< M0: |first predicted - final| per tick, same parent
  std::vector<double> corrections_m;   ///< M2: the peak of each
  std::vector<double> shown_errors_m;  ///< |displayed - final| per frame, same parent
  std::vector<double> roughness_m_s;   ///< M4: change of velocity of displayed - final, per frame
  std::vector<double> switch_roughness_m_s;  ///< the same while a change of parents is blended
  std::vector<double> people_drawn_m;        ///< |drawn - real|: places of others within 80 m ...
  std::vector<double> hulls_drawn_m;         ///< ... and bows of hulls of 40 m and more, 200 m away
  Micros unapplied_us_max =
      0;  ///< longest time on a usable path without an applied input, minus 2 RTT
  double minutes_interrupted = 0;  ///< on a path that carried nothing, and just after
  std::uint64_t frames = 0;
  std::uint64_t frames_animated =
      0;  ///< the avatar or its steered vehicle was displayed from server states
  std::uint64_t ticks_other_parent = 0;  ///< final and first-predicted parent differ
  double minutes_static = 0;             ///< time with a parent that never moves
  std::uint64_t attempts = 0;            ///< M6: to board or leave a ship
  std::uint64_t attempts_wrong = 0;      ///< ... another parent was displayed than became final
  std::uint64_t words = 0;           ///< ticks after which the worker had a newer final state ...
  std::uint64_t compared = 0;        ///< ... that reached the client and was compared
  std::uint64_t replayed_ticks = 0;  ///< stepped again by the client (M8)
  PlayFigures play;

  PlayerFigures& operator+=(const PlayerFigures& more);
};

}  // namespace perigee::lab
