/// Makes untrusted text, such as players' names, safe to display to operators: characters that are
/// invisible or control the terminal are escaped.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perigee {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;  ///< length; of a malformed code point: bytes to skip
  bool well_formed = false;
};
/// The code point at the front of `text`, which is not empty; UTF-8 (RFC 3629).
CodePoint first_code_point(std::string_view text);

/// Whether the code point is displayed unescaped: no control or format character, no blank but
/// U+0020.
bool shows_itself(char32_t point);

/// Escapes `text`. Different texts give different results, and the result does not depend on where
/// it is displayed: \u{202e} for a code point that is not displayed unescaped, \x{80} for a byte
/// that is not UTF-8, \\ for a backslash, \u{20} for a space at either end, \u{23} for a # at the
/// beginning (operators write # before a session's number).
std::string shown(std::string_view text);
/// The inverse, for text that operators type. None: a backslash that begins none of these escapes.
std::optional<std::string> from_shown(std::string_view text);

}  // namespace perigee
