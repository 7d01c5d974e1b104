#include "perigee/worker/tick/tick_budget.hpp"

#include <numeric>

namespace perigee::worker {

void TickBudget::on_tick(const Spent& spent_us, Micros period_us) {
  const double budget_us = budget_share * static_cast<double>(period_us);
  const Micros total_us = std::accumulate(spent_us.begin(), spent_us.end(), Micros{0});
  if (static_cast<double>(total_us) > budget_us) {
    ++ticks_over_;
    for (std::size_t phase = 0; phase < phases; ++phase) {
      if (static_cast<double>(spent_us[phase]) > phase_shares[phase] * budget_us) ++over_[phase];
    }
  }
  if (++ticks_ == window_ticks) end_window();
}

OverloadLevel TickBudget::level() const {
  if (relief_windows_ > 0) return OverloadLevel::Relief;
  return step_ > 0 ? OverloadLevel::Stretched : OverloadLevel::None;
}

void TickBudget::end_window() {
  clean_windows_ = ticks_over_ == 0 ? clean_windows_ + 1 : 0;
  const bool over = ticks_over_ > over_max;
  if (over && step_ + 1 < least_stretches.size()) {
    ++step_;
  } else if (over) {
    relief_windows_ = relieved_windows;
  } else if (relief_windows_ > 0) {
    --relief_windows_;
  }
  if (clean_windows_ == rest_windows) {
    clean_windows_ = 0;
    if (step_ > 0) --step_;
  }
  ticks_ = ticks_over_ = 0;
}

}  // namespace perigee::worker
