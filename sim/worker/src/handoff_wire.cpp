#include "handoff_wire.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t head_bytes_max = 64;

template <class Cursor, class M>
bool walk_head(Cursor& cursor, M& message) {
  return cursor.enumerator(message.kind, handoff::MessageKind::Known) &&
         cursor.number(message.from) && cursor.number(message.to) && cursor.number(message.epoch) &&
         cursor.number(message.asked) && cursor.number(message.group) &&
         cursor.number(message.gver) && cursor.tick(message.effect) &&
         cursor.enumerator(message.place, handoff::Place::Leaving) &&
         cursor.number(message.left_for);
}

}  // namespace

std::vector<std::byte> to_bytes(const handoff::Message<HandoffTraits>& message) {
  std::vector<std::byte> out(head_bytes_max);
  ByteWriter writer(out);
  PERIGEE_ASSERT(walk_head(writer, message), "there is room");
  out.resize(writer.size());
  if (message.state) out.insert(out.end(), message.state->begin(), message.state->end());
  return out;
}

std::optional<handoff::Message<HandoffTraits>> message_from_bytes(
    std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  handoff::Message<HandoffTraits> out;
  if (!walk_head(reader, out) || reader.remaining() > handoff_state_bytes_max) return std::nullopt;
  if ((out.kind == handoff::MessageKind::Final) == reader.at_end()) return std::nullopt;
  if (!reader.at_end()) {
    const auto rest = bytes.subspan(reader.position());
    out.state = std::make_shared<const std::vector<std::byte>>(rest.begin(), rest.end());
  }
  return out;
}

}  // namespace perigee::worker
