/// Calls of a game's functions that took longer than a limit: counted by function, and kept for the
/// log. The clock is the owner's: only a process has one. One thread calls the game.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "perigee/base/counts.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/world/game_call.hpp"

namespace perigee::world {

enum class GameFunction : std::uint8_t {
  Populate,
  Drive,
  SpawnState,
  AcceptUse,
  Step,
  AfterMotion,
  ApplyEvent,
  Judge,
  Commit,
  Receive,
  Think,
  DriveNpc,
  Other,
  last = Other
};
inline constexpr std::array<std::string_view, enum_count<GameFunction>> game_functions{
    "populate", "drive",  "spawn_state", "accept_use", "step",      "after_motion", "apply_event",
    "judge",    "commit", "receive",     "think",      "drive_npc", "other"};

struct SlowCall {
  GameCall call;
  Micros took_us = 0;
};

class SlowCalls {
 public:
  static constexpr Micros log_again_us = 60'000'000;  ///< for one function
  using Clock = std::function<Micros()>;
  using Unsent = FixedVector<SlowCall, enum_count<GameFunction>>;

  SlowCalls(Clock clock, Micros limit_us) : clock_(std::move(clock)), limit_us_(limit_us) {}

  Micros now_us() const { return clock_(); }
  Micros limit_us() const { return limit_us_; }
  /// A call has ended that began at `began_us`.
  void note(const GameCall& call, Micros began_us);
  const Counts<GameFunction>& counts() const { return counts_; }
  /// For the log: the first slow call of each function, and one after each further minute.
  Unsent take_unsent() { return std::exchange(unsent_, {}); }

 private:
  Clock clock_;
  Micros limit_us_;
  Counts<GameFunction> counts_;
  std::array<std::optional<Micros>, enum_count<GameFunction>> logged_at_us_;
  Unsent unsent_;
};

}  // namespace perigee::world
