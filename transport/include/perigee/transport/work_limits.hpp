/// Limits of the handshake work that one source address, and one token nonce, may cause.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/address.hpp"
#include "perigee/base/rate_table.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/constants.hpp"
#include "perigee/transport/drops.hpp"

namespace perigee::transport {

class WorkLimits {
 public:
  /// `salt` keeps attackers from choosing sources that share a place.
  explicit WorkLimits(std::uint64_t salt);

  /// Charges the opening of a token. The reason to refuse it, if there is one.
  std::optional<Drop> charge_request(Micros now_us, const Address& from, const TokenNonce& nonce);
  /// Charges the opening of a response.
  std::optional<Drop> charge_response(Micros now_us, const Address& from);

 private:
  RateTable of_source_;
  RateTable of_nonce_;
};

}  // namespace perigee::transport
