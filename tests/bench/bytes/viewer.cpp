#include "viewer.hpp"

#include <utility>
#include <variant>

namespace perigee::bench {

void Viewer::on_block(std::span<const std::byte> bytes) {
  const auto header = read_block_header(bytes);
  if (!header) {
    ++malformed_;
    return;
  }
  block_tick_ = header->tick;
  used_ = true;
  if (!read_block(bytes, *this)) {
    ++malformed_;
    return;
  }
  if (used_) ticks_.add(*header);
  newest_ = newest_ ? later_of(*newest_, block_tick_) : block_tick_;
  store_.heard(stream, block_tick_);
  due_ = true;
}

void Viewer::on_event(Sequence sequence, const WorldEvent& event) {
  if (!events_.receive(sequence, event)) return;
  while (const auto next = events_.take()) {
    if (const auto* spawn = std::get_if<SpawnEvent>(&*next)) store_.spawn(*spawn, stream);
    if (const auto* despawn = std::get_if<DespawnEvent>(&*next)) store_.despawn(despawn->handle);
  }
}

void Viewer::on_record(const GroupFrame& frame, const TrackRecord& record) {
  used_ = store_.record(frame, record, stream, view_) && used_;
}

std::optional<AcknowledgeFrame> Viewer::acknowledgement() {
  if (!std::exchange(due_, false)) return std::nullopt;
  return AcknowledgeFrame{0, events_.acknowledgement(), *newest_, ticks_.complete(*newest_)};
}

void Viewer::look(Tick now) {
  view_.origin = now;
  view_.ticks = -Link<int>::delay_ticks - view_delay_ticks;
}

}  // namespace perigee::bench
