// The functions that Bullet calls instead of the C library's: sim/world/libm.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perigee/base/hash.hpp"

namespace perigee::world {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double error_max = 1e-15;

/// Uniform in [-most, most]; the compiler cannot compute functions of it in advance.
double drawn(std::uint64_t number, double most) {
  return (2 * unit_interval(mix64(number, 7)) - 1) * most;
}

TEST(FunctionsUnderBullet, AreExactToTheLastDigits) {
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    for (const double most : {1e-3, 4.0, 1e3, 1e6}) {
      const double x = drawn(i, most);
      const long double exact_x = x;
      EXPECT_NEAR(std::sin(x), static_cast<double>(sinl(exact_x)), error_max) << x;
      EXPECT_NEAR(std::cos(x), static_cast<double>(cosl(exact_x)), error_max) << x;
      double sine = 0, cosine = 0;
      sincos(x, &sine, &cosine);
      EXPECT_EQ(sine, std::sin(x));
      EXPECT_EQ(cosine, std::cos(x));
      const double y = drawn(i + 1'000'000, most);
      EXPECT_NEAR(std::atan2(y, x), static_cast<double>(atan2l(y, exact_x)), error_max);
    }
    const double part = drawn(i, 1);
    EXPECT_NEAR(std::acos(part), static_cast<double>(acosl(part)), error_max) << part;
    EXPECT_NEAR(std::asin(part), static_cast<double>(asinl(part)), error_max) << part;
  }
}

TEST(FunctionsUnderBullet, HaveTheSpecialValuesOfTheStandard) {
  volatile double zero = 0, one = 1, beyond = 1.5, endless = infinity;
  EXPECT_FALSE(std::signbit(std::sin(zero)));
  EXPECT_TRUE(std::signbit(std::sin(-zero)));
  EXPECT_EQ(std::cos(zero), 1);
  EXPECT_TRUE(std::isnan(std::sin(endless)));
  EXPECT_TRUE(std::isnan(std::cos(-endless)));
  EXPECT_FALSE(std::signbit(std::atan2(zero, one)));
  EXPECT_TRUE(std::signbit(std::atan2(-zero, one)));
  EXPECT_EQ(std::atan2(zero, -one), pi);
  EXPECT_EQ(std::atan2(-zero, -one), -pi);
  EXPECT_EQ(std::atan2(one, zero), pi / 2);
  EXPECT_EQ(std::atan2(-one, zero), -pi / 2);
  EXPECT_EQ(std::atan2(one, one), pi / 4);
  EXPECT_TRUE(std::isnan(std::atan2(std::numeric_limits<double>::quiet_NaN(), one)));
  EXPECT_EQ(std::acos(one), 0);
  EXPECT_EQ(std::acos(-one), pi);
  EXPECT_EQ(std::asin(one), pi / 2);
  EXPECT_TRUE(std::isnan(std::acos(beyond)));
  EXPECT_TRUE(std::isnan(std::asin(-beyond)));
}

}  // namespace
}  // namespace perigee::world
