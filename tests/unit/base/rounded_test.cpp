#include "perigee/base/rounded.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace perigee {
namespace {

double printed(const char* format, double value) {
  char text[400];
  std::snprintf(text, sizeof text, format, value);
  return std::strtod(text, nullptr);
}

TEST(ARoundedNumber, IsTheOneThatPrintfShows) {
  for (const double value : {0.0, -0.0, 1.0, 2.5, 1.0 / 3, -2.0 / 3, 0.1 + 0.2, 1e-9, 123456.789,
                             123456789.0, 0.00005, 999999.5, 1.7e308, 5e-324}) {
    EXPECT_EQ(to_significant(value, 6), printed("%.6g", value));
    EXPECT_EQ(to_decimals(value, 4), printed("%.4f", value));
  }
}

TEST(ARoundedNumber, StaysInfiniteOrNan) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_significant(infinity, 6), infinity);
  EXPECT_EQ(to_decimals(-infinity, 4), -infinity);
  EXPECT_TRUE(std::isnan(to_significant(std::numeric_limits<double>::quiet_NaN(), 6)));
}

}  // namespace
}  // namespace perigee
