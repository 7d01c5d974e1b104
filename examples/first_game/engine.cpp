// The client library with the game inside: libfirst_game_client.so for engines, and first_game.wasm
// for browsers.
#include "game.hpp"
#include "perigee/client/c_abi.hpp"

extern "C" perigee_client* perigee_client_create(uint32_t abi) {
  return perigee::client::create_handle<first_game::Game>(abi);
}
