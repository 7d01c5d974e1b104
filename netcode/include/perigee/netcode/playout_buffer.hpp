/// The talk's playout delay buffer: holds back one player's inputs for three pushes, so that late
/// and reordered ones still apply in tick order. Plain data: only the calls made to it decide what
/// it does; no clock, no socket, no heap. (mission K9-K16)
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/netcode/player_input.hpp"
#include "perigee/netcode/ring.hpp"

namespace perigee {

enum class Offer : std::uint8_t { Stored, Late, Duplicate, TooEarly, last = TooEarly };

class PlayoutBuffer {
 public:
  /// The first packet enters at the last of four places and is applied three pushes later: a
  /// residence of 50.0 to 66.7 ms at 60 Hz. (mission K9, K10)
  static constexpr std::int32_t delay_ticks = 3;
  static constexpr std::uint32_t capacity_ticks = 16;  ///< 267 ms at 60 Hz: nobody waits longer
  std::int32_t repeat_ticks_max = 6;  ///< A longer gap releases the controls. 100 ms at 60 Hz (K15)

  /// Files an input under its tick. Any outcome but Stored leaves the buffer untouched.
  Offer offer(const PlayerInput& input);
  /// The input to apply in this frame; moves on by one place whether or not anything arrived.
  /// None: nothing yet, or let the controls go.
  std::optional<PlayerInput> take();
  /// The tick that the next take() is for, once the first packet came.
  std::optional<Tick> next() const;

 private:
  bool started_ = false;
  Tick next_;
  std::int32_t repeated_ticks_ = 0;
  std::optional<PlayerInput> held_;
  TickRing<std::optional<PlayerInput>, capacity_ticks> waiting_;
};

}  // namespace perigee
