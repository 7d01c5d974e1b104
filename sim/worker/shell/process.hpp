/// A worker process for a game of one's own:
///
///   int main(int argc, char** argv) {
///     return perigee::worker::run_process(argc, argv, MyGame{});
///   }
///
/// It has perigee-sim's settings, log and metrics. All workers of a cluster run one game, and its
/// clients know the same types: the directory refuses who has another `schema_hash()`.
#pragma once

#include "perigee/world/game.hpp"

namespace perigee::worker {

/// Returns the exit code: after SIGTERM, once all that was here is other workers', or at once with
/// a sentence about what is wrong with the settings or the machine.
int run_process(int argc, char** argv, const world::GameModule& game);

}  // namespace perigee::worker
