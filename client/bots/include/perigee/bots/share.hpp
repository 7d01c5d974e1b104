/// The players of one thread. The thread of a player is its number modulo the number of threads,
/// and depends on nothing else.
#pragma once

#include <cstdint>

namespace perigee::bots {

struct Share {
  std::uint32_t thread = 0;
  std::uint32_t threads = 1;

  static std::uint32_t thread_of(std::uint32_t player, std::uint32_t threads) {
    return player % threads;
  }
  /// Number of this thread's players among `players`.
  std::uint32_t count(std::uint32_t players) const {
    return (players + threads - 1 - thread) / threads;
  }
  /// The player at that place of this thread, and back.
  std::uint32_t player(std::uint32_t place) const { return place * threads + thread; }
  std::uint32_t place(std::uint32_t player) const { return player / threads; }
};

}  // namespace perigee::bots
