// perigee-rooms: rooms of Skiff, or of the game that the setting `game` names.
#include "perigee/game_library/game_choice.hpp"
#include "perigee/rooms/process.hpp"
#include "perigee/skiff_library/stages.hpp"

int main(int argc, char** argv) {
  perigee::game_library::GameChoice choice(perigee::skiff::stages());
  return perigee::rooms::run_process(argc, argv, choice);
}
