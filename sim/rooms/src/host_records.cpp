// Records of rooms: what a worker keeps for good, and the end of a room that waits for it.
#include <algorithm>
#include <utility>

#include "fabric_addresses.hpp"
#include "perigee/base/fabric_batch.hpp"
#include "perigee/rooms/host.hpp"

namespace perigee::rooms {

void Host::connect_records(Room& room) {
  if (!records_.has_store()) return;
  const RoomId id = room.id();
  room.worker().outputs.to_lasting = [this, id](const worker::LastingRow& row) {
    records_.keep(id, row);
  };
  room.worker().outputs.take_profile = [this, id](std::uint64_t number, std::uint64_t owner) {
    records_.take(now_us_, id, number, owner);
  };
}

/// The gateway no longer knows the worker, so the players' leaves come from here.
void Host::let_players_leave(Room& room) {
  needs_.outputs.on_tick_begins(room.id());
  const FineTick now = fine_tick_at(map_.map().time, now_us_);
  FabricBatch leaves(FabricSender::Gateway, [&](const Address&, std::span<const std::byte> bytes) {
    room.worker().on_fabric(now, door_fabric, bytes);
  });
  leaves.identify(map_.map().cluster_id, door_slot.number);
  std::vector<SessionId> sessions;
  room.worker().for_each_player([&](const worker::Player& player) {
    if (!player.npc()) sessions.push_back(player.session);
  });
  for (const SessionId session : sessions) {
    leaves.add(worker_fabric(room.slot()), LeaveRecord{.session = session, .lost = false});
  }
  leaves.flush();
  room.worker().send_lasting();
}

RoomFigures Host::end_if_stored(Micros now_us, std::size_t index) {
  Ending& ending = ending_[index];
  const std::size_t open = ending.room->worker().lasting_open();
  if (open > 0 && now_us < ending.until_us) return ending.figures;
  RoomFigures ended = ending.figures;
  ended.state = RoomState::Ended;
  ended.ended_unix_s = unix_s(now_us);
  ended.records_lost = static_cast<std::uint32_t>(open);
  free_slots_.push_back(ending.room->slot());
  ending_.erase(ending_.begin() + static_cast<std::ptrdiff_t>(index));
  records_.forget(ended.id);
  records_.count_lost(open);
  ended_.push_back(ended);
  needs_.outputs.on_ended(ended);
  return ended;
}

void Host::on_kept(Micros now_us, std::uint64_t number, worker::Journalled became) {
  now_us_ = now_us;
  records_.on_kept(number, became);
  for (std::size_t i = ending_.size(); i-- > 0;) end_if_stored(now_us, i);
}

worker::Core* Host::worker_to_answer(RoomId id) {
  if (Room* room = find(id)) return &room->worker();
  for (const Ending& ending : ending_) {
    if (ending.figures.id == id) return &ending.room->worker();
  }
  return nullptr;
}

bool Host::saves(std::uint64_t owner, RoomId but) const {
  const auto has = [&](const Room& room) {
    return room.id() != but && room.worker().has_unstored_profile(owner);
  };
  return std::any_of(rooms_.begin(), rooms_.end(), [&](const auto& each) { return has(*each); }) ||
         std::any_of(ending_.begin(), ending_.end(),
                     [&](const Ending& each) { return has(*each.room); });
}

bool Host::plays(std::uint64_t owner, RoomId but) const {
  bool found = false;
  for (const auto& room : rooms_) {
    if (room->id() == but) continue;
    room->worker().for_each_player([&](const worker::Player& player) {
      found |= !player.npc() &&
               worker::profile_owner(player.account.player_id, player.client_id) == owner;
    });
  }
  return found;
}

}  // namespace perigee::rooms
