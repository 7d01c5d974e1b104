/// Text files that say what they are and whether they are whole: a heading and a checksum in the
/// first line, then the text. Against damage and hasty editors, not against enemies.
#pragma once

#include <string>
#include <string_view>

#include "perigee/netcode/result.hpp"

namespace perigee::host {

/// `heading` names kind and format, and ends with a blank.
std::string seal_text(std::string_view heading, std::string_view text);
/// The text again, part of `sealed`. Or what is wrong with it, for a sentence that names the file.
Result<std::string_view> unseal_text(std::string_view heading, std::string_view sealed);

}  // namespace perigee::host
