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

#include "perigee/world/game.hpp"

namespace perigee::worker {

/// Returns the exit code: after SIGTERM, once everything has been migrated to other workers; or at
/// once, with a message about the fault in the settings or the machine.
int run_process(int argc, char** argv, const world::GameModule& game);

}  // namespace perigee::worker
