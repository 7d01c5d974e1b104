/// Spreads a correction over time: the display offset is what the eye still sees of the error, true
/// state and display state being kept apart; collision never sees it. (mission E4, E7, K32)
#pragma once

#include "perigee/netcode/vec.hpp"

namespace perigee {

/// Default smoother: a quintic from the present offset, velocity and acceleration to zero.
/// Position, velocity and acceleration stay continuous, also when a new error arrives half-way.
class QuinticSmoother {
 public:
  static constexpr double small_error_m = 0.5;
  static constexpr double small_seconds = 0.3;  ///< up to 0.5 m
  static constexpr double large_seconds = 0.5;  ///< beyond

  /// The true state jumped by -`error` (so that true + error is where the eye is): blend it out.
  void add_error(const Vec3& error);
  /// The same over `seconds`, e.g. for an agreed parent switch. (mission K35)
  void add_error(const Vec3& error, double seconds);
  /// Turns what is left by `q`, when the frame that the offset is expressed in changes.
  void turn(const Quat& q);
  void advance(double dt_s);
  /// display = true + offset.
  Vec3 offset() const;
  bool active() const { return elapsed_ < duration_; }
  void clear() { *this = QuinticSmoother{}; }

 private:
  Vec3 velocity() const;
  Vec3 acceleration() const;

  // offset(t) = sum c[i] * (t/T)^i
  Vec3 c_[6];
  double elapsed_ = 0;
  double duration_ = 0;
};

/// Time that hides a displacement of `metres` with a peak speed of at most 12 m/s. (mission K35)
double parent_switch_seconds(double metres);

}  // namespace perigee
