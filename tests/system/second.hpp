/// A second of the cluster's clock.
#pragma once

#include "perigee/base/tick.hpp"

namespace perigee {

inline constexpr Micros second_us = 1'000'000;

}  // namespace perigee
