// Usage: first-game-sim [SETTINGS]: a cluster's worker for the game; --help says which settings.
#include "game.hpp"
#include "process.hpp"

int main(int argc, char** argv) {
  return perigee::worker::run_process(argc, argv, first_game::Game{});
}
