// The frame of the engine's source in docs/play_in_a_browser.md.
//: docs/play_in_a_browser.md  #include "game.hpp"
