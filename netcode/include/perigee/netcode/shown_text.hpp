/// Text of strangers, such as players' names, as operators may see it: what is invisible, or steers
/// the terminal, is spelt out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perigee {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;  ///< that it takes; of a malformed one: to skip
  bool well_formed = false;
};
/// At the front of `text`, which is not empty; UTF-8 (RFC 3629).
CodePoint first_code_point(std::string_view text);

/// Whether it shows as itself: no control or format character, no blank but U+0020.
bool shows_itself(char32_t point);

/// Different for different texts, and the same wherever it is shown: \u{202e} for what does not
/// show as itself, \x{80} for a byte that is no UTF-8, \\ for a backslash, \u{20} for a space at
/// either end, \u{23} for a # at the beginning (operators write # before a session's number).
std::string shown(std::string_view text);
/// The inverse, for what operators type. None: a backslash that begins none of these.
std::optional<std::string> from_shown(std::string_view text);

}  // namespace perigee
