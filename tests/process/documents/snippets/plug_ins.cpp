// The frame of docs/plug_ins.md: a game of that name.
#include "game.hpp"
//: docs/plug_ins.md  #include "perigee/plugin/game_plugin.hpp"
