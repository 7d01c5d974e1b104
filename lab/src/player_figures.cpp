#include "perigee/lab/player_figures.hpp"

#include <algorithm>

namespace perigee::lab {

PlayerFigures& PlayerFigures::operator+=(const PlayerFigures& more) {
  for (const auto count :
       {&PlayerFigures::corrections, &PlayerFigures::resets, &PlayerFigures::corrections_static,
        &PlayerFigures::parent_jumps, &PlayerFigures::frames, &PlayerFigures::frames_animated,
        &PlayerFigures::ticks_other_parent, &PlayerFigures::words, &PlayerFigures::compared,
        &PlayerFigures::replayed_ticks, &PlayerFigures::attempts, &PlayerFigures::attempts_wrong}) {
    this->*count += more.*count;
  }
  for (const auto time : {&PlayerFigures::minutes, &PlayerFigures::minutes_static,
                          &PlayerFigures::minutes_interrupted}) {
    this->*time += more.*time;
  }
  for (const auto largest :
       {&PlayerFigures::correction_max_m, &PlayerFigures::correction_static_max_m}) {
    this->*largest = std::max(this->*largest, more.*largest);
  }
  unapplied_us_max = std::max(unapplied_us_max, more.unapplied_us_max);
  for (const auto samples :
       {&PlayerFigures::errors_m, &PlayerFigures::corrections_m, &PlayerFigures::shown_errors_m,
        &PlayerFigures::roughness_m_s, &PlayerFigures::switch_roughness_m_s,
        &PlayerFigures::people_drawn_m, &PlayerFigures::hulls_drawn_m}) {
    (this->*samples).insert((this->*samples).end(), (more.*samples).begin(), (more.*samples).end());
  }
  for (std::size_t i = 0; i < reported_causes.size(); ++i)
    reported_causes[i] += more.reported_causes[i];
  causes.insert(causes.end(), more.causes.begin(), more.causes.end());
  play += more.play;
  return *this;
}

}  // namespace perigee::lab
