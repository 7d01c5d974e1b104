/// A cluster small enough to be explored completely: three workers, three regions, one group, and
/// every order of messages, log entries, record writes, journal writes and faults.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "perigee/migration/region.hpp"

namespace perigee::migration::checker {

inline constexpr std::size_t regions = 3;
inline constexpr std::size_t workers = 3;
inline constexpr std::size_t outcomes = 2;
inline constexpr GroupId the_group = 7;

/// The decisions about the group: for each question the decider, 0 if it is open.
struct Traits {
  static constexpr std::uint8_t contradicted = 255;
  static constexpr std::size_t refusals_max = 1;
  struct State {
    std::array<std::uint8_t, outcomes> decided{};
    friend bool operator==(const State&, const State&) = default;
    friend auto operator<=>(const State&, const State&) = default;
  };
  struct Outcome {
    std::uint8_t id = 0;
    std::uint8_t by = 0;
    friend bool operator==(const Outcome&, const Outcome&) = default;
    friend auto operator<=>(const Outcome&, const Outcome&) = default;
  };
  static void adopt(State& state, const Outcome& outcome) {
    std::uint8_t& decided = state.decided[outcome.id];
    decided = decided == 0 || decided == outcome.by ? outcome.by : contradicted;
  }
};

/// Maximum number of events of each kind. `failures` is the total of crashes, breaks of a replica
/// stream, and owners that are declared dead while alive.
struct Bounds {
  int moves = 2;
  int decisions = 2;
  int refusals = 1;
  int failures = 2;
  int crashes = 2;
  int breaks = 1;
  int suspicions = 1;
  int rejoins = 1;
  bool restores = true;
};

}  // namespace perigee::migration::checker
