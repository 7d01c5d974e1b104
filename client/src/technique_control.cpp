// Orders of techniques from an operator, via the gateway.
#include <array>

#include "perigee/client/client.hpp"
#include "perigee/netcode/technique_order.hpp"

namespace perigee::client {

void Client::on_order(std::span<const std::byte> bytes) {
  const auto told = read_order_frame(bytes);
  if (!told) return telemetry_.count_malformed();
  // Before the avatar's type is known, the game's own choice is still to come. The order will be
  // repeated.
  if (!settings_.techniques) return;
  order_owed_ = true;
  const auto is_news = [&](std::uint32_t number) {
    return static_cast<std::int32_t>(number - order_) > 0;
  };
  if (!is_news(told->number)) return;  // a repetition
  const bool desync = told->order.desync_mm != 0 && is_news(told->desync_number);
  order_ = told->number;
  if (told->order.empty()) return;  // only a query
  if (told->order.named != 0) use(obeyed(techniques_, told->order));
  if (desync && prediction_.running()) {
    prediction_.inject_desync({told->order.desync_mm / 1'000.0, 0, 0});
  }
  ++orders_obeyed_;
}

void Client::answer_order(FrameWriter& frames) {
  if (!order_owed_) return;
  std::array<std::byte, order_answer_bytes> bytes;
  ByteWriter writer(bytes);
  const bool fits = write_order_answer(writer, {order_, techniques_});
  PERIGEE_ASSERT(fits, "the answer must fit its buffer");
  if (frames.add(stream_gateway, bytes)) order_owed_ = false;
}

}  // namespace perigee::client
