/// A track in whole steps, as records say it: of two equal ones all receivers evaluate the same
/// bits. And how a track is expected to go on, so that a record can say the difference alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "perigee/base/interest.hpp"
#include "perigee/base/track.hpp"
#include "perigee/base/vec.hpp"

namespace perigee {

/// Classes of precision, one for each ring of interest. A receiver's error stays below the class's
/// bound between two looks at the entity; positions and rates are written in steps of a fifth of
/// it. Positions are cell + local offset of 18 bits per axis.
enum class Precision : std::uint8_t { Finest, Fine, Middle, Coarse, last = Coarse };
inline constexpr std::size_t precisions = 4;
static_assert(precisions == interest_rings);

/// The largest error of a point of the entity's surface, metres.
constexpr double bound_m(Precision precision) {
  constexpr std::array<double, precisions> bounds_m{0.01, 0.05, 0.2, 1};
  return bounds_m[static_cast<std::size_t>(precision)];
}
constexpr double offset_step_m(Precision precision) {
  constexpr std::array<double, precisions> steps_m{1.0 / 512, 1.0 / 128, 1.0 / 32, 1.0 / 8};
  return steps_m[static_cast<std::size_t>(precision)];
}
inline constexpr int offset_bits = 18;

/// Widths in bits, with the sign, of the components of vectors.
inline constexpr int rate_width_max = 20, spin_width_max = 16;
inline constexpr int yaw_bits = 8;
/// A spin in steps of 2^-exponent.
inline constexpr int spin_exponent_bits = 4;
/// For tracks that are expected to last 1, 1/2, 1/4 or 1/8 s: the shorter, the coarser may rates
/// be.
inline constexpr int brevity_bits = 2;

using Steps = std::array<std::int32_t, 3>;

/// A rotation by the three smaller components of its quaternion.
struct RotationSteps {
  std::uint8_t width = 0;    ///< bits of a component
  std::uint8_t largest = 0;  ///< the component that is left out; it is positive
  Steps parts{};             ///< the others in order
  friend bool operator==(const RotationSteps&, const RotationSteps&) = default;
};
struct SpinSteps {
  std::uint8_t exponent = 0;
  Steps steps{};
  friend bool operator==(const SpinSteps&, const SpinSteps&) = default;
};

struct TrackSteps {
  TrackCurve curve = TrackCurve::Still;
  TrackTurn turn = TrackTurn::None;
  bool spins_faster = false;  ///< of a full turn: has an angular acceleration
  std::uint8_t brevity = 0;
  std::uint8_t yaw = 0;  ///< in 1/256 turn
  Steps position{}, velocity{};
  /// The acceleration of a parabola, or the turn of a circle, in steps that its speed determines.
  Steps bend{};
  RotationSteps rotation;
  SpinSteps spin, spin_acceleration;
  friend bool operator==(const TrackSteps&, const TrackSteps&) = default;
};

/// `radius_m`: of the entity around its origin. The rotation and its rate are so fine that a point
/// at this distance is off by at most about a fifth of the bound after the expected time.
TrackSteps steps_of(const Track& track, Precision precision, double radius_m, int brevity = 0);
/// Without tick and damping.
Track track_of(const TrackSteps& steps, Precision precision);
/// Whether track_of() is a motion that a body can have.
bool is_possible(const TrackSteps& steps, Precision precision);

std::uint8_t yaw_steps(const Quat& rotation);
Quat yaw_of(std::uint8_t steps);

/// Where a track leads within some ticks, in the steps of another one.
class Expectation {
 public:
  Expectation(const TrackSteps& basis, Precision precision, double spin_damping_per_s,
              std::int32_t ticks);
  Steps position() const;
  Steps velocity(int brevity) const;
  /// In the steps of `like`, of which curve, brevity and, for a circle, velocity count.
  Steps bend(const TrackSteps& like) const;
  /// None if the basis has no full turn.
  std::optional<RotationSteps> rotation() const;
  Steps spin(int exponent) const;
  Steps spin_acceleration(int exponent) const;

 private:
  Track track_;
  TrackPlace place_;
  Precision precision_;
  std::uint8_t rotation_width_;
  std::int32_t ticks_;
};

}  // namespace perigee
