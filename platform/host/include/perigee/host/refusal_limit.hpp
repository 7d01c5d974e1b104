/// How many refused acts of each caller are written down: a burst, then one now and then. A caller
/// that repeats a refused call could fill a disk otherwise. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "perigee/base/tick.hpp"

namespace perigee::host {

class RefusalLimit {
 public:
  static constexpr std::size_t callers_max = 64;  ///< further ones share one allowance
  static constexpr Micros burst = 8;              ///< refusals at once
  static constexpr Micros period_us = 10'000'000;

  /// None: one more refusal of `caller` is left out, and counted. Otherwise it is written down,
  /// with the number of those that were left out before it.
  std::optional<std::uint64_t> take(const std::string& caller, Micros now_us);
  /// The same number, for an act of `caller` that is always written. The number of a caller that
  /// has been silent may have been forgotten for the sake of others.
  std::uint64_t take_left_out(const std::string& caller);

 private:
  struct Place {
    Micros empty_at_us = 0;  ///< generic cell rate algorithm
    std::uint64_t left_out = 0;
  };
  Place& place_of(const std::string& caller, Micros now_us);

  std::map<std::string, Place> places_;
  Place shared_;
};

}  // namespace perigee::host
