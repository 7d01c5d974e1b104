/// Frames on stream 255 by which an operator sets techniques while a client plays, and the client's
/// answer. Repeated until answered. Bytes: proto/WIRE.md, section "Technique order".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/bytes.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/base/techniques.hpp"

namespace perigee {

/// Gateway to client.
struct OrderFrame {
  std::uint32_t number = 0;  ///< of this order, within the session; a newer order includes it
  TechniqueOrder order;
  std::uint32_t desync_number = 0;  ///< of the order with the desync, which happens only once
};
inline constexpr std::size_t order_frame_bytes = 1 + 4 + 2 + techniques_bytes + 2 + 4;

/// Client to gateway: the techniques in use after the order with that number was applied.
struct OrderAnswer {
  std::uint32_t number = 0;
  Techniques techniques;
};
inline constexpr std::uint8_t order_answer_kind = 3;
inline constexpr std::size_t order_answer_bytes = 1 + 4 + techniques_bytes;

template <class Cursor, class Order>
bool walk_order_frame(Cursor& cursor, Order& frame) {
  return walk_constant(cursor, static_cast<std::uint8_t>(GatewayFrame::Order)) &&
         cursor.number(frame.number) && cursor.number(frame.order.named) &&
         (frame.order.named >> techniques_count) == 0 &&
         walk_techniques(cursor, frame.order.wanted) && cursor.number(frame.order.desync_mm) &&
         frame.order.desync_mm <= TechniqueOrder::desync_m_max * 1'000 &&
         cursor.number(frame.desync_number);
}
/// Returns false if the frame does not fit.
inline bool write_order_frame(ByteWriter& writer, const OrderFrame& frame) {
  return walk_order_frame(writer, frame);
}
/// None if any byte is malformed, or check() refuses the techniques.
inline std::optional<OrderFrame> read_order_frame(std::span<const std::byte> bytes) {
  const auto frame = read_whole<OrderFrame>(bytes, walk_order_frame<ByteReader, OrderFrame>);
  return frame && check(frame->order.wanted) ? frame : std::nullopt;
}

template <class Cursor, class Answer>
bool walk_order_answer(Cursor& cursor, Answer& answer) {
  return walk_constant(cursor, order_answer_kind) && cursor.number(answer.number) &&
         walk_techniques(cursor, answer.techniques);
}
inline bool write_order_answer(ByteWriter& writer, const OrderAnswer& answer) {
  return walk_order_answer(writer, answer);
}
inline std::optional<OrderAnswer> read_order_answer(std::span<const std::byte> bytes) {
  const auto answer = read_whole<OrderAnswer>(bytes, walk_order_answer<ByteReader, OrderAnswer>);
  return answer && check(answer->techniques) ? answer : std::nullopt;
}

}  // namespace perigee
