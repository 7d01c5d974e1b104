/// Spreads a correction over time. True state and display state are separate: the display offset is
/// the part of the error that is still displayed; collision never uses it.
#pragma once

#include "perigee/base/vec.hpp"

namespace perigee {

/// Default smoother: a quintic from the present offset, velocity and acceleration to zero.
/// Position, velocity and acceleration stay continuous, also when a new error arrives half-way.
class QuinticSmoother {
 public:
  static constexpr double small_error_m = 0.5;
  static constexpr double small_seconds = 0.3;  ///< up to 0.5 m
  static constexpr double large_seconds = 0.5;  ///< beyond

  /// The true state jumped by -`error` (true + error is the position still displayed): blends it
  /// out.
  void add_error(const Vec3& error);
  /// The same over `seconds`, e.g. for an agreed parent switch.
  void add_error(const Vec3& error, double seconds);
  /// Rotates the remaining offset by `q` when the frame that it is expressed in changes.
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

/// Duration that hides a displacement of `metres` with a peak speed of at most 12 m/s.
double parent_switch_seconds(double metres);

}  // namespace perigee
