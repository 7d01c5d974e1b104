/// Recent inputs of a player that another worker owns. That worker's standby keeps them, and uses
/// them if it is promoted. (decision 0043)
#pragma once

#include <optional>

#include "perigee/base/ring.hpp"
#include "perigee/base/wire_client.hpp"

namespace perigee::worker {

class SentInputs {
 public:
  static constexpr std::uint32_t kept_ticks = 128;

  void add(const ControlFrame& frame, Tick now) {
    if (frame.reset_epoch != reset_epoch_) {
      if (reset_epoch_ && !follows(frame.reset_epoch, *reset_epoch_)) return;  // it was overtaken
      inputs_.clear();
      reset_epoch_ = frame.reset_epoch;
    }
    received_ = now;
    for (const PlayerInput& input : frame.inputs) {
      // Inputs that fill a gap are of no use to a successor, for which older ticks are final.
      constexpr std::int32_t useful_ticks = 32;
      if (ticks_between(input.tick, now) > useful_ticks) break;
      inputs_.claim(input.tick) = input;
    }
  }
  /// None: nothing was added.
  std::optional<std::uint8_t> reset_epoch() const { return reset_epoch_; }
  /// Tick of the last arrival.
  Tick received() const { return received_; }
  /// Visits the inputs for `from` and later ticks, in order.
  template <class Visit>
  void for_each_from(Tick from, Visit visit) const {
    const Tick end = from + static_cast<std::int32_t>(kept_ticks);
    for (Tick name = from; before(name, end); ++name) {
      if (const PlayerInput* input = inputs_.find(name)) visit(*input);
    }
  }

 private:
  /// Ticks do not show the order: after a reset that shortens its lead, a client names earlier
  /// ones.
  static bool follows(std::uint8_t epoch, std::uint8_t other) {
    return static_cast<std::int8_t>(epoch - other) > 0;
  }

  TickRing<PlayerInput, kept_ticks> inputs_;  ///< by target tick
  std::optional<std::uint8_t> reset_epoch_;
  Tick received_;
};

}  // namespace perigee::worker
