/// Headless players of a game of one's own:
///
///   int main(int argc, char** argv) {
///     return perigee::bots::run_process(argc, argv, MyGame{});
///   }
///
/// It has perigee-bots' settings and figures. They walk, look about, jump and use what they have,
/// as people do who do not know what the game is about.
#pragma once

#include "perigee/world/game.hpp"

namespace perigee::bots {

/// Returns the exit code: 0 if all joined and none was disconnected.
int run_process(int argc, char** argv, const world::GameModule& game);

}  // namespace perigee::bots
