#include "perigee/base/rate_map.hpp"

#include <algorithm>

namespace perigee {

const RateMap::Knot& RateMap::knot_of(double ticks) const {
  std::size_t i = count_;
  while (i > 1 && knots_[i - 1].ticks > ticks) --i;
  return knots_[i > 0 ? i - 1 : 0];
}

double RateMap::even(double ticks) const {
  const Knot& knot = knot_of(ticks);
  return knot.even + (ticks - knot.ticks) / knot.rate;
}

double RateMap::ticks(double even) const {
  std::size_t i = count_;
  while (i > 1 && knots_[i - 1].even > even) --i;
  const Knot& knot = knots_[i > 0 ? i - 1 : 0];
  return knot.ticks + (even - knot.even) * knot.rate;
}

// Replaces the knots from this one on.
void RateMap::add(Knot knot) {
  while (count_ > 0 && knots_[count_ - 1].ticks >= knot.ticks) --count_;
  if (count_ == knots_max) {
    std::move(knots_.begin() + 1, knots_.end(), knots_.begin());
    --count_;
  }
  knots_[count_++] = knot;
}

void RateMap::apply(double ticks, const RateNotice& notice, std::optional<double> even_now) {
  const double rate = notice.percent / 100.0;
  if (count_ == 0) {
    add({ticks, ticks, rate});
  } else if (rate_at(ticks) != rate) {
    add({ticks, even_now.value_or(even(ticks)), rate});
    ++missed_;
  }
  // A notice without a change may be older than the announcement of the change.
  if (notice.change_in_ticks == 0) return;
  const double change = ticks + notice.change_in_ticks;
  const double next_rate = notice.next_percent / 100.0;
  if (knot_of(change).ticks != change || rate_at(change) != next_rate) {
    add({change, even(change), next_rate});
  }
}

}  // namespace perigee
