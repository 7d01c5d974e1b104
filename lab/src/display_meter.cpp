#include "perigee/lab/display_meter.hpp"

#include <algorithm>

namespace perigee::lab {

void DisplayMeter::note(const ShownFrame& frame) {
  constexpr std::size_t frames_max = 1024;
  if (frame.state.parent != parent_) switching_ = true;
  parent_ = frame.state.parent;
  switching_ = switching_ && frame.smoothing;
  if (frame.at_view) return;
  if (waiting_.size() == frames_max) waiting_.pop_front();
  waiting_.push_back({frame, switching_});
}

void DisplayMeter::judge(Tick final_tick, const FinalStates& finals, PlayerFigures& out) {
  while (!waiting_.empty() && before(waiting_.front().frame.tick, final_tick)) {
    judge(waiting_.front(), finals, out);
    waiting_.pop_front();
  }
}

void DisplayMeter::judge(const Waiting& waiting, const FinalStates& finals, PlayerFigures& out) {
  const ShownFrame& shown = waiting.frame;
  frames_of_blend_ = waiting.switching ? 3 : std::max(frames_of_blend_ - 1, 0);
  const ComparedState* from = finals.find(shown.tick);
  const ComparedState* to = finals.find(shown.tick + 1);
  if (from == nullptr || to == nullptr || !from->comparable(shown.state) ||
      !to->comparable(shown.state)) {
    deviation_.reset();
    return;
  }
  Deviation now{shown.at_us,
                shown.state,
                shown.state.position - lerp(from->position, to->position, shown.part),
                {}};
  out.shown_errors_m.push_back(length(now.meters));
  if (deviation_ && deviation_->of.comparable(shown.state) && now.at_us > deviation_->at_us) {
    const double dt_s = static_cast<double>(now.at_us - deviation_->at_us) * 1e-6;
    now.meters_per_s = (now.meters - deviation_->meters) / dt_s;
    if (deviation_->meters_per_s) {
      auto& samples = frames_of_blend_ > 0 ? out.switch_roughness_m_s : out.roughness_m_s;
      samples.push_back(length(*now.meters_per_s - *deviation_->meters_per_s));
    }
  }
  deviation_ = now;
}

}  // namespace perigee::lab
