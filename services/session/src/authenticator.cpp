#include "perigee/session/authenticator.hpp"

#include <utility>

#include "perigee/base/assert.hpp"

namespace perigee::session {

DevelopmentSecret::DevelopmentSecret(std::string secret) : secret_(std::move(secret)) {
  PERIGEE_ASSERT(!secret_.empty(), "an empty secret would admit every player");
}

bool DevelopmentSecret::admits(std::string_view, std::string_view credential) const {
  if (credential.size() != secret_.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < secret_.size(); ++i) {
    // Always compares all bytes, so that the time does not reveal how many of them match.
    difference |= static_cast<unsigned>(static_cast<unsigned char>(credential[i])) ^
                  static_cast<unsigned>(static_cast<unsigned char>(secret_[i]));
  }
  return difference == 0;
}

}  // namespace perigee::session
