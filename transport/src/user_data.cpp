#include "perigee/transport/user_data.hpp"

#include <algorithm>

#include "perigee/base/bytes.hpp"
#include "perigee/base/player_account.hpp"
#include "perigee/base/walk.hpp"

namespace perigee::transport {
namespace {

// Older issuers end with `issue`: zeros follow there, which mean no id and no claims.
template <class Cursor, class Pass>
bool walk(Cursor& cursor, Pass& pass) {
  return walk_constant(cursor, user_data_magic) && cursor.number(pass.wire_version) &&
         cursor.number(pass.schema_hash) && cursor.id(pass.home_region) &&
         walk_text(cursor, pass.player_name) && cursor.number(pass.issue) &&
         cursor.number(pass.player_id) && walk_text(cursor, pass.player_claims) &&
         cursor.flag(pass.alone);
}

}  // namespace

void PlayerPass::set_name(std::string_view name) {
  player_name.clear();
  for (const char message : name.substr(0, player_name_bytes_max)) player_name.push_back(message);
}

void PlayerPass::set_claims(std::string_view claims) {
  PERIGEE_ASSERT(claims.size() <= player_claims_bytes_max, "an authenticator bounds the claims");
  player_claims.clear();
  for (const char letter : claims) player_claims.push_back(letter);
}

UserData write_user_data(const PlayerPass& pass) {
  UserData bytes{};
  ByteWriter writer(bytes);
  const bool fits = walk(writer, pass);
  PERIGEE_ASSERT(fits, "the user data must fit into 256 bytes");
  return bytes;
}

std::optional<PlayerPass> read_user_data(const UserData& bytes) {
  ByteReader reader(bytes);
  PlayerPass pass;
  if (!walk(reader, pass)) return std::nullopt;
  return pass;
}

std::uint64_t issue_of(const UserData& bytes) {
  const auto pass = read_user_data(bytes);
  return pass ? pass->issue : 0;
}

}  // namespace perigee::transport
