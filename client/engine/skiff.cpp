// libperigee_client_skiff.so: the client library with Skiff inside.
#include "perigee/skiff/skiff.hpp"
#include "perigee/client/c_abi.hpp"

extern "C" perigee_client* perigee_client_create(uint32_t abi) {
  try {
    static const perigee::skiff::Skiff game;
    return perigee::client::create_handle(game, abi);
  } catch (...) {
    return nullptr;
  }
}
