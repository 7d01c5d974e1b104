/// Text files with a heading and a checksum in the first line, followed by the text. Detects damage
/// and careless edits, not attacks.
#pragma once

#include <string>
#include <string_view>

#include "perigee/base/result.hpp"

namespace perigee::host {

/// `heading` names kind and format, and ends with a space.
std::string seal_text(std::string_view heading, std::string_view text);
/// The original text, as part of `sealed`; or the fault, for a sentence that names the file.
Result<std::string_view> unseal_text(std::string_view heading, std::string_view sealed);

}  // namespace perigee::host
