/// One player's inputs on the worker under the `lead` timeline with rollback: which input each tick
/// was simulated with, which of these were guesses, and what a late arrival makes wrong.
/// The window P is the tolerance of server reconciliation. (mission S3, S5b, S6, S7, S12, K13, K15)
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/netcode/player_input.hpp"
#include "perigee/netcode/ring.hpp"

namespace perigee {

enum class InputOffer : std::uint8_t {
  Waiting,  ///< for a tick that has not run yet (S5b)
  Rewind,   ///< its tick ran with a guess, inside P: re-simulate from there (S9)
  Duplicate,
  TooLate,   ///< its tick has left P: final as guessed
  TooEarly,  ///< more than `ahead_ticks_max` in the future: refused (S4)
  last = TooEarly
};

class InputTimeline {
 public:
  struct Settings {
    std::int32_t window_ticks = 15;     ///< P: 250 ms at 60 Hz; 0 turns rollback off (S12)
    std::int32_t repeat_ticks_max = 6;  ///< longer gaps release the controls (K15)
    std::int32_t ahead_ticks_max = 60;  ///< 1 s
  };
  explicit InputTimeline(const Settings& settings) : settings_(settings) {}
  InputTimeline() = default;

  /// `next` is the tick that will be simulated next.
  InputOffer offer(const PlayerInput& input, Tick next);

  struct Use {
    PlayerInput input;
    bool guessed = false;
  };
  /// The input to simulate `tick` with, marking it as used so. Called once per tick going forward,
  /// and again for each tick of a re-simulation.
  Use take(Tick tick);

  /// The last tick whose real input was applied, if any: what the echo names (K28).
  std::optional<Tick> last_applied() const { return last_applied_; }
  /// The newest tick up to which nothing can change any more when `next` is to be simulated: every
  /// older tick either ran with its real input or has left P.
  Tick final_before(Tick next) const;

  /// A hard reset: forgets everything received; what ran before `next` is final. (mission V8, V9)
  void reset(Tick next);

 private:
  struct Slot {
    PlayerInput input;
    bool real = false;  ///< `input` came from the player
    bool used = false;  ///< simulated at least once
  };
  static constexpr std::uint32_t ring_ticks = 128;

  PlayerInput guess(Tick tick) const;

  Settings settings_;
  TickRing<Slot, ring_ticks> slots_;
  std::optional<Tick> last_applied_;
  std::optional<Tick> first_;  ///< oldest tick ever taken or offered
};

}  // namespace perigee
