/// Two quantiles of measured values.
#pragma once

#include <vector>

namespace perigee::bots {

struct Quantiles {
  double p50 = 0;
  double p99 = 0;
};
/// Sorts in place. Zeros without samples.
Quantiles quantiles_of(std::vector<double>& samples);

}  // namespace perigee::bots
