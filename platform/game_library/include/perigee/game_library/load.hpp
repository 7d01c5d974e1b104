/// Loads a game from a library (perigee/plugin/game_plugin.hpp).
#pragma once

#include <string>

#include "perigee/base/result.hpp"
#include "perigee/plugin/game_plugin.hpp"

namespace perigee::game_library {

/// The stages of the game in that file: at least one, each with a usable type table, all with one
/// schema hash. The library is never unloaded. An Error has one sentence with the remedy.
Result<plugin::Stages> load(const std::string& path);

}  // namespace perigee::game_library
