#include "perigee/base/rounded.hpp"

#include <array>
#include <charconv>
#include <limits>

#include "perigee/base/decimal.hpp"

namespace perigee {
namespace {

// Through text: the nearest double to a decimal number, which arithmetic can miss by one bit.
double through_text(double value, std::chars_format format, int digits) {
  std::array<char, std::numeric_limits<double>::max_exponent10 + 64> text;
  const char* const end =
      std::to_chars(text.data(), text.data() + text.size(), value, format, digits).ptr;
  return read_decimal({text.data(), end}).value_or(value);
}

}  // namespace

double to_significant(double value, int digits) {
  return through_text(value, std::chars_format::general, digits);
}

double to_decimals(double value, int digits) {
  return through_text(value, std::chars_format::fixed, digits);
}

}  // namespace perigee
