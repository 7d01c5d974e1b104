#include "perigee/gateway/endings.hpp"

#include <algorithm>
#include <cstddef>

#include "perigee/base/wire_world.hpp"

namespace perigee::gateway {

// Datagrams may arrive out of order.
void Endings::note_received(WorkerSlot worker, Tick tick) {
  std::optional<Received>& has_received = received_.at(worker.index());
  const Incarnation incarnation = needs_.links.incarnation(worker);
  if (!has_received || has_received->incarnation != incarnation ||
      before(has_received->newest, tick))
    has_received = {incarnation, tick};
}

/// Whether an incarnation ended permanently: a worker that is wrongly taken for dead and keeps its
/// regions may come back.
bool Endings::is_over(WorkerSlot worker, const Received& has_received) const {
  const WorkerEntry* now = needs_.map.worker(worker);
  if (now == nullptr || now->incarnation != has_received.incarnation) return true;
  return !now->alive && needs_.map.failover_record(now->handle_base) == nullptr &&
         std::none_of(needs_.map.regions.begin(), needs_.map.regions.end(),
                      [&](const RegionEntry& region) { return region.owner == worker; });
}

// A successor sends what it takes over in its own stream; entities that it leaves out are removed
// with the slot's next incarnation.
void Endings::on_map(Micros now_us, bool other_cluster) {
  if (other_cluster) {
    received_.fill(std::nullopt);
    ended_.clear();
  }
  for (const WorkerSlot worker : worker_slots(workers_max)) {
    std::optional<Received>& has_received = received_[worker.index()];
    if (!has_received || !is_over(worker, *has_received)) continue;
    std::erase_if(ended_, [&](const Ended& ended) { return ended.worker == worker; });
    ended_.push_back({worker, has_received->newest + 1, sends, now_us + send_first_us});
    has_received.reset();
  }
}

void Endings::advance(Micros now_us) {
  for (Ended& ended : ended_) {
    if (now_us < ended.next_send_us) continue;
    ended.next_send_us = now_us + send_again_us;
    --ended.sends_left;
    send(now_us, ended);
  }
  std::erase_if(ended_, [](const Ended& ended) { return ended.sends_left == 0; });
}

void Endings::send(Micros now_us, const Ended& ended) {
  BlockHeader header;
  header.cluster_id = static_cast<std::uint16_t>(needs_.map.cluster_id);
  // A stream epoch is the tick in which a worker began to serve the client. The dead worker never
  // simulated `ended.tick`, so no stream has that epoch.
  header.stream_epoch = static_cast<std::uint16_t>(ended.tick.count);
  header.tick = ended.tick;
  std::array<std::byte, 64> bytes;
  const BlockWriter block(bytes, header);
  constexpr std::uint8_t last = 255;
  for (std::uint32_t slot = 0; slot < needs_.sessions.slots(); ++slot) {
    if (needs_.sessions.is_free(slot)) continue;
    needs_.block_sender.queue(now_us, slot, stream_of_worker(ended.worker), last, block.bytes());
  }
}

}  // namespace perigee::gateway
