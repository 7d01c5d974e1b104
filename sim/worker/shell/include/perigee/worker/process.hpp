/// Runs a worker process for your own game:
///
///   int main(int argc, char** argv) {
///     return perigee::worker::run_process(argc, argv, MyGame{});
///   }
///
/// It has the settings, log and metrics of perigee-sim. All workers of a cluster run the same game,
/// and its clients know the same types. The directory refuses a worker with another
/// `schema_hash()`.
#pragma once

#include <span>
#include <string_view>

#include "perigee/world/game.hpp"

namespace perigee::game_library {
class GameChoice;
}

namespace perigee::worker {

/// Returns the exit code: after SIGTERM, once everything has been migrated to other workers; or at
/// once, with a message about the fault in the settings or the machine.
int run_process(int argc, char** argv, const world::GameModule& game);

/// One of a game's worlds. All stages have the same types, so their clients are the same.
struct Stage {
  std::string_view name;
  const world::GameModule& game;
};
/// The same with the setting `stage`, which chooses the content of a new world. The first one is
/// the default.
int run_process(int argc, char** argv, std::span<const Stage> stages);

/// The same with the settings `game`, which loads the game of a library, and `stage`. `choice` has
/// declared no setting yet.
int run_process(int argc, char** argv, game_library::GameChoice& choice);

}  // namespace perigee::worker
