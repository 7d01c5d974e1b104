// The bots aboard the ships.
#include "game.hpp"
#include "perigee/bots/process.hpp"

int main(int argc, char** argv) {
  return perigee::bots::run_process(argc, argv, *perigee::process_test::crew_ships());
}
