/// When one end of a conversation sends its next frame of messages: at once if there is something
/// new, again if no acknowledgement comes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "perigee/base/tick.hpp"
#include "perigee/base/wire_messages.hpp"

namespace perigee {

class MessagePace {
 public:
  /// Frames are at least this far apart. Less: a flood of short messages is sent many times over.
  static constexpr Micros spacing_us = 50'000;
  /// Repetitions become rarer up to this distance.
  static constexpr Micros patience_us_max = 1'000'000;

  /// The next frame begins with this number, and nothing has been sent.
  void restart(std::uint32_t first) {
    sent_first_ = sent_end_ = first;
    sent_at_us_.reset();
    repeats_ = 0;
    owes_answer_ = false;
  }
  /// The other end waits for an acknowledgement.
  void owe_answer() { owes_answer_ = true; }
  /// Whether a frame with the messages `first` up to `end` is due. `patience_us`: a time after
  /// which an acknowledgement ought to have come.
  bool due(Micros now_us, std::uint32_t first, std::uint32_t end, Micros patience_us) const {
    if (!sent_at_us_) return owes_answer_ || first != end;
    const Micros since_us = now_us - *sent_at_us_;
    if (since_us < 0) return true;  // a clock of ticks has wrapped
    if (since_us < spacing_us) return false;
    if (owes_answer_ || messages_between(sent_end_, end) > 0) return true;
    const Micros patient_us = std::max(patience_us, spacing_us) << repeats_;
    return first != end && since_us >= std::min(patient_us, patience_us_max);
  }
  void sent(Micros now_us, std::uint32_t first, std::uint32_t end) {
    const bool again = first != end && first == sent_first_ && end == sent_end_;
    repeats_ = again ? std::min(repeats_ + 1, repeats_counted) : 0;
    sent_at_us_ = now_us;
    sent_first_ = first;
    if (messages_between(sent_end_, end) > 0) sent_end_ = end;
    owes_answer_ = false;
  }
  const std::optional<Micros>& sent_at_us() const { return sent_at_us_; }

 private:
  static constexpr int repeats_counted = 5;
  std::uint32_t sent_first_ = 0;
  std::uint32_t sent_end_ = 0;  ///< all messages before this number have been sent
  std::optional<Micros> sent_at_us_;
  int repeats_ = 0;  ///< of the newest frame
  bool owes_answer_ = false;
};

}  // namespace perigee
