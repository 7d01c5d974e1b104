// Techniques that an operator orders for players: sent to their clients until they answer.
#include <array>

#include "perigee/gateway/core.hpp"

namespace perigee::gateway {

void Core::order_techniques(Micros now_us, std::uint64_t client_id, std::uint64_t order_id,
                            const TechniqueOrder& wanted) {
  for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
    const Session& session = sessions_[slot];
    if (session.phase == Phase::Free) continue;
    if (client_id == 0 || session.client_id == client_id) order(now_us, slot, order_id, wanted);
  }
}

void Core::order(Micros now_us, std::uint32_t slot, std::uint64_t order_id,
                 const TechniqueOrder& wanted) {
  Order& order = sessions_[slot].order;
  order.wanted = order.open ? joined(order.wanted, wanted) : wanted;
  order.id = order_id;
  ++order.number;
  if (wanted.desync_mm != 0) order.desync_number = order.number;
  order.tells_left = order_repeats_max;
  order.open = orders_open_ = true;
  tell_order(now_us, slot);
}

void Core::advance_orders(Micros now_us) {
  orders_open_ = false;
  for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
    Order& order = sessions_[slot].order;
    if (sessions_[slot].phase == Phase::Free || !order.open) continue;
    if (now_us >= order.next_tell_us) {
      order.open = order.tells_left > 0;
      if (!order.open) {
        counts_.add(metric.orders_unanswered);
        continue;
      }
      tell_order(now_us, slot);
    }
    orders_open_ = true;
  }
}

void Core::tell_order(Micros now_us, std::uint32_t slot) {
  Order& order = sessions_[slot].order;
  order.next_tell_us = now_us + order_repeat_us;
  --order.tells_left;
  std::array<std::byte, order_frame_bytes> bytes;
  ByteWriter frame(bytes);
  std::array<std::byte, order_frame_bytes + frame_header_bytes> buffer;
  FrameWriter payload(buffer);
  const bool fits = write_order_frame(frame, {order.number, order.wanted, order.desync_number}) &&
                    payload.add(stream_gateway, frame.written());
  PERIGEE_ASSERT(fits, "an order must fit into a payload of its own");
  counts_.add(metric.orders_sent);
  send_payload(now_us, slot, payload.payload());
}

void Core::on_order_answer(Session& session, std::span<const std::byte> bytes) {
  const auto answer = read_order_answer(bytes);
  if (!answer) return drop(Drop::FrameMalformed);
  Order& order = session.order;
  if (!order.open || answer->number != order.number) return drop(Drop::AnswerUnasked);
  order.open = false;
  counts_.add(metric.orders_answered);
  outputs_.on_techniques(session.client_id, order.id, answer->techniques);
}

}  // namespace perigee::gateway
