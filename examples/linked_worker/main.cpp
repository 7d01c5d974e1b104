// Usage: first-game-sim [SETTINGS]: a worker that is linked with its game; --help says which
// settings.
#include "game.hpp"
#include "perigee/worker/process.hpp"

int main(int argc, char** argv) {
  return perigee::worker::run_process(argc, argv, first_game::Game{});
}
