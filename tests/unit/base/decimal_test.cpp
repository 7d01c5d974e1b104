#include "perigee/base/decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <string>

#include "perigee/base/hash.hpp"

namespace perigee {
namespace {

std::optional<double> by_the_library(const std::string& text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

TEST(ADecimalNumber, IsTheNearestDouble) {
  EXPECT_EQ(read_decimal("0"), 0.0);
  EXPECT_EQ(read_decimal("-12.5"), -12.5);
  EXPECT_EQ(read_decimal(".5"), 0.5);
  EXPECT_EQ(read_decimal("5."), 5.0);
  EXPECT_EQ(read_decimal("1e-05"), 0.00001);
  EXPECT_EQ(read_decimal("0.30000000000000004"), 0.1 + 0.2);
  EXPECT_EQ(read_decimal("1.7976931348623157E+308"), 1.7976931348623157e308);
  EXPECT_EQ(read_decimal("5e-324"), 5e-324);
  EXPECT_TRUE(std::signbit(*read_decimal("-0.0")));
  EXPECT_EQ(read_decimal("0e999999999999999999999"), 0.0);
}

TEST(ADecimalNumber, IsNothingElse) {
  for (const char* text : {"",
                           "-",
                           ".",
                           "e5",
                           "+1",
                           " 1",
                           "1 ",
                           "--1",
                           "1e",
                           "1e+",
                           "1e 5",
                           "1.2.3",
                           "1,5",
                           "0x10",
                           "inf",
                           "nan",
                           "1e400",
                           "1e-400",
                           "1e999999999999999999999",
                           "1e-999999999999999999999"}) {
    EXPECT_FALSE(read_decimal(text)) << text;
  }
}

// Texts of the characters that numbers have, most of them no numbers, and shortest forms of
// doubles.
TEST(ADecimalNumber, IsWhatTheLibraryReads) {
  Random random(4);
  constexpr std::string_view characters = "0123456789.-+eE";
  int numbers = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    for (std::size_t left = 1 + random.below(9); left > 0; --left) {
      text += characters[random.below(characters.size())];
    }
    ASSERT_EQ(read_decimal(text), by_the_library(text)) << text;
    numbers += read_decimal(text).has_value() ? 1 : 0;
  }
  EXPECT_GT(numbers, 1'000);
  for (int i = 0; i < 10'000; ++i) {
    const double value = std::bit_cast<double>(random.next());
    char text[32];
    const std::string shortest(text, std::to_chars(text, std::end(text), value).ptr);
    ASSERT_EQ(read_decimal(shortest), by_the_library(shortest)) << shortest;
  }
}

}  // namespace
}  // namespace perigee
