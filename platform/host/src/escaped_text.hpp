/// Text inside the quotes of a JSON string.
#pragma once

#include <string>
#include <string_view>

namespace perigee::host {

/// Escapes as JSON does, and also invisible and ambiguous characters. Bytes that are not UTF-8
/// become U+FFFD.
void append_escaped(std::string& out, std::string_view text);

}  // namespace perigee::host
