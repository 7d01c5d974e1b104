#include "perigee/base/input_timeline.hpp"

#include <algorithm>

namespace perigee {

InputOffer InputTimeline::offer(const PlayerInput& input, Tick next) {
  const Tick at = input.tick + delay_ticks_;
  const std::int32_t ahead = ticks_between(next, at);
  if (std::max(ahead, ahead - delay_ticks_) > settings_.ahead_ticks_max) {
    return InputOffer::TooEarly;
  }
  Slot* slot = slots_.find(at);
  if (spent_.find(input.tick) != nullptr) return InputOffer::Duplicate;
  if (slot != nullptr && slot->real && slot->input.tick == input.tick) return InputOffer::Duplicate;
  if (passed_by_switch(input.tick, at) || (ahead < 0 && before(at, oldest_allowed(next)))) {
    return void_input(input, at, next);
  }
  // Before the player's first tick, or before the reset.
  if (ahead < 0 && (slot == nullptr || (first_ && before(at, *first_)))) {
    return too_late(input.tick);
  }
  Slot& filed = slots_.claim(at);
  filed.input = input;
  filed.real = true;
  filed.kept = 0;
  if (ahead >= 0) {
    filed.used = false;
    return InputOffer::Waiting;
  }
  return InputOffer::Rewind;
}

bool InputTimeline::passed_by_switch(Tick name, Tick at) const {
  return (names_from_ && before(name, *names_from_)) || (final_from_ && before(at, *final_from_));
}

// Clients repeat an input until a newer one is acknowledged.
InputOffer InputTimeline::too_late(Tick name) {
  if (came_too_late(name)) return InputOffer::Duplicate;
  came_too_late_.claim(name) = 1;
  return InputOffer::TooLate;
}

// Keeps a tapped jump alive without a re-simulation. A playout buffer drops the input.
InputOffer InputTimeline::void_input(const PlayerInput& input, Tick due, Tick next) {
  const InputOffer offer = too_late(input.tick);
  if (techniques_.rollback && !passed_by_switch(input.tick, due)) return offer;
  spent_.claim(input.tick) = 1;
  const bool keeps =
      !playout() && !input.samples.empty() && ticks_between(due, next) <= settings_.window_ticks;
  if (!keeps) return offer;
  keep_samples(input, due);
  return InputOffer::EdgesKept;
}

void InputTimeline::keep_samples(const PlayerInput& input, Tick due) {
  for (std::size_t i = 0; i < input.samples.size(); ++i) {
    kept_.push_back({input.samples[i], {input.tick, static_cast<std::uint8_t>(i)}, due});
  }
}

void InputTimeline::add_kept_samples(Slot& slot, Tick tick) {
  auto& names = kept_names_.claim(tick);
  names.clear();
  auto& samples = slot.input.samples;
  while (!kept_.empty() && !samples.full()) {
    const KeptSample kept = kept_[0];
    kept_.erase(0);
    if (ticks_between(kept.due, tick) > settings_.window_ticks) continue;
    samples.insert(names.size(), {0, kept.sample.pressed, kept.sample.action, kept.sample.target});
    names.push_back(kept.name);
  }
  slot.kept = static_cast<std::uint8_t>(names.size());
}

InputTimeline::SampleName InputTimeline::name_of_sample(Tick tick, const Use& use,
                                                        std::size_t index) const {
  if (index >= use.kept) return {use.input.tick, static_cast<std::uint8_t>(index - use.kept)};
  const auto* names = kept_names_.find(tick);
  return names != nullptr ? (*names)[index] : SampleName{use.input.tick, 0};
}

PlayerInput InputTimeline::guess(Tick tick) const {
  // The newest real input before the gap holds the axes where they were, but not for ever.
  for (std::int32_t back = 1; back < past_ticks; ++back) {
    const Slot* slot = slots_.find(tick - back);
    if (slot == nullptr) break;
    if (!slot->real) continue;
    return back <= settings_.repeat_ticks_max ? held(slot->input, tick, *settings_.own)
                                              : neutral(slot->input, tick, *settings_.own);
  }
  return at_rest(tick);
}

// A guess carries look and kept fields on, so the slot before has them however long ago they came.
PlayerInput InputTimeline::at_rest(Tick tick) const {
  const Slot* before_it = slots_.find(tick - 1);
  return before_it != nullptr ? neutral(before_it->input, tick, *settings_.own)
                              : PlayerInput{.tick = tick};
}

InputTimeline::Use InputTimeline::take(Tick tick) {
  if (!first_) first_ = tick;
  if (!newest_taken_ || before(*newest_taken_, tick)) newest_taken_ = tick;
  Slot* slot = slots_.find(tick);
  if (slot != nullptr && slot->real) {
    if (!slot->used && !kept_.empty()) add_kept_samples(*slot, tick);
    slot->used = true;
    missed_ticks_ = 0;
    if (!last_applied_ || before(last_applied_at_, tick)) {
      last_applied_ = slot->input.tick;
      last_applied_at_ = tick;
    }
    return {slot->input, false, slot->kept};
  }
  const bool again = slot != nullptr && slot->used;
  if (!again) ++missed_ticks_;
  const PlayerInput guessed = guess(tick);
  slots_.claim(tick) = {guessed, false, true, 0};
  return {guessed, true, 0};
}

Tick InputTimeline::oldest_allowed(Tick next) const {
  const Tick oldest = next - window_ticks_;
  return open_from_ && before(*open_from_, oldest) ? *open_from_ : oldest;
}

Tick InputTimeline::oldest_open(Tick next) const {
  const Tick oldest = oldest_allowed(next);
  return first_ ? later_of(oldest, *first_) : oldest;
}

bool InputTimeline::missing(Tick tick) const {
  const Slot* slot = slots_.find(tick);
  return techniques_.rollback && !playout() && slot != nullptr && !slot->real &&
         (!first_ || !before(tick, *first_)) && !(final_from_ && before(tick, *final_from_));
}

bool InputTimeline::gap_begins(Tick tick) const {
  const Slot* last = slots_.find(tick - 1);
  return missing(tick) && last != nullptr && last->real;
}

Tick InputTimeline::final_before(Tick next) const {
  for (Tick t = oldest_open(next); before(t, next); ++t) {
    const Slot* slot = slots_.find(t);
    if (slot == nullptr || !slot->real) return t;
  }
  return next;
}

void InputTimeline::drop_waiting(Tick next) {
  for (std::int32_t ahead = 0; ahead < coming_ticks; ++ahead) {
    Slot* slot = slots_.find(next + ahead);
    if (slot != nullptr) slot->real = false;
  }
  kept_.clear();
}

void InputTimeline::reset(Tick next) {
  const PlayerInput rest = newest_taken_ ? at_rest(*newest_taken_ + 1) : PlayerInput{};
  slots_.clear();
  Slot& before_it = slots_.claim(next - 1);
  before_it = {rest, false, true, 0};
  before_it.input.tick = next - 1;
  newest_taken_ = next - 1;
  close_gap();
  last_applied_.reset();
  first_ = next;
  anchored_ = false;
  newest_.reset();
  names_from_.reset();
  final_from_.reset();
  spent_.clear();
  kept_.clear();
}

// --- switches ------------------------------------------------------------------------------------

void InputTimeline::use(const SharedTechniques& techniques, Tick next) {
  if (techniques.rollback != techniques_.rollback) {
    window_ticks_ = techniques.rollback ? settings_.window_ticks : 0;
    first_ = final_from_ = next;
    close_gap();
  }
  const bool same_timeline = techniques.timeline == techniques_.timeline;
  const bool was_playout = playout();
  techniques_ = techniques;
  if (same_timeline) return;
  if (!playout()) return move_to(0, next);
  if (!was_playout) {
    anchored_ = false;
    newest_.reset();
    return;
  }
  begin_quiet_time(pushes_, next);
  push_back(first_pushes() - pushes_, next);
  pushes_ = first_pushes();
}

// Moves waiting inputs to their new ticks. An input with a new tick before `next` is not applied
// any more; only its edges happen.
void InputTimeline::move_to(std::int32_t delay_ticks, Tick next) {
  if (delay_ticks == delay_ticks_) return;
  FixedVector<PlayerInput, ring_ticks> waiting;
  for (Tick at = next - past_ticks; before(at, next + coming_ticks); ++at) {
    Slot* slot = slots_.find(at);
    if (slot == nullptr || !slot->real) continue;
    if (before(at, next)) {
      spent_.claim(slot->input.tick) = 1;
    } else {
      waiting.push_back(slot->input);
      slot->real = false;
    }
  }
  if (last_applied_) names_from_ = *last_applied_ + 1;
  delay_ticks_ = delay_ticks;
  first_ = final_from_ = next;
  close_gap();
  for (const PlayerInput& input : waiting) {
    const Tick at = input.tick + delay_ticks_;
    const std::int32_t ahead = ticks_between(next, at);
    if (ahead >= 0 && ahead <= settings_.ahead_ticks_max) {
      slots_.claim(at) = {input, true, false, 0};
      continue;
    }
    spent_.claim(input.tick) = 1;
    if (ahead < 0) keep_samples(input, at);
  }
}

// The first packet enters the buffer at the end, and so does the first one after the buffer ran
// empty.
void InputTimeline::on_packet(Tick newest, Tick next) {
  if (!playout() || ticks_between(next, newest) > settings_.ahead_ticks_max ||
      ticks_between(newest, next) > settings_.ahead_ticks_max) {
    return;
  }
  const bool news = !last_applied_ || before(*last_applied_, newest);
  const bool starved = missed_ticks_ > settings_.repeat_ticks_max;
  const bool overfull = ticks_between(next, newest + delay_ticks_) > pushes_max;
  if (!anchored_ || (news && (starved || overfull))) {
    anchored_ = true;
    missed_ticks_ = 0;
    pushes_ = first_pushes();
    begin_quiet_time(pushes_, next);
    move_to(ticks_between(newest, next) + pushes_, next);
  } else if (techniques_.timeline == Timeline::PlayoutInTrouble) {
    watch_for_trouble(newest, next);
  }
  if (!newest_ || before(*newest_, newest)) newest_ = newest;
}

// Trouble: a packet is older than its predecessor, or more than a tick later than the earliest one
// of the quiet time.
void InputTimeline::watch_for_trouble(Tick newest, Tick next) {
  const std::int32_t early = ticks_between(next, newest + delay_ticks_);
  earliest_ = std::max(earliest_, early);
  latest_ = std::min(latest_, early);
  if ((newest_ && before(newest, *newest_)) || earliest_ - early > 1) {
    begin_quiet_time(early, next);
    if (pushes_ != pushes) push_back(pushes - pushes_when_quiet, next);
    pushes_ = pushes;
  } else if (pushes_ == pushes && ticks_between(trouble_, next) >= settings_.quiet_ticks) {
    if (latest_ > pushes_when_quiet) push_back(pushes_when_quiet - latest_, next);
    pushes_ = pushes_when_quiet;
  }
}

void InputTimeline::begin_quiet_time(std::int32_t early_ticks, Tick next) {
  trouble_ = next;
  earliest_ = latest_ = early_ticks;
}

void InputTimeline::push_back(std::int32_t by_ticks, Tick next) {
  earliest_ += by_ticks;
  latest_ += by_ticks;
  move_to(delay_ticks_ + by_ticks, next);
}

}  // namespace perigee
