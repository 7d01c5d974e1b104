// The client library with the game inside, for engines: libfirst_game_client.so.
#include "game.hpp"
#include "perigee/client/c_abi.hpp"

extern "C" perigee_client* perigee_client_create(uint32_t abi) {
  return perigee::client::create_handle<first_game::Game>(abi);
}
