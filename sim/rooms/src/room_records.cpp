#include "perigee/rooms/room_records.hpp"

#include <algorithm>
#include <utility>

namespace perigee::rooms {

using worker::Journalled;

void RoomRecords::keep(RoomId room, worker::LastingRow row) {
  if (row.kind == worker::LastingKind::Result && row.owner == 0) row.owner = room.number;
  waiting_.push_back({room, std::move(row)});
}

void RoomRecords::take(Micros now_us, RoomId room, std::uint64_t number, std::uint64_t owner) {
  readings_.push_back({.room = room, .number = number, .owner = owner, .since_us = now_us});
}

void RoomRecords::stop_reading(RoomId room) {
  std::erase_if(readings_, [&](const Reading& each) { return each.room == room; });
}

void RoomRecords::forget(RoomId room) {
  std::erase_if(waiting_, [&](const Waiting& each) { return each.room == room; });
}

// The worker may have the next save of the same player, which has waited for this answer.
void RoomRecords::on_kept(std::uint64_t number, Journalled became) {
  const auto found = at_store_.find(number);
  if (found == at_store_.end()) return;
  const AtStore row = found->second;
  at_store_.erase(found);
  worker::Core* worker = needs_.worker(row.room);
  if (worker == nullptr) return;  // counted as lost
  switch (became) {
    case Journalled::Stands:
      counts_.add(RecordEnd::Stored);
      break;
    case Journalled::Unnamed:
      counts_.add(RecordEnd::Superseded);
      break;
    case Journalled::Fenced:
      counts_.add(RecordEnd::Fenced);
      break;
  }
  worker->on_kept(row.number, became);
  worker->send_lasting();
}

void RoomRecords::on_profile(std::uint64_t number, const worker::TakenProfile& profile) {
  const auto found = std::find_if(readings_.begin(), readings_.end(),
                                  [&](const Reading& each) { return each.at_store == number; });
  if (number == 0 || found == readings_.end()) return;
  const Reading reading = *found;
  readings_.erase(found);
  if (worker::Core* worker = needs_.worker(reading.room)) {
    worker->on_profile(reading.number, profile);
  }
}

/// Otherwise the player would begin with what it had before its last room, and would save over what
/// it did there.
bool RoomRecords::may_read(Micros now_us, const Reading& reading) const {
  const bool another = std::any_of(readings_.begin(), readings_.end(), [&](const Reading& each) {
    return each.at_store != 0 && each.owner == reading.owner;
  });
  if (another || needs_.is_saved_elsewhere(reading.owner, reading.room)) return false;
  return now_us - reading.since_us >= avatar_us_max ||
         !needs_.is_elsewhere(reading.owner, reading.room);
}

void RoomRecords::advance(Micros now_us) {
  while (!waiting_.empty() && at_store_.size() < at_store_max) {
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    at_store_[++newest_] = {next.room, next.row.number};
    next.row.number = newest_;
    needs_.store.keep(next.row);
  }
  std::erase_if(readings_,
                [&](const Reading& each) { return now_us - each.since_us >= reading_us_max; });
  auto under_way = static_cast<std::size_t>(std::count_if(
      readings_.begin(), readings_.end(), [](const Reading& each) { return each.at_store != 0; }));
  for (Reading& reading : readings_) {
    if (under_way >= at_store_max) return;
    if (reading.at_store != 0 || !may_read(now_us, reading)) continue;
    reading.at_store = ++newest_;
    ++under_way;
    needs_.store.take(reading.at_store, reading.owner);
  }
}

}  // namespace perigee::rooms
