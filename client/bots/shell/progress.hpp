/// The state of play once a second: each thread counts its own players, and the sum is printed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bot.hpp"
#include "thin_bot.hpp"

namespace perigee::bots {

struct Progress {
  struct Group {
    std::uint32_t players = 0;
    std::uint32_t joined = 0;
    std::uint32_t playing = 0;
    std::uint64_t bytes = 0;  ///< received since the start
    std::vector<double> rtts_ms, jitters_ms;

    void count(const Player& player);
    void add(const Group& other);
  };
  Group full, thin;
  double measured_s = 0;
  std::uint64_t corrections = 0;
  std::uint64_t corrections_static = 0;
  Deeds deeds;

  void add(const Progress& other);
};

Progress progress_of(std::span<const Bot* const> bots, std::span<const ThinBot* const> thin,
                     Micros now_us);
/// One line of text. `before`: a second earlier.
std::string line_of(const Progress& now, const Progress& before, Micros since_start_us);

}  // namespace perigee::bots
