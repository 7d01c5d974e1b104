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

/// Returns false if the frame does not fit.
inline bool write_order_frame(ByteWriter& writer, const OrderFrame& frame) {
  return writer.number(static_cast<std::uint8_t>(GatewayFrame::Order)) &&
         writer.number(frame.number) && writer.number(frame.order.named) &&
         walk_techniques(writer, frame.order.wanted) && writer.number(frame.order.desync_mm) &&
         writer.number(frame.desync_number);
}
/// None if any byte is malformed, or check() refuses the techniques.
inline std::optional<OrderFrame> read_order_frame(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  std::uint8_t kind = 0;
  OrderFrame frame;
  if (!reader.number(kind) || kind != static_cast<std::uint8_t>(GatewayFrame::Order) ||
      !reader.number(frame.number) || !reader.number(frame.order.named) ||
      (frame.order.named >> techniques_count) != 0 ||
      !walk_techniques(reader, frame.order.wanted) || !reader.number(frame.order.desync_mm) ||
      frame.order.desync_mm > TechniqueOrder::desync_m_max * 1'000 ||
      !reader.number(frame.desync_number) || !reader.at_end() || !check(frame.order.wanted)) {
    return std::nullopt;
  }
  return frame;
}

inline bool write_order_answer(ByteWriter& writer, const OrderAnswer& answer) {
  return writer.number(order_answer_kind) && writer.number(answer.number) &&
         walk_techniques(writer, answer.techniques);
}
inline std::optional<OrderAnswer> read_order_answer(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  std::uint8_t kind = 0;
  OrderAnswer answer;
  if (!reader.number(kind) || kind != order_answer_kind || !reader.number(answer.number) ||
      !walk_techniques(reader, answer.techniques) || !reader.at_end() ||
      !check(answer.techniques)) {
    return std::nullopt;
  }
  return answer;
}

}  // namespace perigee
