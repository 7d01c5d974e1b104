#include "perigee/transport/user_data.hpp"

#include <algorithm>

#include "perigee/base/bytes.hpp"
#include "perigee/base/walk.hpp"

namespace perigee::transport {
namespace {

template <class Cursor, class Pass>
bool walk(Cursor& cursor, Pass& pass) {
  auto length = static_cast<std::uint8_t>(pass.player_name.size());
  if (!walk_constant(cursor, user_data_magic) || !cursor.number(pass.wire_version) ||
      !cursor.number(pass.schema_hash) || !cursor.id(pass.home_region) || !cursor.number(length) ||
      length > player_name_bytes_max) {
    return false;
  }
  if constexpr (Cursor::reading) pass.player_name.resize(length);
  for (auto& message : pass.player_name) {
    if (!cursor.number(message)) return false;
  }
  return cursor.number(pass.issue);
}

}  // namespace

void PlayerPass::set_name(std::string_view name) {
  player_name.clear();
  for (const char message : name.substr(0, player_name_bytes_max)) player_name.push_back(message);
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
