/// A query of doubles against places of floats: the answers of doubles without conversions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "perigee/world/bounds.hpp"

namespace perigee::world {

/// A box of places.
struct FloatBounds {
  Vec3f low, high;
};
static_assert(sizeof(FloatBounds) == 6 * sizeof(float));

/// The floats inside of a box of doubles. A place of finite floats is in that box exactly if it is
/// between these. A box with a NaN has none.
class FloatQuery {
 public:
  explicit FloatQuery(const Bounds& box)
      : low_{-infinity, above(box.low.x), above(box.low.y), above(box.low.z)},
        high_{below(box.high.x), below(box.high.y), below(box.high.z), infinity},
        low_xyz_{low_[1], low_[2], low_[3], -infinity} {}

  bool overlaps(const FloatBounds& box) const {
    // Four numbers at once, without branches: which side of a box is passed cannot be predicted.
    const auto* numbers = reinterpret_cast<const std::byte*>(&box);
    Four low;   // and the x of `high`
    Four high;  // behind the z of `low`
    std::memcpy(&low, numbers, sizeof low);
    std::memcpy(&high, numbers + 2 * sizeof(float), sizeof high);
    return all((low <= high_) & (high >= low_));
  }
  /// The bounds of a triangle, if they overlap the box.
  std::optional<Bounds> overlap_of(const Vec3f& a, const Vec3f& b, const Vec3f& c) const {
    const Four p = four(a);
    const Four q = four(b);
    const Four r = four(c);
    const Four low = least(least(p, q), r);
    const Four high = most(most(p, q), r);
    if (!all((low <= high_) & (high >= low_xyz_))) return std::nullopt;
    return Bounds{{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
  }

 private:
  using Four = float __attribute__((vector_size(16)));
  static Four four(const Vec3f& p) { return Four{p.x, p.y, p.z, 0}; }
  static Four least(const Four& a, const Four& b) { return a < b ? a : b; }
  static Four most(const Four& a, const Four& b) { return a > b ? a : b; }
  template <class Mask>
  static bool all(const Mask& mask) {
    std::uint64_t halves[2];
    std::memcpy(halves, &mask, sizeof halves);
    return (halves[0] & halves[1]) == ~std::uint64_t{0};
  }
  static constexpr float infinity = std::numeric_limits<float>::infinity();

  /// The largest float that is not above `value`.
  static float below(double value) {
    constexpr double largest = std::numeric_limits<float>::max();
    const auto nearest = static_cast<float>(std::clamp(value, -largest, largest));
    return nearest > value ? -next(-nearest) : nearest;
  }
  static float above(double value) { return -below(-value); }
  /// The float that follows. (std::nextafter is a call of libm.)
  static float next(float value) {
    if (value == 0) return std::bit_cast<float>(std::uint32_t{1});
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return std::bit_cast<float>(value > 0 ? bits + 1 : bits - 1);
  }

  Four low_, high_;
  Four low_xyz_;
};

}  // namespace perigee::world
