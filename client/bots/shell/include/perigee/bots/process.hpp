/// Headless players of any game:
///
///   int main(int argc, char** argv) {
///     return perigee::bots::run_process(argc, argv, MyGame{});
///   }
///
/// With the settings and figures of perigee-bots. The bots walk, look around, jump and use objects,
/// like players without any knowledge of the game.
#pragma once

#include "perigee/world/game.hpp"

namespace perigee::game_library {
class GameChoice;
}

namespace perigee::bots {

/// Returns the exit code: 0 if all joined and none was disconnected.
int run_process(int argc, char** argv, const world::GameModule& game);
/// The same with the setting `game`, which loads the game of a library. `choice` has declared no
/// setting yet.
int run_process(int argc, char** argv, game_library::GameChoice& choice);

}  // namespace perigee::bots
