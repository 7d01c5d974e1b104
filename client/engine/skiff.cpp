// The client library with Skiff inside: libperigee_client_skiff.so, and skiff.wasm for browsers.
#include "perigee/skiff/skiff.hpp"
#include "perigee/client/c_abi.hpp"

extern "C" perigee_client* perigee_client_create(uint32_t abi) {
  return perigee::client::create_handle<perigee::skiff::Skiff>(abi);
}
