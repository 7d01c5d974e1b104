/// All stages of the example game.
#pragma once

#include "perigee/plugin/game_plugin.hpp"

namespace perigee::skiff {

/// In the order of skiff::Stage, the default first.
plugin::Stages stages();

}  // namespace perigee::skiff
