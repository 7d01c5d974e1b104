// perigee-sim: a simulation worker, of Skiff or of the game that the setting `game` names.
#include "perigee/game_library/game_choice.hpp"
#include "perigee/skiff_library/stages.hpp"
#include "perigee/worker/process.hpp"

int main(int argc, char** argv) {
  perigee::game_library::GameChoice choice(perigee::skiff::stages());
  return perigee::worker::run_process(argc, argv, choice);
}
