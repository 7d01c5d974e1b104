/// OpenSSL's keys from their different texts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "perigee/accounts/key_set.hpp"

namespace perigee::accounts {

/// Errors as those of KeySet::read().
Result<std::vector<PublicKey>> keys_of_pem(std::string_view text);
/// One element of "keys". None: a key of another type or for another use.
Result<std::optional<PublicKey>> key_of_jwk(const nlohmann::json& jwk);

/// With the algorithm of its type. An error: a type or a size that no algorithm has here.
Result<PublicKey> key_of(std::shared_ptr<evp_pkey_st> key);

}  // namespace perigee::accounts
