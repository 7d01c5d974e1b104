/// Last words as text.
#pragma once

#include <string>

#include "perigee/replay/last_words.hpp"

namespace perigee::replay {

/// All of them: a line for each player, and one for each input.
std::string told(const LastWords& words);

}  // namespace perigee::replay
