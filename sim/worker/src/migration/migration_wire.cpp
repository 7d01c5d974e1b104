#include "migration/migration_wire.hpp"

#include <algorithm>
#include <cstring>

#include "perigee/base/hash.hpp"
#include "perigee/base/walk.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t head_bytes_max = 64;

/// Detects corruption: a received state equals the sent one, or is rejected.
std::uint64_t hash_of(std::span<const std::byte> state) {
  StateHash hash;
  hash.add(state.size());
  for (; !state.empty(); state = state.subspan(std::min<std::size_t>(state.size(), 8))) {
    std::uint64_t word = 0;
    std::memcpy(&word, state.data(), std::min<std::size_t>(state.size(), 8));
    hash.add(word);
  }
  return hash.value();
}

template <class Cursor, class M>
bool walk_needs(Cursor& cursor, M& message) {
  return message.kind != migration::MessageKind::Prepare ||
         (cursor.number(message.players) && cursor.number(message.things));
}

template <class Cursor, class M>
bool walk_head(Cursor& cursor, M& message) {
  return cursor.enumerator(message.kind, migration::MessageKind::Refused) &&
         cursor.id(message.from) && cursor.id(message.to) && cursor.id(message.epoch) &&
         walk_zero<std::uint32_t>(cursor) && cursor.number(message.group) &&
         cursor.number(message.gver) && cursor.tick(message.effect) &&
         walk_zero<std::uint8_t>(cursor) && walk_zero<std::uint32_t>(cursor) &&
         walk_needs(cursor, message);
}

}  // namespace

std::vector<std::byte> to_bytes(const migration::Message<MigrationTraits>& message) {
  std::vector<std::byte> out(head_bytes_max);
  ByteWriter writer(out);
  const bool fits =
      walk_head(writer, message) && (!message.state || writer.number(hash_of(*message.state)));
  PERIGEE_ASSERT(fits, "the buffer is too small for the message's head");
  out.resize(writer.size());
  if (message.state) out.insert(out.end(), message.state->begin(), message.state->end());
  return out;
}

std::optional<migration::Message<MigrationTraits>> message_from_bytes(
    std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  migration::Message<MigrationTraits> out;
  if (!walk_head(reader, out) || reader.remaining() > migration_state_bytes_max)
    return std::nullopt;
  if ((out.kind == migration::MessageKind::Final) == reader.at_end()) return std::nullopt;
  if (!reader.at_end()) {
    std::uint64_t hash = 0;
    if (!reader.number(hash)) return std::nullopt;
    const auto rest = bytes.subspan(reader.position());
    if (rest.empty() || hash != hash_of(rest)) return std::nullopt;
    out.state = std::make_shared<const std::vector<std::byte>>(rest.begin(), rest.end());
  }
  return out;
}

}  // namespace perigee::worker
