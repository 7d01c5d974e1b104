// Techniques that an operator orders, by way of the gateway.
#include <array>

#include "perigee/client/client.hpp"
#include "perigee/netcode/technique_order.hpp"

namespace perigee::client {

void Client::on_order(std::span<const std::byte> bytes) {
  const auto told = read_order_frame(bytes);
  if (!told) return telemetry_.count_malformed();
  // Until it is known what the avatar is, the game's own choice is still to come. Told again soon.
  if (!settings_.techniques) return;
  order_owed_ = true;
  if (static_cast<std::int32_t>(told->number - order_) <= 0) return;  // a repetition
  order_ = told->number;
  if (told->order.named == 0) return;  // only a question
  use(obeyed(techniques_, told->order));
  ++orders_obeyed_;
}

void Client::answer_order(FrameWriter& frames) {
  if (!order_owed_) return;
  std::array<std::byte, order_answer_bytes> bytes;
  ByteWriter writer(bytes);
  const bool fits = write_order_answer(writer, {order_, techniques_});
  PERIGEE_ASSERT(fits, "its size is its limit");
  if (frames.add(stream_gateway, bytes)) order_owed_ = false;
}

}  // namespace perigee::client
