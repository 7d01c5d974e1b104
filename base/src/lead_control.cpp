#include "perigee/base/lead_control.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perigee {

void LeadControl::seed(double local_ticks, double server_ticks_ahead) {
  offset_ = std::min(server_ticks_ahead - local_ticks, offset_max_);
  cost_base_ = offset_;
  costs_count_ = costs_next_ = 0;
  calm_ = former_calm_ = std::numeric_limits<double>::infinity();
  calm_count_ = 0;
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
                  offset_limit());
}

double LeadControl::offset_limit() const {
  return std::min(offset_max_, std::min(calm_, former_calm_) + settings_.surge_ticks_max);
}

void LeadControl::add_cost(double cost_ticks) {
  costs_[costs_next_] = static_cast<float>(cost_ticks - cost_base_);
  costs_next_ = (costs_next_ + 1) % margins_max;
  costs_count_ = std::min(costs_count_ + 1, margins_max);
  if (++calm_count_ > calm_reports) {
    former_calm_ = std::exchange(calm_, cost_ticks);
    calm_count_ = 0;
  }
  calm_ = std::min(calm_, cost_ticks);
}

void LeadControl::on_margin(Tick input, double margin_ticks, double cost_ticks_min) {
  const double* made_with = offsets_.find(input);
  if (made_with == nullptr) return;
  const double cost_ticks = *made_with - margin_ticks;
  if (cost_ticks < cost_ticks_min) return;
  std::copy_backward(reported_.begin(), reported_.end() - 1, reported_.end());
  reported_[0] = input;
  add_cost(cost_ticks);
  if (refused()) return jump_to_newest();
  if (will_be_refused()) return jump_to(offset_limit());
  wanted_ = wanted_offset();
  if (wanted_) watch_sign();
}

/// Of an input that is sampled now, if its path is as in the n-th newest report, from 0 on.
double LeadControl::margin_of(std::size_t newest) const {
  const std::size_t at = (costs_next_ + margins_max - 1 - newest) % margins_max;
  return offset_ - cost_base_ - static_cast<double>(costs_[at]);
}

/// Whether a queue grows so fast that inputs under way will be refused: a report is as old as the
/// queue is long.
bool LeadControl::will_be_refused() const {
  if (costs_count_ < reported_.size()) return false;
  for (std::size_t i = 0; i + 1 < reported_.size(); ++i) {
    if (margin_of(i) >= margin_of(i + 1)) return false;
  }
  const std::size_t last = reported_.size() - 1;
  const double over_ticks = ticks_between(reported_[last], reported_[0]);
  if (over_ticks <= 0) return false;
  const double late_ticks = -margin_of(0);
  const double growth = (margin_of(last) + late_ticks) / over_ticks;
  return late_ticks + growth * late_ticks > settings_.foreseen_late_ticks;
}

/// Whether all of the newest reports' inputs would be refused if made with the present offset.
bool LeadControl::refused() const {
  if (costs_count_ < settings_.refused_reports) return false;
  bool late = true;
  bool early = true;
  for (std::size_t i = 0; i < settings_.refused_reports; ++i) {
    const double margin_ticks = margin_of(i);
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
  jump_to(*wanted_offset());
}

void LeadControl::jump_to(double offset_ticks) {
  wanted_ = offset_ticks;
  same_sign_ = 0;
  if (offset_ != offset_ticks) ++jumps_;
  offset_ = offset_ticks;
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
    const double rate =
        error > settings_.too_late_ticks ? settings_.hurry_max : settings_.speed_up_max;
    offset_ += std::min(std::max(error, 0.0), rate * elapsed_ticks);
  } else if (same_sign_ <= -settings_.same_sign_min) {
    const double excess = std::max(0.0, -error - settings_.excess_ticks);
    const double rate = settings_.give_back_max + settings_.excess_share_per_tick * excess;
    offset_ -= std::min(std::max(-error, 0.0), rate * elapsed_ticks);
  }
}

}  // namespace perigee
