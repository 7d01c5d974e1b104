#include "perigee/session/authenticator.hpp"

#include <algorithm>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::session {
namespace {

std::uint64_t id_of_name(std::string_view name) {
  StateHash hash;
  for (const char letter : name) hash.add(letter);
  return std::max<std::uint64_t>(hash.value(), 1);
}

}  // namespace

DevelopmentSecret::DevelopmentSecret(std::string secret) : secret_(std::move(secret)) {
  PERIGEE_ASSERT(!secret_.empty(), "an empty secret would admit every player");
}

std::variant<Identity, Denied> DevelopmentSecret::authenticate(
    const Moment&, const Credentials& credentials) const {
  if (!is_right(credentials.credential)) {
    return Denied{
        .sentence =
            "wrong credential; for a development server it is in .perigee/secrets/dev_secret"};
  }
  return Identity{.player_id = id_of_name(credentials.player_name),
                  .player_name = std::string(credentials.player_name)};
}

bool DevelopmentSecret::is_right(std::string_view credential) const {
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
