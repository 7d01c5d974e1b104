/// Decimal numbers in texts.
#pragma once

#include <optional>
#include <string_view>

namespace perigee {

/// Reads the whole text, such as -2, 0.5 or 1e-05, as the nearest double, in every locale. None for
/// other texts, also for inf, nan and values beyond a double's range. The same as
/// std::from_chars(double), which libc++ does not have.
std::optional<double> read_decimal(std::string_view text);

}  // namespace perigee
