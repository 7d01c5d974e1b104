// Invariants of each tick, input and thing, independent of the fate of messages.
#include <algorithm>
#include <cstring>

#include "perigee/lab/shuttle.hpp"
#include "perigee/world/group.hpp"
#include "shuttle_rider.hpp"

namespace perigee::lab {
namespace {

constexpr std::size_t head_bytes_max = 64;  // of a FINAL, before the group itself

bool owns(const worker::Core& core, Handle handle) {
  const world::Entity* entity = core.world().find(handle);
  return entity != nullptr && !entity->remote;
}

bool contains(std::span<const std::byte> whole, std::span<const std::byte> part) {
  for (std::size_t at = 0; at < head_bytes_max && at + part.size() <= whole.size(); ++at) {
    if (std::memcmp(whole.data() + at, part.data(), part.size()) == 0) return true;
  }
  return false;
}

}  // namespace

void Shuttle::deliver_word(const Parcel& parcel) {
  worker::Core& core = *sides_[parcel.to].core;
  std::vector<Handle> others;
  for (const Handle ship : ships_) {
    if (!owns(core, ship)) others.push_back(ship);
  }
  if (worker_begins) worker_begins();
  core.on_peer(WorkerSlot::at(1 - parcel.to), parcel.bytes);
  if (worker_ends) worker_ends();
  for (const Handle ship : others) {
    if (owns(core, ship)) compare_final(core, ship, parcel);
  }
}

// The receiver's state right after a migration must equal the received bytes.
void Shuttle::compare_final(const worker::Core& taker, Handle ship, const Parcel& parcel) {
  const world::Group group = taker.world().group_of(ship);
  const auto has = world::to_bytes(taker.world().extract(group.members));
  if (parcel.bytes.size() < has.size()) {
    ++figures_.returned;
    return;
  }
  ++figures_.migrations;
  figures_.final_bytes += parcel.bytes.size();
  figures_.final_bytes_max = std::max<std::uint64_t>(figures_.final_bytes_max, parcel.bytes.size());
  if (taker.next_tick() != played_[ship] + 1) return;  // it has caught up by now
  ++figures_.finals_compared;
  figures_.finals_differ += !contains(parcel.bytes, has);
}

// If an input reaches the player's worker in time, that worker must apply it.
void Shuttle::note_arrivals(const worker::Core& core, std::span<const std::byte> datagram) {
  FabricReader reader(datagram);
  while (const auto type = reader.next()) {
    InputRecord record;
    ControlFrame frame;
    if (*type != FabricRecord::Input || !reader.read(record)) continue;
    Rider& rider = *riders_[session_client_slot(record.session)];
    const worker::Player* player = core.player_of(rider.client_id);
    if (player == nullptr || record.stream != stream_owner || !read_control(record.frame, frame) ||
        frame.reset_epoch != player->reset_epoch) {
      continue;
    }
    for (const PlayerInput& input : frame.inputs) {
      const Tick oldest = player->inputs.oldest_open(core.next_tick());
      if (!before(input.tick, oldest)) rider.arrived[input.tick.count % Rider::ticks] = input.tick;
    }
  }
}

// Just before both workers run their next tick.
void Shuttle::look_at_ships() {
  for (const Handle ship : ships_) {
    int players = 0;
    for (const Side& side : sides_) {
      if (!owns(*side.core, ship)) continue;
      ++players;
      played_[ship] = side.core->next_tick();
    }
    figures_.ship_ticks_doubled += players > 1;
    figures_.ship_ticks_nowhere += players == 0;
  }
}

void Shuttle::look_at_records(Rider& rider) {
  const worker::Player* player = nullptr;
  Tick next;
  for (const Side& side : sides_) {
    const worker::Player* here = side.core->player_of(rider.client_id);
    if (here == nullptr) continue;
    player = here;
    next = side.core->next_tick();
  }
  if (player == nullptr) return;
  if (player->reset_epoch != rider.reset_epoch) {
    ++figures_.began_anew;
    rider.reset_epoch = player->reset_epoch;
    rider.arrived.fill(Tick{});
    rider.checked = next + settling_ticks;
  }
  const Tick open = next - worker::Settings{}.inputs.window_ticks;
  for (; before(rider.checked, open); ++rider.checked) {
    const Tick tick = rider.checked;
    const world::StepRecord* record = player->records.find(tick);
    if (record == nullptr) {
      ++figures_.rider_ticks_missing;
      continue;
    }
    ++figures_.rider_ticks;
    if (record->guessed) {
      figures_.inputs_lost += rider.came(tick);
    } else if (rider.came(tick) && record->input == input_of(rider, tick)) {
      ++figures_.inputs_in_time;
    } else {
      ++figures_.inputs_wrong;
    }
  }
}

bool Shuttle::all_owned() const {
  return std::all_of(ships_.begin(), ships_.end(), [&](Handle ship) {
    return owns(*sides_[0].core, ship) || owns(*sides_[1].core, ship);
  });
}

// A thing in transit has no owner for a moment. No thing ever has two owners.
void Shuttle::count_things(bool all_there) {
  for (const Handle thing : things_) {
    const int owners = owns(*sides_[0].core, thing) + owns(*sides_[1].core, thing);
    figures_.things_wrong += owners > 1 || (all_there && owners == 0);
  }
  for (const Side& side : sides_) {
    for (const Handle handle : side.core->world().in_order()) {
      figures_.things_wrong += !things_.contains(handle);
    }
  }
}

}  // namespace perigee::lab
