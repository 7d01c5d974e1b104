#include "perigee/accounts/player_id.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <string>

namespace perigee::accounts {

std::uint64_t player_id_of(std::string_view issuer, std::string_view subject) {
  const std::string text = std::string(issuer) + '\n' + std::string(subject);
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::uint64_t id = 0;
  for (std::size_t i = 0; i < sizeof id; ++i) id = id << 8U | digest[i];
  return std::max<std::uint64_t>(id, 1);
}

}  // namespace perigee::accounts
