#include "perigee/base/wire_messages.hpp"

#include "perigee/base/bytes.hpp"
#include "perigee/base/walk.hpp"

namespace perigee {
namespace {

constexpr std::size_t message_header_bytes = 19;  // a worker's has 14
static_assert(message_header_bytes + 2 + message_bytes_max <= MessageFrame::bytes_max,
              "a frame must have room for the longest message");

template <class Cursor, class Frame>
bool walk_clients_part(Cursor& cursor, Frame& frame) {
  if (!cursor.number(frame.sent) || !cursor.flag(frame.asks)) return false;
  const std::int32_t repeated = messages_between(frame.first, frame.sent);
  return repeated >= 0 && repeated <= static_cast<std::int32_t>(messages_waiting_max);
}

template <class Cursor, class Frame>
bool walk_messages(Cursor& cursor, std::uint8_t kind, Frame& frame) {
  return walk_constant(cursor, kind) && cursor.number(frame.conversation) &&
         frame.conversation != 0 && cursor.number(frame.received) && cursor.number(frame.first) &&
         (kind == worker_message_kind || walk_clients_part(cursor, frame)) &&
         walk_list(cursor, frame.messages, [&](auto& message) {
           return walk_sized<std::uint16_t>(cursor, message) && is_message_size(message.size());
         });
}

}  // namespace

bool add_message(MessageFrame& frame, std::span<const std::byte> message) {
  std::size_t bytes = message_header_bytes;
  for (const auto& before : frame.messages) bytes += 2 + before.size();
  return bytes + 2 + message.size() <= MessageFrame::bytes_max && frame.messages.push_back(message);
}

std::span<const std::byte> write_messages(std::uint8_t kind, const MessageFrame& frame,
                                          std::span<std::byte> out) {
  ByteWriter writer(out);
  return walk_messages(writer, kind, frame) ? writer.written() : std::span<const std::byte>{};
}

bool read_messages(std::uint8_t kind, std::span<const std::byte> bytes, MessageFrame& frame) {
  ByteReader reader(bytes);
  return walk_messages(reader, kind, frame) && reader.at_end();
}

}  // namespace perigee
