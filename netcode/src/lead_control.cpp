#include "perigee/netcode/lead_control.hpp"

#include <algorithm>
#include <cmath>

namespace perigee {

void LeadControl::seed(double local_ticks, double server_ticks_ahead) {
  offset_ = server_ticks_ahead - local_ticks;
  cost_base_ = offset_;
  costs_count_ = costs_next_ = 0;
  wanted_.reset();
  same_sign_ = 0;
  seeded_ = true;
}

std::optional<double> LeadControl::wanted_offset() const {
  if (costs_count_ < margins_min) return std::nullopt;
  std::array<float, margins_max> sorted = costs_;
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(costs_count_);
  const auto allowed_late =
      static_cast<std::ptrdiff_t>(static_cast<double>(costs_count_) * settings_.late_share);
  const auto nth = end - 1 - allowed_late;
  std::nth_element(sorted.begin(), nth, end);
  return cost_base_ + static_cast<double>(*nth) + settings_.target_margin_ticks;
}

void LeadControl::on_margin(Tick echo, double margin_ticks) {
  const double* made_with = offsets_.find(echo);
  if (made_with == nullptr) return;
  costs_[costs_next_] = static_cast<float>(*made_with - margin_ticks - cost_base_);
  costs_next_ = (costs_next_ + 1) % margins_max;
  costs_count_ = std::min(costs_count_ + 1, margins_max);
  wanted_ = wanted_offset();
  if (!wanted_) return;
  const double error = *wanted_ - offset_;
  if (error > settings_.late_band_ticks) {
    same_sign_ = std::max(same_sign_, 0) + 1;
  } else if (error < -settings_.early_band_ticks) {
    same_sign_ = std::min(same_sign_, 0) - 1;
  } else {
    same_sign_ = 0;
  }
}

void LeadControl::aim(std::optional<double> offset_ticks) {
  if (aim_.has_value() != offset_ticks.has_value()) {
    same_sign_ = 0;
    nearing_aim_ = true;
  }
  aim_ = offset_ticks;
}

std::optional<double> LeadControl::late_ticks(double offset_ticks) const {
  if (!wanted_) return std::nullopt;
  return *wanted_ - settings_.target_margin_ticks - offset_ticks;
}

void LeadControl::near_aim(double elapsed_ticks) {
  const double error = *aim_ - offset_;
  if (std::abs(error) > settings_.jump_ticks) {
    offset_ = *aim_;
    ++jumps_;
    return;
  }
  const double step = settings_.speed_up_max * elapsed_ticks;
  if (std::abs(error) > settings_.aim_band_ticks) nearing_aim_ = true;
  if (nearing_aim_) offset_ += std::clamp(error, -step, step);
  if (std::abs(error) <= step) nearing_aim_ = false;
}

void LeadControl::advance(double elapsed_ticks) {
  if (aim_ && elapsed_ticks > 0) return near_aim(elapsed_ticks);
  if (!wanted_ || elapsed_ticks <= 0) return;
  const double error = *wanted_ - offset_;
  if (error > settings_.jump_ticks || error < -settings_.jump_ticks) {
    offset_ = *wanted_;
    same_sign_ = 0;
    ++jumps_;
    return;
  }
  if (same_sign_ >= settings_.same_sign_min) {
    offset_ += std::min(std::max(error, 0.0), settings_.speed_up_max * elapsed_ticks);
  } else if (same_sign_ <= -settings_.same_sign_min) {
    const double excess = std::max(0.0, -error - settings_.excess_ticks);
    const double rate = settings_.give_back_max + settings_.excess_share_per_tick * excess;
    offset_ -= std::min(std::max(-error, 0.0), rate * elapsed_ticks);
  }
}

}  // namespace perigee
