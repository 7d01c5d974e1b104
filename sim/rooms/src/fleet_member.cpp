#include "perigee/rooms/fleet_member.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace perigee::rooms {

std::optional<FleetState> fleet_state(std::string_view agones) {
  static constexpr std::array starting{"PortAllocation", "Creating",     "Starting",
                                       "Scheduled",      "RequestReady", "Reserved"};
  if (agones == "Ready") return FleetState::Ready;
  if (agones == "Allocated") return FleetState::Allocated;
  if (agones == "Shutdown") return FleetState::Ending;
  if (std::ranges::find(starting, agones) != starting.end()) return FleetState::Starting;
  return std::nullopt;
}

std::optional<FleetCall> FleetMember::next(Micros now_us, const FleetFigures& figures) {
  if (figures.rooms > 0) busy_until_us_ = now_us;
  if (const auto call = wanted_state(now_us, figures); call && begin(state_calls_, now_us)) {
    return call;
  }
  if (figures.ended) return std::nullopt;
  if (!labelled_ && begin(label_calls_, now_us)) return FleetCall::LabelSchema;
  if (wants_count(rooms_, now_us, figures.rooms)) return FleetCall::CountRooms;
  if (wants_count(players_, now_us, figures.players)) return FleetCall::CountPlayers;
  return std::nullopt;
}

std::optional<FleetCall> FleetMember::wanted_state(Micros now_us,
                                                   const FleetFigures& figures) const {
  using Call = std::optional<FleetCall>;
  if (figures.ended) return shut_down_ ? Call() : FleetCall::Shutdown;
  if (figures.leaving || state_ == FleetState::Ending) return {};
  if (figures.rooms > 0) return state_ == FleetState::Allocated ? Call() : FleetCall::Allocate;
  if (!asked_ready_) return FleetCall::Ready;
  if (state_ == FleetState::Ready) return {};
  const Micros since_us = std::max(state_since_us_, busy_until_us_.value_or(0));
  return now_us - since_us >= idle_us ? FleetCall::Ready : Call();
}

bool FleetMember::begin(Attempts& attempts, Micros now_us) {
  if (attempts.under_way || now_us < attempts.not_before_us) return false;
  return attempts.under_way = true;
}

bool FleetMember::wants_count(Counter& counter, Micros now_us, std::uint32_t count) {
  if (counter.absent || counter.told == count || !begin(counter.attempts, now_us)) return false;
  counter.telling = count;
  return true;
}

FleetMember::Counter* FleetMember::counter_of(FleetCall call) {
  if (call == FleetCall::CountRooms) return &rooms_;
  return call == FleetCall::CountPlayers ? &players_ : nullptr;
}

void FleetMember::on_answer(Micros now_us, FleetCall call, FleetAnswer answer) {
  Counter* const counter = counter_of(call);
  Attempts& attempts = counter != nullptr               ? counter->attempts
                       : call == FleetCall::LabelSchema ? label_calls_
                                                        : state_calls_;
  attempts.under_way = false;
  if (counter != nullptr && answer == FleetAnswer::NoSuchThing) counter->absent = true;
  if (answer != FleetAnswer::Done) {
    attempts.not_before_us = now_us + attempts.pause_us;
    attempts.pause_us = std::min(2 * attempts.pause_us, pause_us_max);
    return;
  }
  attempts.pause_us = pause_us_min;
  if (counter != nullptr) {
    counter->told = std::exchange(counter->telling, std::nullopt);
    attempts.not_before_us = now_us + count_period_us;
  }
  switch (call) {
    case FleetCall::Ready:
      asked_ready_ = true;
      return on_state(now_us, FleetState::Ready);
    case FleetCall::Allocate:
      return on_state(now_us, FleetState::Allocated);
    case FleetCall::Shutdown:
      shut_down_ = true;
      return;
    case FleetCall::LabelSchema:
      labelled_ = true;
      return;
    case FleetCall::CountRooms:
    case FleetCall::CountPlayers:
      return;
  }
}

void FleetMember::on_state(Micros now_us, FleetState state) {
  if (std::exchange(state_, state) != state) state_since_us_ = now_us;
}

}  // namespace perigee::rooms
