#include "perigee/client/input_sender.hpp"

#include <algorithm>
#include <array>

#include "perigee/base/fabric.hpp"

namespace perigee::client {

void InputSender::restart(Tick first, std::uint8_t reset_epoch) {
  first_tick_ = first;
  reset_epoch_ = reset_epoch;
  newest_input_.reset();
  newest_sent_.reset();
}

void InputSender::forget_world() {
  inputs_.clear();
  newest_input_.reset();
  newest_sent_.reset();
  ever_sent_.reset();
  acknowledged_.reset();
  ticks_added_ = 0;
}

void InputSender::add(const PlayerInput& input) {
  inputs_.claim(input.tick) = input;
  newest_input_ = input.tick;
  ++ticks_added_;
}

std::int32_t InputSender::acknowledge(Tick applied) {
  if (acknowledged_ && !before(*acknowledged_, applied)) return 0;
  const std::int32_t ticks = acknowledged_ ? ticks_between(*acknowledged_, applied) : 1;
  acknowledged_ = applied;
  return ticks;
}

// Packets leave at a period of their own, independent of the frame rate.
bool InputSender::take_turn(Micros now_us) {
  const Micros every_us = Micros{needs_.techniques.send_every_ms} * 1000;
  if (every_us == 0) return true;
  if (now_us < next_packet_us_) return false;
  next_packet_us_ = std::max(next_packet_us_ + every_us, now_us);
  return true;
}

void InputSender::write(FrameWriter& frames, const Claim& claim, Micros now_us) {
  if (!newest_input_ || ticks_added_ == 0) return;
  const TimeMap& time = needs_.clocks.time();
  ControlFrame frame;
  frame.reset_epoch = reset_epoch_;
  frame.techniques = needs_.techniques.shared();
  frame.techniques.timeline = needs_.clocks.timeline_in_use();
  const auto view_ticks = static_cast<std::int64_t>(time.view_ticks() * 16);
  frame.view_sixteenths = (time.origin().count << 4) + static_cast<std::uint32_t>(view_ticks);
  frame.claimed_parent = claim.parent;
  frame.claimed_position = to_float(claim.position);
  fill_inputs(frame);
  std::array<std::byte, 512> bytes;
  frames.add(stream_owner, write_control(frame, bytes));
  needs_.latency.on_sent(*newest_input_ - static_cast<std::int32_t>(ticks_added_ - 1), now_us);
  ticks_added_ = 0;
}

// A packet has all inputs since the last packet, and older ones that may not have arrived.
void InputSender::fill_inputs(ControlFrame& frame) {
  const bool repeats = needs_.techniques.redundancy == Redundancy::AllUnacknowledged;
  const std::optional<Tick>& known = repeats ? acknowledged_ : newest_sent_;
  for (Tick t = *newest_input_; !frame.inputs.full(); t = t - 1) {
    const PlayerInput* input = inputs_.find(t);
    if (input == nullptr || before(t, first_tick_)) break;
    if (known && !before(*known, t) && !frame.inputs.empty()) break;
    frame.inputs.push_back(*input);
    if (!ever_sent_ || before(*ever_sent_, t)) ++inputs_sent_;
  }
  newest_sent_ = newest_input_;
  ever_sent_ = ever_sent_ ? later_of(*ever_sent_, *newest_input_) : newest_input_;
}

}  // namespace perigee::client
