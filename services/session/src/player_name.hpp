#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace perigee::session {

/// Names the rule that this player's name breaks, as a sentence; none: it may be used. Names are
/// those of PRECIS' UsernameCasePreserved (RFC 8265) without the characters that need a context, at
/// most transport::player_name_bytes_max long, and do not begin with #: decision 0059.
std::optional<std::string> fault_of_name(std::string_view name);

}  // namespace perigee::session
