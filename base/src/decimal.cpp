#include "perigee/base/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace perigee {
namespace {

constexpr std::string_view decimal_digits = "0123456789";
// No text of a length that fits in memory needs a larger exponent for a value within the range.
constexpr std::int64_t exponent_max = 1'000'000'000'000;

/// Cuts the leading digits off.
std::string_view take_digits(std::string_view& text) {
  const std::string_view taken =
      text.substr(0, std::min(text.find_first_not_of(decimal_digits), text.size()));
  text.remove_prefix(taken.size());
  return taken;
}

/// Reads "e-05". None: not an exponent.
std::optional<std::int64_t> read_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view number = take_digits(text);
  if (number.empty() || !text.empty()) return std::nullopt;
  std::int64_t value = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  if (read.ec != std::errc{} || value > exponent_max) value = exponent_max;
  return negative ? -value : value;
}

}  // namespace

std::optional<double> read_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::string_view whole = take_digits(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  const auto exponent = read_exponent(text);
  if ((whole.empty() && fraction.empty()) || !exponent) return std::nullopt;

  // strtod reads the point of the locale, so the number has none: 1.25e3 becomes 125e1.
  std::string number(whole);
  number += fraction;
  const bool zero = number.find_first_not_of('0') == std::string::npos;
  if (zero) return negative ? -0.0 : 0.0;
  number += 'e' + std::to_string(*exponent - static_cast<std::int64_t>(fraction.size()));
  const double value = std::strtod(number.c_str(), nullptr);
  if (std::isinf(value) || value == 0) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace perigee
