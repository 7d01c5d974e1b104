/// The first-predicted state of each tick. (metric M0 of the lab)
#pragma once

#include <optional>
#include <unordered_map>

#include "perigee/lab/compared_state.hpp"

namespace perigee::lab {

class FirstPredictions {
 public:
  /// The first tick that is new, if the client predicts `next` next. Ticks before the first call do
  /// not count, except the newest one.
  Tick first_new(Tick next) const { return seen_ ? *seen_ + 1 : next - 1; }
  /// All ticks before `next` are noted.
  void seen_before(Tick next) { seen_ = next - 1; }
  void note(Tick of_state, const ComparedState& state) { by_tick_[of_state.count] = state; }
  /// Returns the prediction and forgets it. None: that tick was not predicted.
  std::optional<ComparedState> take(Tick of_state) {
    const auto found = by_tick_.extract(of_state.count);
    return found.empty() ? std::nullopt : std::optional(found.mapped());
  }

 private:
  std::optional<Tick> seen_;
  std::unordered_map<std::uint32_t, ComparedState> by_tick_;
};

}  // namespace perigee::lab
