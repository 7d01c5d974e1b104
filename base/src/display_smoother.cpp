#include "perigee/base/display_smoother.hpp"

#include <algorithm>
#include <type_traits>

#include "perigee/base/assert.hpp"

namespace perigee {

void WeightSmoother::add_error(const Vec3& error) {
  offset_ += error;
  if (truth_) *truth_ -= error;  // the display position stays
  active_ = true;
  timer_s_ = 0;
}

void WeightSmoother::turn(const Quat& q) {
  offset_ = rotate(q, offset_);
  truth_.reset();
}

void WeightSmoother::advance(double dt_s, const Vec3& truth) {
  const Vec3 before = truth_.value_or(truth);
  truth_ = truth;
  if (!active_) {
    offset_ = {};
    return;
  }
  const double weight = fading_ ? std::max(0.0, fading_weight - timer_s_) : constant_weight;
  offset_ = (offset_ + before - truth) * weight;
  timer_s_ += dt_s;
  active_ = fading_ ? length(offset_) >= fading_done_m : timer_s_ <= constant_seconds;
}

void ExponentialSmoother::advance(double dt_s) {
  // e^-a by the (2,2) Pade approximant of an eighth of it, without libm.
  const double eighth = std::min(0.6931471805599453 * dt_s / half_life_s, 40.0) / 8;
  const double even = 12 + eighth * eighth;
  double factor = (even - 6 * eighth) / (even + 6 * eighth);
  for (int i = 0; i < 3; ++i) factor *= factor;
  offset_ *= factor;
  if (length(offset_) < done_m) offset_ = {};
}

void DisplaySmoother::choose_fresh(Smoothing smoothing) {
  smoothing_ = smoothing;
  switch (smoothing) {
    case Smoothing::None:
      rule_ = NoSmoother{};
      return;
    case Smoothing::ConstantWeight:
      rule_ = WeightSmoother{false};
      return;
    case Smoothing::FadingWeight:
      rule_ = WeightSmoother{true};
      return;
    case Smoothing::Exponential:
      rule_ = ExponentialSmoother{};
      return;
    case Smoothing::Quintic:
      rule_ = QuinticSmoother{};
      return;
  }
  PERIGEE_ASSERT(false, "unknown smoothing");
}

void DisplaySmoother::choose(Smoothing smoothing) {
  const Vec3 left = offset();
  choose_fresh(smoothing);
  if (left != Vec3{}) add_error(left);
}

void DisplaySmoother::add_error(const Vec3& error) {
  std::visit([&](auto& rule) { rule.add_error(error); }, rule_);
}

void DisplaySmoother::add_error(const Vec3& error, double seconds) {
  if (auto* quintic = std::get_if<QuinticSmoother>(&rule_))
    return quintic->add_error(error, seconds);
  add_error(error);
}

void DisplaySmoother::turn(const Quat& q) {
  std::visit([&](auto& rule) { rule.turn(q); }, rule_);
}

void DisplaySmoother::advance(double dt_s, const Vec3& truth) {
  std::visit(
      [&](auto& rule) {
        if constexpr (std::is_same_v<decltype(rule), WeightSmoother&>) {
          rule.advance(dt_s, truth);
        } else {
          rule.advance(dt_s);
        }
      },
      rule_);
}

Vec3 DisplaySmoother::offset() const {
  return std::visit([](const auto& rule) { return rule.offset(); }, rule_);
}

bool DisplaySmoother::active() const {
  return std::visit([](const auto& rule) { return rule.active(); }, rule_);
}

}  // namespace perigee
