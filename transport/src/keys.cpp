#include "perigee/transport/keys.hpp"

#include <sodium.h>

namespace perigee::transport {

Result<Ok> init_crypto() {
  if (sodium_init() < 0) {
    return Error{"libsodium could not start: this machine has no source of random numbers"};
  }
  return Ok{};
}

RandomBytes system_random_bytes() {
  return [](std::span<std::byte> out) { randombytes_buf(out.data(), out.size()); };
}

Key random_key(const RandomBytes& random) {
  Key key{};
  random(key);
  return key;
}

SipKey random_sip_key(const RandomBytes& random) {
  SipKey key{};
  random(key);
  return key;
}

}  // namespace perigee::transport
