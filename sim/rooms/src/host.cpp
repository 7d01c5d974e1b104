#include "perigee/rooms/host.hpp"

#include <algorithm>
#include <utility>

#include "fabric_addresses.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/world/schema.hpp"

namespace perigee::rooms {
namespace {

std::uint32_t random_number(const transport::RandomBytes& random) {
  std::uint32_t number = 0;
  random(std::as_writable_bytes(std::span(&number, 1)));
  return number;
}

gateway::CoreSettings door_settings(const HostSettings& settings, const transport::Key& key) {
  gateway::CoreSettings door{.slot = door_slot};
  door.transport.private_key = key;
  door.transport.address = settings.address;
  door.transport.clients_max = settings.clients_max;
  door.transport.claims = true;  // only members of rooms come in
  door.coalesce_us = 0;          // one worker serves each client
  door.rooms = true;
  return door;
}

}  // namespace

Host::Host(const HostSettings& settings, Needs needs, Micros now_us, std::uint64_t unix_s)
    : settings_(settings),
      needs_(std::move(needs)),
      start_us_(now_us),
      start_unix_s_(unix_s),
      now_us_(now_us),
      schema_hash_(world::agreed_schema(*needs_.stages.front().game)),
      key_(transport::random_key(needs_.random)),
      run_(random_number(needs_.random)),
      map_(
          now_us, Tick{},
          {.slot = door_slot, .fabric = door_fabric, .public_udp = settings.address, .alive = true},
          schema_hash_),
      door_(door_settings(settings, key_), needs_.random, *this),
      by_slot_(settings.rooms_max),
      records_({.store = needs_.store,
                .worker = [this](RoomId room) { return worker_to_answer(room); },
                .is_saved_elsewhere = [this](std::uint64_t owner,
                                             RoomId asks) { return saves(owner, asks); },
                .is_elsewhere = [this](std::uint64_t owner,
                                       RoomId asks) { return plays(owner, asks); }}) {
  PERIGEE_ASSERT(settings.rooms_max >= 1 && settings.rooms_max <= workers_max,
                 "rooms_max must be 1 to 1024");
  for (const WorkerSlot slot : worker_slots(settings.rooms_max)) free_slots_.push_back(slot);
  door_.on_map(now_us, map_.map());
}

Host::~Host() = default;

void Host::to_client(const Address& to, std::span<const std::byte> datagram) {
  needs_.outputs.to_client(to, datagram);
}
void Host::to_fabric(const Address& to, std::span<const std::byte> datagram) {
  parcels_.add(false, worker_at(to), datagram);
}
void Host::want_resume_token(std::uint64_t client_id) { resumes_.push_back(client_id); }
void Host::claim(const transport::ClaimRequest& request) { claims_.push_back(request); }
void Host::released(std::uint64_t client_id, std::uint64_t issue, gateway::Release how) {
  Room* room = room_of(client_id);
  if (room != nullptr && how == gateway::Release::Left) room->forget(client_id, issue);
}
void Host::on_telemetry(const Telemetry& telemetry) { needs_.outputs.on_telemetry(telemetry); }

void Host::receive(Micros now_us, Micros received_us, const Address& from,
                   std::span<std::byte> datagram) {
  door_.on_client_datagram(
      now_us, unix_s(now_us),
      {from, received_us, fine_tick_at(map_.map().time, received_us), datagram});
}

void Host::advance(Micros now_us) {
  now_us_ = now_us;
  keep_time(now_us);
  answer_claims(now_us);
  door_.advance(now_us, unix_s(now_us));
  answer_resumes(now_us);
  deliver(now_us);
  run_ticks(now_us);
  deliver(now_us);
  records_.advance(now_us);
  door_.advance(now_us, unix_s(now_us));  // sends what the ticks have made
  if (now_us >= next_look_us_) look(now_us);
}

Micros Host::next_deadline_us() const {
  Micros next_us = std::min(door_.next_deadline(), next_look_us_);
  for (const auto& room : rooms_) {
    next_us = std::min(next_us, tick_start_us(map_.map().time, room->worker().next_tick()));
  }
  return next_us;
}

/// The workers learn of another incarnation of the map, which begins when ticks are skipped.
void Host::keep_time(Micros now_us) {
  const std::uint64_t version = map_.map().version;
  map_.advance(now_us);
  if (!rooms_.empty()) {
    Tick next = rooms_.front()->worker().next_tick();
    for (const auto& room : rooms_) {
      if (before(next, room->worker().next_tick())) next = room->worker().next_tick();
    }
    const std::uint64_t skipped = map_.skip_stall(now_us, next);
    ticks_skipped_ += skipped;
    for (const auto& room : rooms_) {
      if (skipped > 0) room->note_stall(now_us);
    }
  }
  if (map_.map().version == version) return;
  for (const auto& room : rooms_) {
    needs_.outputs.on_tick_begins(room->id());
    room->worker().on_map(map_.map_of(room->slot()), room->worker().next_tick());
  }
  door_.on_map(now_us, map_.map());
}

/// Until neither side has anything more to send.
void Host::deliver(Micros now_us) {
  const FineTick now = fine_tick_at(map_.map().time, now_us);
  door_.flush();
  while (!parcels_.empty()) {
    parcels_.take([&](const Parcels::Parcel& parcel) {
      if (parcel.to_door) {
        door_.on_fabric_datagram(now_us, worker_fabric(parcel.worker), parcel.bytes);
      } else if (Room* room = by_slot_.at(parcel.worker.index())) {
        needs_.outputs.on_tick_begins(room->id());  // players join and leave here
        room->worker().on_fabric(now, door_fabric, parcel.bytes);
      }
    });
    door_.flush();
  }
}

/// Each room in turn is the first one, so that none is always the latest.
void Host::run_ticks(Micros now_us) {
  if (rooms_.empty()) return;
  const Micros began_us = needs_.clock();
  turn_ = (turn_ + 1) % rooms_.size();
  for (std::size_t i = 0; i < rooms_.size(); ++i) {
    Room& room = *rooms_[(turn_ + i) % rooms_.size()];
    for (int n = 0; n < ticks_per_turn_max; ++n) {
      if (tick_start_us(map_.map().time, room.worker().next_tick()) > now_us) break;
      tick(now_us, began_us, room);
    }
  }
}

/// The ticks of a turn run one after the other, so most begin later than the turn.
void Host::tick(Micros now_us, Micros turn_began_us, Room& room) {
  const TimeSegment& time = map_.map().time.of(room.worker().next_tick());
  const Micros period_us = 1'000'000 / time.tick_rate_hz;
  needs_.outputs.on_tick_begins(room.id());
  const Micros due_us = tick_start_us(time, room.worker().next_tick());
  const Micros began_us = needs_.clock();
  const Micros late_us = now_us + (began_us - turn_began_us) - due_us;
  room.worker().tick();
  const Micros spent_us = needs_.clock() - began_us;
  if (overload_.on_tick(now_us, late_us)) {
    for (const auto& each : rooms_) each->end_period();
  }
  room.note_tick(spent_us, late_us, period_us);
  needs_.outputs.on_tick(spent_us, late_us);
}

/// Counts clients, and ends rooms.
void Host::look(Micros now_us) {
  next_look_us_ = now_us + look_period_us;
  std::vector<RegionId> regions;
  door_.for_each_region_of_player(
      [&](const gateway::Session&, RegionId region) { regions.push_back(region); });
  for (std::size_t i = rooms_.size(); i-- > 0;) {
    Room& room = *rooms_[i];
    const auto clients = std::count(regions.begin(), regions.end(), room.id().region());
    room.note_clients(now_us, static_cast<std::uint32_t>(clients));
    if (auto faults = room.worker().take_game_faults(); !faults.empty()) {
      needs_.outputs.on_game_faults(room.id(), faults);
    }
    if (const EndReason reason = room.due(now_us); reason != EndReason::None) {
      finish(now_us, i, reason);
    }
  }
  end_slowest(now_us);
  for (std::size_t i = ending_.size(); i-- > 0;) end_if_stored(now_us, i);
  const std::uint64_t now_s = unix_s(now_us);
  while (!ended_.empty() &&
         (ended_.size() > remembered_max || ended_.front().ended_unix_s + remembered_s <= now_s)) {
    ended_.pop_front();
  }
}

/// One room may take the time of all others. Another one is judged after a further period.
void Host::end_slowest(Micros now_us) {
  if (settings_.tick_us_max == 0 || rooms_.size() < 2 || !overload_.overloaded(now_us)) return;
  const auto slowest =
      std::max_element(rooms_.begin(), rooms_.end(), [](const auto& one, const auto& other) {
        return one->mean_tick_us() < other->mean_tick_us();
      });
  if ((*slowest)->mean_tick_us() <= settings_.tick_us_max) return;
  finish(now_us, static_cast<std::size_t>(slowest - rooms_.begin()), EndReason::TooSlow);
  overload_ = {};
}

std::optional<RoomFigures> Host::figures(RoomId id) const {
  if (const Room* room = find(id)) return room->figures();
  for (const Ending& ending : ending_) {
    if (ending.figures.id == id) return ending.figures;
  }
  const auto ended = std::find_if(ended_.begin(), ended_.end(),
                                  [&](const RoomFigures& each) { return each.id == id; });
  if (ended == ended_.end()) return std::nullopt;
  return *ended;
}

void Host::for_each_id(bool open_only, const std::function<void(RoomId)>& visit) const {
  for (const auto& room : rooms_) visit(room->id());
  for (const Ending& ending : ending_) visit(ending.figures.id);
  for (const RoomFigures& room : ended_) {
    if (!open_only) visit(room.id);
  }
}

const worker::Core* Host::worker(RoomId id) const {
  const Room* room = find(id);
  return room != nullptr ? &room->worker() : nullptr;
}

Room* Host::find(RoomId id) const {
  const auto room = std::lower_bound(rooms_.begin(), rooms_.end(), id,
                                     [](const auto& each, RoomId key) { return each->id() < key; });
  return room != rooms_.end() && (*room)->id() == id ? room->get() : nullptr;
}

}  // namespace perigee::rooms
