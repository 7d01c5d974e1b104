#include "perigee/client/input_sender.hpp"

#include <algorithm>
#include <array>

#include "perigee/base/fabric.hpp"

namespace perigee::client {

void InputSender::restart(Tick first, const OwnSection& own) {
  first_tick_ = first;
  reset_epoch_ = own.reset_epoch;
  // Without a reset the worker continues from the newest input that it has applied.
  const PlayerInput* applied = own.has_echo ? inputs_.find(own.echo) : nullptr;
  rest_ = applied != nullptr ? RestingInput{applied->yaw, applied->pitch, applied->own} : own.rest;
  newest_input_.reset();
  newest_sent_.reset();
  final_.reset();
  lacks_ = false;
}

PlayerInput InputSender::at_rest(Tick tick) const {
  PlayerInput base{.yaw = rest_.yaw, .pitch = rest_.pitch, .own = rest_.own};
  needs_.own.confine(base.own);
  return neutral(base, tick, needs_.own);
}

void InputSender::forget_world() {
  inputs_.clear();
  newest_input_.reset();
  newest_sent_.reset();
  ever_sent_.reset();
  acknowledged_.reset();
  final_.reset();
  lacks_ = false;
  ticks_added_ = 0;
}

void InputSender::add(const PlayerInput& input) {
  inputs_.claim(input.tick) = input;
  newest_input_ = input.tick;
  ++ticks_added_;
}

/// The worker has really applied this input. Returns the number of ticks since the newest input
/// that was acknowledged before; 0: it is not newer.
std::int32_t InputSender::acknowledge(Tick applied, Micros now_us) {
  if (acknowledged_ && !before(*acknowledged_, applied)) return 0;
  const std::int32_t ticks = acknowledged_ ? ticks_between(*acknowledged_, applied) : 1;
  acknowledged_ = applied;
  progress_at_us_ = now_us;
  return ticks;
}

// The full loop: from sampling an input to learning that it was applied, minus the ticks on the
// worker since then. Each tick is measured once; guesses are never echoed.
void InputSender::note_echo(const OwnSection& own, Micros now_us) {
  const std::int32_t applied_ticks = own.has_echo ? acknowledge(own.echo, now_us) : 0;
  if (applied_ticks == 0) return;
  const Micros* sampled = needs_.latency.sampled_at_us(own.echo);
  if (sampled == nullptr) return;
  const double even_per_tick = 1 / needs_.clocks.time().rate();
  needs_.latency.on_published((own.echo_age_ticks + applied_ticks - 1) * even_per_tick);
  const auto age_us = static_cast<Micros>(own.echo_age_ticks * even_per_tick / ticks_per_us);
  needs_.telemetry.on_full_loop(now_us - *sampled - age_us);
}

void InputSender::heard(const OwnSection& own, Micros now_us) {
  note_echo(own, now_us);
  // The path carries packets again: what it has lost is sent at once.
  if (now_us - heard_at_us_ > whole_every_us) next_whole_us_ = now_us;
  heard_at_us_ = now_us;
  final_ = own.final_tick - own.delay_ticks;
  lacks_ = own.has_echo && !before(own.echo, *final_);
}

// Packets leave at a period of their own, independent of the frame rate. On a path that carries
// nothing, or whose queue grows, fewer packets with more inputs do as well. A queue may be our own:
// a packet's headers are half of its bytes.
bool InputSender::take_turn(Micros now_us) {
  constexpr Micros slow_every_us = 33'000;
  if (needs_.telemetry.queue_us() > PathQueue::standing_us) slow_until_us_ = now_us + slow_for_us;
  Micros every_us = Micros{needs_.techniques.send_every_ms} * 1000;
  if (gives_way(now_us) || (stalled(now_us) && acknowledged_))
    every_us = std::max(every_us, slow_every_us);
  if (every_us == 0) return true;
  if (now_us < next_packet_us_) return false;
  next_packet_us_ = std::max(next_packet_us_ + every_us, now_us);
  return true;
}

void InputSender::write(FrameWriter& frames, const Claim& claim, Micros now_us) {
  if (!newest_input_ || ticks_added_ == 0) return;
  const TimeMap& time = needs_.clocks.time();
  ControlFrame& frame = frame_;
  frame.reset_epoch = reset_epoch_;
  frame.techniques = needs_.techniques.shared();
  frame.techniques.timeline = needs_.clocks.timeline_in_use();
  const auto view_ticks = static_cast<std::int64_t>(time.view_ticks() * 16);
  frame.view_sixteenths = (time.origin().count << 4) + static_cast<std::uint32_t>(view_ticks);
  frame.claimed_parent = claim.parent;
  frame.claimed_position = to_float(claim.position);
  const bool whole = wants_whole(now_us);
  if (whole) next_whole_us_ = now_us + whole_every_us;
  fill_inputs(whole);
  std::array<std::byte, 32 + ControlFrame::inputs_bytes_max> bytes;
  const auto written = write_control(frame, bytes, needs_.own);
  frames.add(stream_owner, written);
  note_sent(inputs_in(written));
  needs_.latency.on_sent(*newest_input_ - static_cast<std::int32_t>(ticks_added_ - 1), now_us);
  ticks_added_ = 0;
}

bool InputSender::wants_whole(Micros now_us) const {
  const bool repeats = needs_.techniques.redundancy == Redundancy::AllUnacknowledged;
  return repeats && acknowledged_ && (lacks_ || stalled(now_us)) && now_us >= next_whole_us_;
}

// A packet has all inputs since the last packet: many after a hitch, or after a jump of the lead.
// And it has older ones that may not have arrived. A whole one begins where the worker's knowledge
// ends.
void InputSender::fill_inputs(bool whole) {
  const bool repeats = needs_.techniques.redundancy == Redundancy::AllUnacknowledged;
  std::optional<Tick> known = repeats ? acknowledged_ : newest_sent_;
  if (whole && final_ && lacks_) known = *final_ - 1;
  const std::size_t usual =
      gives_way(needs_.clocks.now_us()) ? inputs_on_narrow_path : usual_inputs;
  const auto fits = [&](Tick t) {
    const bool unsent = !newest_sent_ || before(*newest_sent_, t);
    return !frame_.inputs.full() && (whole || unsent || frame_.inputs.size() < usual);
  };
  auto& inputs = frame_.inputs;
  inputs.clear();
  for (Tick t = *newest_input_; fits(t); t = t - 1) {
    const PlayerInput* input = inputs_.find(t);
    if (input == nullptr || before(t, first_tick_)) break;
    if (known && !before(*known, t) && !inputs.empty()) break;
    inputs.push_back(*input);
  }
}

// Of large inputs a packet has fewer than it was given: the oldest ones are missing.
void InputSender::note_sent(std::size_t inputs) {
  for (std::size_t i = 0; i < inputs; ++i) {
    if (!ever_sent_ || before(*ever_sent_, frame_.inputs[i].tick)) ++inputs_sent_;
  }
  newest_sent_ = newest_input_;
  ever_sent_ = ever_sent_ ? later_of(*ever_sent_, *newest_input_) : newest_input_;
}

}  // namespace perigee::client
