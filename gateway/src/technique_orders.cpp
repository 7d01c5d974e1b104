#include "perigee/gateway/technique_orders.hpp"

#include <array>

#include "perigee/base/frames.hpp"
#include "perigee/base/gateway_frame.hpp"

namespace perigee::gateway {

void TechniqueOrders::order(Micros now_us, std::uint64_t client_id, std::uint64_t order_id,
                            const TechniqueOrder& wanted) {
  for (std::uint32_t slot = 0; slot < orders_.size(); ++slot) {
    if (needs_.sessions.is_free(slot)) continue;
    if (client_id == 0 || needs_.sessions[slot].client.client_id == client_id) {
      order_slot(now_us, slot, order_id, wanted);
    }
  }
}

void TechniqueOrders::order_slot(Micros now_us, std::uint32_t slot, std::uint64_t order_id,
                                 const TechniqueOrder& wanted) {
  Order& order = orders_[slot];
  order.wanted = order.open ? joined(order.wanted, wanted) : wanted;
  order.id = order_id;
  ++order.number;
  if (wanted.desync_mm != 0) order.desync_number = order.number;
  order.sends_left = repeats_max;
  order.open = any_open_ = true;
  send(now_us, slot);
}

void TechniqueOrders::advance(Micros now_us) {
  if (!any_open_) return;
  any_open_ = false;
  for (std::uint32_t slot = 0; slot < orders_.size(); ++slot) {
    Order& order = orders_[slot];
    if (needs_.sessions.is_free(slot) || !order.open) continue;
    if (now_us >= order.next_send_us) {
      order.open = order.sends_left > 0;
      if (!order.open) {
        needs_.counts.add(metric.orders_unanswered);
        continue;
      }
      send(now_us, slot);
    }
    any_open_ = true;
  }
}

void TechniqueOrders::send(Micros now_us, std::uint32_t slot) {
  Order& order = orders_[slot];
  order.next_send_us = now_us + repeat_us;
  --order.sends_left;
  std::array<std::byte, order_frame_bytes> bytes;
  ByteWriter frame(bytes);
  std::array<std::byte, order_frame_bytes + frame_header_bytes_max> buffer;
  FrameWriter payload(buffer);
  const bool fits = write_order_frame(frame, {order.number, order.wanted, order.desync_number}) &&
                    payload.add(stream_gateway, frame.written());
  PERIGEE_ASSERT(fits, "an order must fit into a payload of its own");
  needs_.counts.add(metric.orders_sent);
  needs_.payloads.send(now_us, slot, payload.payload());
}

void TechniqueOrders::on_answer(std::uint32_t slot, std::span<const std::byte> bytes) {
  const auto answer = read_order_answer(bytes);
  if (!answer) return needs_.drops.add(Drop::FrameMalformed);
  Order& order = orders_[slot];
  if (!order.open || answer->number != order.number) {
    return needs_.drops.add(Drop::AnswerUnasked);
  }
  order.open = false;
  needs_.counts.add(metric.orders_answered);
  needs_.outputs.on_techniques(needs_.sessions[slot].client.client_id, order.id,
                               answer->techniques);
}

}  // namespace perigee::gateway
