/// When a player's inputs were sampled, and when the worker consumed them. (metric M7 of the lab)
#pragma once

#include <cstdint>

#include "perigee/base/ring.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/lab/play_meter.hpp"

namespace perigee::lab {

class InputTrace {
 public:
  InputTrace() = default;
  /// An input takes at least `way_us` to the worker, which rewinds up to `window_us`.
  InputTrace(Micros way_us, Micros window_us) : way_us_(way_us), window_us_(window_us) {}

  /// `input`: the tick that it names.
  void on_sampled(Tick input, Micros now_us) { sampled_us_.claim(input) = now_us; }
  /// The worker ran that tick.
  void on_tick(Tick tick, Micros now_us, bool guessed) {
    consumed_.claim(tick) = {now_us, guessed};
  }
  /// The worker applies inputs this many ticks after the ticks that they name.
  void on_delay(std::int32_t ticks) { delay_ticks_ = ticks; }
  /// Even on a path without loss and delay, the tick of the input would have been final before the
  /// input arrived: the path is not the cause.
  bool sampled_too_late(Tick input) const;
  /// The worker guessed an input that names a tick in [from, end).
  bool guessed(Tick from, Tick end) const;
  /// A tick that can no longer change.
  void note_final(Tick tick, bool guessed, PlayFigures& out) const;

 private:
  struct Consumed {
    Micros at_us = 0;
    bool guessed = false;
  };
  Micros way_us_ = 0;
  Micros window_us_ = 0;
  std::int32_t delay_ticks_ = 0;
  TickRing<Micros, 512> sampled_us_;  ///< by tick of the input
  TickRing<Consumed, 256> consumed_;
};

}  // namespace perigee::lab
