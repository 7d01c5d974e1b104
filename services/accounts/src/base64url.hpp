/// Base64url without padding (RFC 7515, appendix C).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perigee::accounts {

/// The bytes. None: a character that does not belong there, padding, an impossible length, or spare
/// bits that are not zero; so every sequence of bytes has one text.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace perigee::accounts
