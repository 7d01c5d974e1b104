#include "perigee/client/step_history.hpp"

#include <memory>
#include <type_traits>

namespace perigee::client {

StepHistory::StepHistory() {
  records_.reserve(capacity_ticks);
  free_.reserve(capacity_ticks);
  for (std::size_t i = 0; i < steps_at_start; ++i) add();
}

void StepHistory::add() {
  records_.push_back(std::make_unique<world::StepRecord>());
  free_.push_back(records_.back().get());
}

world::StepRecord& StepHistory::claim(Tick tick) {
  Place& place = places_[tick.count % capacity_ticks];
  place.tick = tick;
  if (place.record == nullptr) {
    if (free_.empty()) add();
    place.record = free_.back();
    free_.pop_back();
  }
  static_assert(std::is_trivially_destructible_v<world::StepRecord>);
  return *std::construct_at(place.record);  // in place: an assignment would copy all 7 kB
}

void StepHistory::forget(Place& place) {
  if (place.record == nullptr) return;
  free_.push_back(place.record);
  place.record = nullptr;
}

void StepHistory::clear() {
  for (Place& place : places_) forget(place);
}

void StepHistory::settle(Tick final_tick) {
  const Tick oldest = final_tick - kept_ticks;
  const std::int32_t since = ticks_between(settled_, oldest);
  const bool all = since < 0 || since > static_cast<std::int32_t>(capacity_ticks);
  for (Tick t = all ? oldest - static_cast<std::int32_t>(capacity_ticks) : settled_;
       before(t, oldest); ++t) {
    Place& place = places_[t.count % capacity_ticks];
    if (place.record != nullptr && before(place.tick, oldest)) forget(place);
  }
  settled_ = oldest;
}

}  // namespace perigee::client
