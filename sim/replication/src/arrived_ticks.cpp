#include "perigee/replication/arrived_ticks.hpp"

#include <bit>

namespace perigee::replication {

std::uint32_t ArrivedTicks::note(Tick newest, TickMask complete) {
  if (complete.bits == 0) return 0;
  const int none = std::countr_zero(complete.bits);
  newest = newest - none * TickMask::step_ticks;
  std::bitset<steps> named(complete.bits >> none);
  const std::int32_t newer = newest_ ? ticks_between(*newest_, newest) : window_ticks;
  if (newer >= window_ticks) {
    arrived_.reset();
    newest_ = newest;
  } else if (newer % TickMask::step_ticks != 0 || newer <= -window_ticks) {
    return 0;
  } else if (newer > 0) {
    arrived_ <<= static_cast<std::size_t>(newer / TickMask::step_ticks);
    newest_ = newest;
  } else {
    named <<= static_cast<std::size_t>(-newer / TickMask::step_ticks);
  }
  const auto before = arrived_.count();
  arrived_ |= named;
  return static_cast<std::uint32_t>(arrived_.count() - before);
}

}  // namespace perigee::replication
