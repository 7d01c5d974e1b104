/// Records which ticks of each player were simulated, and by which worker: none skipped, none
/// twice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "perigee/worker/core.hpp"

namespace perigee::lab {

struct PlayedTicks {
  const worker::Core* owner = nullptr;
  std::optional<Tick> played;  ///< the newest simulated tick
  int crossings = 0, gaps = 0, twice = 0;

  /// Called before the core simulates a tick of the player.
  void note(const worker::Core& core) {
    const std::int32_t on = played ? ticks_between(*played, core.next_tick()) : 1;
    gaps += on > 1;
    twice += on < 1;
    crossings += owner != nullptr && owner != &core;
    played = core.next_tick();
    owner = &core;
  }
};

struct PlayedTicksOfAll {
  std::map<std::uint64_t, PlayedTicks> by_client;

  /// Called before the core simulates a tick: notes all players that it has.
  void note(const worker::Core& core) {
    core.for_each_player(
        [&](const worker::Player& player) { by_client[player.client_id].note(core); });
  }
  /// The counts of all players together.
  PlayedTicks all() const {
    PlayedTicks out;
    for (const auto& [client, ticks_of_player] : by_client) {
      out.crossings += ticks_of_player.crossings;
      out.gaps += ticks_of_player.gaps;
      out.twice += ticks_of_player.twice;
    }
    return out;
  }
};

}  // namespace perigee::lab
