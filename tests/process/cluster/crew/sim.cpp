// A worker of the ships' world.
#include "game.hpp"
#include "perigee/worker/process.hpp"

int main(int argc, char** argv) {
  return perigee::worker::run_process(argc, argv, *perigee::process_test::crew_ships());
}
