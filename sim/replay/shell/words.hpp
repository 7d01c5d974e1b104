/// A crash report as text.
#pragma once

#include <string>

#include "perigee/replay/last_words.hpp"

namespace perigee::replay {

/// The whole report: a line for each player, and one for each input.
std::string told(const LastWords& words);

}  // namespace perigee::replay
