#include "perigee/lab/input_trace.hpp"

namespace perigee::lab {

bool InputTrace::sampled_too_late(Tick input) const {
  const Micros* sampled_us = sampled_us_.find(input);
  const Consumed* consumed = consumed_.find(input + delay_ticks_);
  return sampled_us != nullptr && consumed != nullptr &&
         *sampled_us + way_us_ > consumed->at_us + window_us_;
}

bool InputTrace::guessed(Tick from, Tick end) const {
  for (Tick t = from; before(t, end); ++t) {
    const Consumed* consumed = consumed_.find(t + delay_ticks_);
    if (consumed != nullptr && consumed->guessed) return true;
  }
  return false;
}

void InputTrace::note_final(Tick tick, bool guessed, PlayFigures& out) const {
  const Consumed* consumed = consumed_.find(tick);
  if (guessed || consumed == nullptr) return;
  out.late += consumed->guessed;
  const Micros* sampled_us = sampled_us_.find(tick - delay_ticks_);
  if (sampled_us == nullptr) return;
  out.input_delays_ms.push_back(static_cast<double>(consumed->at_us - *sampled_us) * 1e-3);
}

}  // namespace perigee::lab
