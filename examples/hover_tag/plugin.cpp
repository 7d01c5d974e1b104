// Makes the game a library that perigee-sim, perigee-bots, perigee-replay and perigee-lab load.
#include "game.hpp"
#include "perigee/plugin/game_plugin.hpp"

PERIGEE_GAME(hover_tag::Game)
