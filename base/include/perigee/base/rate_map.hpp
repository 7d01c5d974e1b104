/// The client's knowledge of the world's rate: converts ticks to even time and back. Even time
/// counts 1/60 s of real time at any rate. Durations on the network use even time; simulation and
/// display use ticks. A change of rate shifts neither. Both count from a fixed tick.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "perigee/base/world_time.hpp"

namespace perigee {

class RateMap {
 public:
  /// Applies the server's newest notice, valid at `ticks`; earlier knots stay. If the rate has
  /// changed without an announcement, `ticks` maps to `even_now`, or without `even_now` to its
  /// place under the old rate.
  void apply(double ticks, const RateNotice& notice, std::optional<double> even_now = {});
  double even(double ticks) const;
  double ticks(double even) const;
  /// Ticks per unit of even time.
  double rate_at(double ticks) const { return knot_of(ticks).rate; }
  /// Changes of rate that were in force before they were announced here.
  std::uint32_t missed() const { return missed_; }

 private:
  static constexpr std::size_t knots_max = 4;
  /// From here on this rate applies; the first knot's rate also applies before it.
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
