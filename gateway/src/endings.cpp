// A worker that dies without a successor leaves entities at clients that no other worker would
// remove. The gateway restarts that worker's stream, without entities.
#include <algorithm>
#include <array>

#include "perigee/base/wire_world.hpp"
#include "perigee/gateway/core.hpp"

namespace perigee::gateway {
namespace {

// Links lose packets, and may be silent for up to 5 s. A client that has data of the next
// incarnation already drops it.
constexpr std::uint32_t tells = 6;
constexpr Micros tell_again_us = 1'000'000;
// A worker that is cut off from the directory continues to send until this gateway learns that its
// incarnation has ended, also entities that another worker has received and sent already. Nothing
// is removed until these have been sent once more, and so belong to the other worker for clients.
constexpr Micros tell_first_us = 1'000'000;

}  // namespace

// Datagrams may arrive out of order.
void Core::note_received(WorkerSlot worker, Tick tick) {
  std::optional<Received>& has_received = received_.at(worker.index());
  const Incarnation incarnation = links_.incarnation(worker);
  if (!has_received || has_received->incarnation != incarnation ||
      before(has_received->newest, tick))
    has_received = {incarnation, tick};
}

/// Whether an incarnation ended permanently: a worker that is wrongly taken for dead and keeps its
/// regions may come back.
bool Core::is_over(WorkerSlot worker, const Received& has_received) const {
  const WorkerEntry* now = map_.worker(worker);
  if (now == nullptr || now->incarnation != has_received.incarnation) return true;
  return !now->alive && map_.failover_record(now->handle_base) == nullptr &&
         std::none_of(map_.regions.begin(), map_.regions.end(),
                      [&](const RegionEntry& region) { return region.owner == worker; });
}

// A successor sends what it takes over in its own stream; entities that it leaves out are removed
// with the slot's next incarnation.
void Core::note_endings(Micros now_us) {
  for (const WorkerSlot worker : worker_slots(workers_max)) {
    std::optional<Received>& has_received = received_[worker.index()];
    if (!has_received || !is_over(worker, *has_received)) continue;
    std::erase_if(ended_, [&](const Ended& ended) { return ended.worker == worker; });
    ended_.push_back({worker, has_received->newest + 1, tells, now_us + tell_first_us});
    has_received.reset();
  }
}

void Core::advance_endings(Micros now_us) {
  for (Ended& ended : ended_) {
    if (now_us < ended.next_tell_us) continue;
    ended.next_tell_us = now_us + tell_again_us;
    --ended.tells_left;
    tell_ending(now_us, ended);
  }
  std::erase_if(ended_, [](const Ended& ended) { return ended.tells_left == 0; });
}

void Core::tell_ending(Micros now_us, const Ended& ended) {
  BlockHeader header;
  header.cluster_id = static_cast<std::uint16_t>(map_.cluster_id);
  // An epoch is the tick in which a worker began with the client. The dead worker has not simulated
  // this tick, so the epoch is new.
  header.stream_epoch = static_cast<std::uint16_t>(ended.tick.count);
  header.tick = ended.tick;
  std::array<std::byte, 64> bytes;
  const BlockWriter block(bytes, header);
  constexpr std::uint8_t last = 255;
  for (Session& session : sessions_) {
    if (session.phase == Phase::Free) continue;
    queue_block(now_us, session, stream_of_worker(ended.worker), last, block.bytes());
  }
}

}  // namespace perigee::gateway
