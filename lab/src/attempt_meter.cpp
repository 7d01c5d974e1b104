#include "perigee/lab/attempt_meter.hpp"

namespace perigee::lab {

void AttemptMeter::note(Tick tick, Handle predicted, Handle became, PlayerFigures& out) {
  const bool differs = predicted != became;
  const bool changed = final_parent_ && *final_parent_ != became;
  const bool another = !attempt_ || before(*attempt_ + attempt_ticks, tick);
  if ((changed || differs) && another) {
    ++out.attempts;
    attempt_ = tick;
    wrong_ = false;
  }
  if (differs && !wrong_) {
    ++out.attempts_wrong;
    wrong_ = true;
  }
  final_parent_ = became;
}

}  // namespace perigee::lab
