// The client library with the game inside, for engines: libhover_tag_client.so.
#include "game.hpp"
#include "perigee/client/c_abi.hpp"

extern "C" perigee_client* perigee_client_create(uint32_t abi) {
  return perigee::client::create_handle<hover_tag::Game>(abi);
}
