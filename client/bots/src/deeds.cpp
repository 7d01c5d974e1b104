#include "perigee/bots/deeds.hpp"

#include <array>

namespace perigee::bots {
namespace {

constexpr std::array all_deeds{&Deeds::ticks,     &Deeds::moving_ticks, &Deeds::jumps,
                               &Deeds::doors,     &Deeds::rides,        &Deeds::flights,
                               &Deeds::boardings, &Deeds::ticks_aboard, &Deeds::shots};
static_assert(sizeof(Deeds) == all_deeds.size() * sizeof(std::uint64_t));

}  // namespace

Deeds& Deeds::operator+=(const Deeds& more) {
  for (const auto count : all_deeds) this->*count += more.*count;
  return *this;
}
Deeds& Deeds::operator-=(const Deeds& less) {
  for (const auto count : all_deeds) this->*count -= less.*count;
  return *this;
}

}  // namespace perigee::bots
