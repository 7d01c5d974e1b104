// In place of a reader's game.
#include "examples/first_game/game.hpp"
namespace my_game {
using first_game::Game;
}
namespace mygame = my_game;
