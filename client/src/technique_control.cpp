#include "perigee/client/technique_control.hpp"

#include <array>

#include "perigee/base/fabric.hpp"
#include "perigee/base/technique_order.hpp"

namespace perigee::client {

void TechniqueControl::use(const Techniques& techniques) {
  PERIGEE_ASSERT(check(techniques).ok(), "techniques must be checked by the caller");
  chosen_ = true;
  techniques_ = techniques;
  needs_.on_change(techniques_);
}

void TechniqueControl::on_order(std::span<const std::byte> bytes) {
  const auto received = read_order_frame(bytes);
  if (!received) return needs_.telemetry.count_malformed();
  // Before the avatar's type is known, the game's own choice is still to come. The order will be
  // repeated.
  if (!chosen_) return;
  answer_due_ = true;
  const auto is_new = [&](std::uint32_t number) {
    return static_cast<std::int32_t>(number - newest_order_) > 0;
  };
  if (!is_new(received->number)) return;  // a repetition
  const TechniqueOrder& order = received->order;
  const bool desync = order.desync_mm != 0 && is_new(received->desync_number);
  newest_order_ = received->number;
  if (order.empty()) return;  // only a query
  if (order.named != 0) use(obeyed(techniques_, order));
  if (desync) needs_.inject_desync({order.desync_mm / 1'000.0, 0, 0});
  ++orders_obeyed_;
}

void TechniqueControl::write_answer(FrameWriter& frames) {
  if (!answer_due_) return;
  std::array<std::byte, order_answer_bytes> bytes;
  ByteWriter writer(bytes);
  const bool fits = write_order_answer(writer, {newest_order_, techniques_});
  PERIGEE_ASSERT(fits, "the answer must fit its buffer");
  if (frames.add(stream_gateway, bytes)) answer_due_ = false;
}

void TechniqueControl::forget_session() {
  newest_order_ = 0;
  answer_due_ = false;
}

}  // namespace perigee::client
