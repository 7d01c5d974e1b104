/// What a client knows of how fast world time passes: ticks to even time and back. Even time counts
/// 1/60 s of real time, whatever the rate is. What travels takes even time, what is simulated or
/// shown takes ticks; a change of rate moves neither. Both are counted since a fixed tick.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "perigee/netcode/world_time.hpp"

namespace perigee {

class RateMap {
 public:
  /// The newest word of the server, at `ticks`; what was known of the time before stays. If the
  /// rate has changed unheard of, `ticks` is at `even_now`; none: where it would have been.
  void hear(double ticks, const RateNotice& notice, std::optional<double> even_now = {});
  double even(double ticks) const;
  double ticks(double even) const;
  /// Ticks in one of even time.
  double rate_at(double ticks) const { return knot_of(ticks).rate; }
  /// Changes that were in force before they were heard of.
  std::uint32_t missed() const { return missed_; }

 private:
  static constexpr std::size_t knots_max = 4;
  /// From here on the rate is this; the first one's also before it.
  struct Knot {
    double ticks = 0, even = 0, rate = 1;
  };
  const Knot& knot_of(double ticks) const;
  void add(Knot knot);

  std::array<Knot, knots_max> knots_{};
  std::size_t count_ = 0;
  std::uint32_t missed_ = 0;
};

}  // namespace perigee
