#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace perigee::session {

/// The rule that this player's name breaks, as a sentence; none: the name is valid. Names follow
/// PRECIS' UsernameCasePreserved (RFC 8265) without the characters that need a context, have at
/// most transport::player_name_bytes_max bytes, and do not begin with #: decision 0059.
std::optional<std::string> fault_of_name(std::string_view name);

}  // namespace perigee::session
