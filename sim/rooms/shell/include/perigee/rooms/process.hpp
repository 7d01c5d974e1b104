/// A process of rooms for any game: the settings and wiring of perigee-rooms.
#pragma once

namespace perigee::game_library {
class GameChoice;
}

namespace perigee::rooms {

/// Returns the exit code. `choice` has declared no setting yet.
int run_process(int argc, char** argv, game_library::GameChoice& choice);

}  // namespace perigee::rooms
