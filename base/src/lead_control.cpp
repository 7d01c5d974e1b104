#include "perigee/base/lead_control.hpp"

#include <algorithm>
#include <cmath>

namespace perigee {

void LeadControl::seed(double local_ticks, double server_ticks_ahead) {
  offset_ = std::min(server_ticks_ahead - local_ticks, offset_max_);
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
  return std::min(cost_base_ + static_cast<double>(*nth) + settings_.target_margin_ticks,
                  offset_max_);
}

void LeadControl::add_cost(double cost_ticks) {
  costs_[costs_next_] = static_cast<float>(cost_ticks - cost_base_);
  costs_next_ = (costs_next_ + 1) % margins_max;
  costs_count_ = std::min(costs_count_ + 1, margins_max);
}

void LeadControl::on_margin(Tick input, double margin_ticks, double cost_ticks_min) {
  const double* made_with = offsets_.find(input);
  if (made_with == nullptr) return;
  const double cost_ticks = *made_with - margin_ticks;
  if (cost_ticks < cost_ticks_min) return;
  add_cost(cost_ticks);
  if (refused()) return jump_to_newest();
  wanted_ = wanted_offset();
  if (wanted_) watch_sign();
}

/// Whether all of the newest reports' inputs would be refused if made with the present offset.
bool LeadControl::refused() const {
  if (costs_count_ < settings_.refused_reports) return false;
  bool late = true;
  bool early = true;
  for (std::size_t i = 1; i <= settings_.refused_reports; ++i) {
    const std::size_t at = (costs_next_ + margins_max - i) % margins_max;
    const double margin_ticks = offset_ - cost_base_ - static_cast<double>(costs_[at]);
    late = late && margin_ticks < -settings_.refused_late_ticks;
    early = early && margin_ticks > settings_.refused_early_ticks;
  }
  return late || early;
}

/// The path has changed: older costs no longer describe it.
void LeadControl::jump_to_newest() {
  std::array<float, margins_max> newest{};
  for (std::size_t i = 0; i < settings_.refused_reports; ++i) {
    newest[i] = costs_[(costs_next_ + margins_max - 1 - i) % margins_max];
  }
  costs_ = newest;
  costs_count_ = costs_next_ = settings_.refused_reports;
  wanted_ = wanted_offset();
  same_sign_ = 0;
  if (offset_ != *wanted_) ++jumps_;
  offset_ = *wanted_;
}

void LeadControl::limit(double offset_ticks_max) {
  offset_max_ = offset_ticks_max;
  offset_ = std::min(offset_, offset_max_);
  if (wanted_) wanted_ = std::min(*wanted_, offset_max_);
}

void LeadControl::watch_sign() {
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
