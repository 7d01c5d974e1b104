/// Blends a correction on the display in one of five ways, chosen at run time. The display is the
/// true position plus an offset; collision never uses the offset.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "perigee/base/smoother.hpp"

namespace perigee {

enum class Smoothing : std::uint8_t {
  None,            ///< the error is displayed at once
  ConstantWeight,  ///< 65 % of the old display per frame, for 0.25 s
  FadingWeight,    ///< weight 0.75, falling by 1 per second, until the offset is gone
  Exponential,     ///< halves the remaining offset every 0.1 s
  Quintic,         ///< smooth in position, speed and acceleration
  last = Quintic
};

/// No blend: displays the true position.
class NoSmoother {
 public:
  void add_error(const Vec3&) {}
  void turn(const Quat&) {}
  void advance(double) {}
  Vec3 offset() const { return {}; }
  bool active() const { return false; }
};

/// The two classic smoothers, to the letter: each frame the display becomes w * display + (1 - w) *
/// true. It therefore also lags behind a moving true position, and depends on the frame rate. A new
/// error restarts the timer.
class WeightSmoother {
 public:
  static constexpr double constant_weight = 0.65;
  static constexpr double constant_seconds = 0.25;
  static constexpr double fading_weight = 0.75;  ///< minus the seconds since the error
  static constexpr double fading_done_m = 0.00001;

  explicit WeightSmoother(bool fading) : fading_(fading) {}
  void add_error(const Vec3& error);
  void turn(const Quat& q);
  void advance(double dt_s, const Vec3& truth);
  Vec3 offset() const { return offset_; }
  bool active() const { return active_; }

 private:
  bool fading_;
  bool active_ = false;
  double timer_s_ = 0;
  Vec3 offset_;
  std::optional<Vec3> truth_;  ///< of the previous frame, in this frame's coordinates
};

class ExponentialSmoother {
 public:
  static constexpr double half_life_s = 0.1;
  static constexpr double done_m = 0.0001;

  void add_error(const Vec3& error) { offset_ += error; }
  void turn(const Quat& q) { offset_ = rotate(q, offset_); }
  void advance(double dt_s);
  Vec3 offset() const { return offset_; }
  bool active() const { return offset_ != Vec3{}; }

 private:
  Vec3 offset_;
};

class DisplaySmoother {
 public:
  explicit DisplaySmoother(Smoothing smoothing) { choose_fresh(smoothing); }

  /// Switches from now on; the remaining offset is blended under the new rule.
  void choose(Smoothing smoothing);
  /// The true state jumped by -`error`, so true + error is the position that is still displayed.
  void add_error(const Vec3& error);
  /// The same over `seconds`, for rules with a duration, e.g. an agreed parent switch.
  void add_error(const Vec3& error, double seconds);
  /// The frame that the offset is expressed in has changed by `q`.
  void turn(const Quat& q);
  /// Called once per frame, with the true position that is about to be rendered.
  void advance(double dt_s, const Vec3& truth);
  /// display = true + offset.
  Vec3 offset() const;
  bool active() const;
  void clear() { choose_fresh(smoothing_); }

 private:
  void choose_fresh(Smoothing smoothing);

  Smoothing smoothing_ = Smoothing::Quintic;
  std::variant<NoSmoother, WeightSmoother, ExponentialSmoother, QuinticSmoother> rule_;
};

}  // namespace perigee
