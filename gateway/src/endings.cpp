// What a worker told of that has died without an heir is nobody's, and nobody would ever say so:
// its stream begins anew, with nothing in it.
#include <algorithm>
#include <array>

#include "perigee/gateway/core.hpp"
#include "perigee/netcode/wire_world.hpp"

namespace perigee::gateway {
namespace {

// Links lose, and are silent for up to 5 s. Who hears it once the next life has spoken drops it.
constexpr std::uint32_t tells = 6;
constexpr Micros tell_again_us = 1'000'000;
// Who is cut off from the directory goes on telling until we hear that its life is over, of things
// that another one has already told of as its own again. Until all of that is told once more, and
// so the other one's for clients, too, nothing is taken away.
constexpr Micros tell_first_us = 1'000'000;

}  // namespace

// Datagrams overtake each other.
void Core::note_heard(WorkerSlot worker, Tick tick) {
  std::optional<Heard>& heard = heard_.at(worker);
  const std::uint32_t life = links_.life(worker);
  if (!heard || heard->life != life || before(heard->newest, tick)) heard = {life, tick};
}

/// For good: who is only taken for dead, and keeps its regions, may be back.
bool Core::is_over(WorkerSlot worker, const Heard& heard) const {
  const WorkerEntry* now = map_.worker(worker);
  if (now == nullptr || now->life != heard.life) return true;
  return !now->alive && map_.bequest(now->handle_base) == nullptr &&
         std::none_of(map_.regions.begin(), map_.regions.end(),
                      [&](const RegionEntry& region) { return region.owner == worker; });
}

// What an heir goes on with it tells of in its own stream; what it leaves out is forgotten, too,
// with the slot's next life.
void Core::note_endings(Micros now_us) {
  for (WorkerSlot worker = 0; worker < workers_max; ++worker) {
    std::optional<Heard>& heard = heard_[worker];
    if (!heard || !is_over(worker, *heard)) continue;
    std::erase_if(ended_, [&](const Ended& ended) { return ended.worker == worker; });
    ended_.push_back({worker, heard->newest + 1, tells, now_us + tell_first_us});
    heard.reset();
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
  header.incarnation = static_cast<std::uint16_t>(map_.incarnation);
  // An epoch is the tick in which a worker began with the client: it has not played this one.
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
