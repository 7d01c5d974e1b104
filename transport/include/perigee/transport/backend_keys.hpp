/// The keys that connect tokens may be sealed with: the current one, and the one before it.
#pragma once

#include <optional>

#include "perigee/base/ring.hpp"
#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/keys.hpp"
#include "perigee/transport/packets.hpp"

namespace perigee::transport {

class BackendKeys {
 public:
  /// `nonce_checks`: see ServerSettings.
  explicit BackendKeys(bool nonce_checks) : nonce_checks_(nonce_checks) {}

  void set(const Key& current, const std::optional<Key>& previous);
  /// Whether one of the keys may have sealed the token, as far as the clear values tell.
  bool may_have_sealed(const TokenSealing& sealing) const;
  OpenedToken open(const RequestPacket& request) const;

 private:
  struct BackendKey {
    Key seal{};
    SipKey nonce{};
  };
  bool may_have_sealed(const BackendKey& key, const TokenSealing& sealing) const;

  bool nonce_checks_;
  FixedVector<BackendKey, 2> keys_;  ///< the current one first
};

}  // namespace perigee::transport
