#include "perigee/transport/backend_keys.hpp"

#include <algorithm>

#include "perigee/transport/nonce_check.hpp"

namespace perigee::transport {

void BackendKeys::set(const Key& current, const std::optional<Key>& previous) {
  keys_.clear();
  keys_.push_back({current, nonce_key(current)});
  if (previous) keys_.push_back({*previous, nonce_key(*previous)});
}

bool BackendKeys::may_have_sealed(const TokenSealing& sealing) const {
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](const BackendKey& key) { return may_have_sealed(key, sealing); });
}

bool BackendKeys::may_have_sealed(const BackendKey& key, const TokenSealing& sealing) const {
  return !nonce_checks_ || nonce_fits(sealing, key.nonce);
}

OpenedToken BackendKeys::open(const RequestPacket& request) const {
  OpenedToken opened;
  for (const BackendKey& key : keys_) {
    if (!may_have_sealed(key, request.sealing)) continue;
    opened = open_private_token(request.sealed, request.sealing, key.seal);
    if (opened.token || opened.fault != TokenFault::Forged) break;
  }
  return opened;
}

}  // namespace perigee::transport
