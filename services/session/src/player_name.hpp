#pragma once

#include <string_view>

namespace perigee::session {

/// 1 to 32 bytes of well-formed UTF-8 without control characters.
bool is_player_name(std::string_view text);

}  // namespace perigee::session
