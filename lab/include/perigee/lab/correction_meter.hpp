/// Counts corrections: displacements in quick succession are one correction. (metrics M1, M2 of the
/// lab)
#pragma once

#include "perigee/lab/player_figures.hpp"

namespace perigee::lab {

class CorrectionMeter {
 public:
  /// A displacement now would be another correction.
  bool is_another(Micros now_us) const { return now_us - last_us_ >= 250'000; }
  /// The present moved by `meters`. `fixed`: its parent never moves. `found` is its cause, used if
  /// this is another correction.
  void note(Micros now_us, double meters, bool fixed, const CauseFound& found, PlayerFigures& out);

 private:
  Micros last_us_ = -1'000'000;
};

}  // namespace perigee::lab
