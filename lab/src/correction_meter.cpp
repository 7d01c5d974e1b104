#include "perigee/lab/correction_meter.hpp"

#include <algorithm>

namespace perigee::lab {

void CorrectionMeter::note(Micros now_us, double meters, bool fixed, const CauseFound& found,
                           PlayerFigures& out) {
  out.correction_max_m = std::max(out.correction_max_m, meters);
  if (fixed) out.correction_static_max_m = std::max(out.correction_static_max_m, meters);
  if (is_another(now_us)) {
    ++out.corrections;
    if (fixed) ++out.corrections_static;
    out.corrections_m.push_back(meters);
    out.causes.push_back(found);
  } else if (!out.corrections_m.empty()) {
    out.corrections_m.back() = std::max(out.corrections_m.back(), meters);
  }
  last_us_ = now_us;
}

}  // namespace perigee::lab
