// The order of turns and the parts in between: links, gateway and players.
#include "perigee/lab/shuttle.hpp"

#include <algorithm>

#include "shuttle_rider.hpp"
#include "shuttle_stage.hpp"

namespace perigee::lab {
namespace {

constexpr Address gateway_at = Address::v4(10, 0, 1, 1, 40030);
constexpr std::int32_t lead_ticks = 3;     // the newest input of a packet is so far ahead
constexpr std::size_t inputs_carried = 8;  // per packet; each input is in as many
constexpr std::int32_t jump_ticks = 90, turn_ticks = 45;

ClusterMap two_workers() {
  ClusterMap map;
  map.cluster_id = 7;
  map.version = 1;
  map.gateways = {{GatewaySlot{0}, gateway_at, gateway_at, true}};
  for (std::uint8_t i = 0; i < 2; ++i) {
    map.workers.push_back({.slot = WorkerSlot{i},
                           .fabric = Address::v4(10, 0, 1, 10 + i, 40040),
                           .handle_base = HandleBase{(i + 1U) << 20},
                           .handle_count = 1U << 20,
                           .alive = true,
                           .incarnation = Incarnation{1}});
    const double low_x = i == 0 ? -8000 : 0;
    map.regions.push_back({RegionId{i},
                           Epoch{1},
                           {low_x, -2000, -8000},
                           {low_x + 8000, 2000, 8000},
                           WorkerSlot{i},
                           Epoch{1}});
  }
  return map;
}

}  // namespace

Shuttle::Shuttle(const ShuttlePlan& plan)
    : plan_(plan),
      game_(std::make_unique<ShuttleStage>(plan)),
      random_(mix64(plan.seed)),
      map_(two_workers()) {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    Side& side = sides_[i];
    side.fabric = map_.workers[i].fabric;
    side.core = std::make_unique<worker::Core>(
        worker::Settings{}, *game_, WorkerSlot::at(i),
        [this, i](const Address& to, std::span<const std::byte> bytes) { read(i, to, bytes); });
    side.core->on_map(map_, shuttle_start);
    for (const Handle handle : side.core->world().in_order()) {
      things_.insert(handle);
      const world::Entity& entity = *side.core->world().find(handle);
      if (entity.type == ShuttleStage::ship_row) ships_.push_back(handle);
    }
  }
  join_everybody();  // before the workers can ask each other which players they have
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    sides_[i].core->outputs.to_peer = [this, i](WorkerSlot to, std::span<const std::byte> bytes) {
      post({.to = to.index(),
            .word = true,
            .from = sides_[i].fabric,
            .bytes = {bytes.begin(), bytes.end()}},
           1);
    };
  }
}

Shuttle::~Shuttle() = default;

void Shuttle::join_everybody() {
  for (std::uint32_t i = 0; i < 2 * plan_.ships * plan_.riders; ++i) {
    auto rider = std::make_unique<Rider>();
    rider->session = make_session(GatewaySlot{0}, 1, i);
    rider->client_id = 100 + i;
    rider->at = i % 2;
    send(*rider, rider->at,
         JoinRecord{rider->session, rider->client_id,
                    RegionId{static_cast<std::uint32_t>(rider->at)}, 0},
         false);
    deliver(under_way_.begin()->second);
    under_way_.clear();
    const worker::Player* player = sides_[rider->at].core->player_of(rider->client_id);
    PERIGEE_ASSERT(player != nullptr, "there must be room for all players");
    rider->ship = player->parent;
    rider->checked = shuttle_start + settling_ticks;
    rider->reset_epoch = player->reset_epoch;
    things_.insert(player->avatar);
    riders_.push_back(std::move(rider));
  }
}

/// Sends to a worker: with the transit time, plus loss and delay of the plan.
void Shuttle::post(Parcel parcel, std::int32_t at_least_ticks) {
  if (random_.unit() < plan_.lost) return;
  const auto late = random_.below(static_cast<std::uint32_t>(plan_.late_ticks_max) + 1);
  under_way_.emplace(figures_.ticks + static_cast<std::uint32_t>(at_least_ticks) + late,
                     std::move(parcel));
}

template <class Record>
void Shuttle::send(Rider& rider, std::size_t side, const Record& record, bool weather) {
  std::vector<std::byte> bytes(fabric_datagram_bytes_max);
  FabricWriter writer(
      bytes, {map_.cluster_id, FabricSender::Gateway, session_gateway(rider.session).number, 0});
  const bool fits = writer.add(record);
  PERIGEE_ASSERT(fits, "a record must fit into a datagram");
  bytes.resize(writer.datagram().size());
  Parcel parcel{.to = side, .from = gateway_at, .bytes = std::move(bytes)};
  if (weather) return post(std::move(parcel), 0);
  under_way_.emplace(figures_.ticks, std::move(parcel));
}

void Shuttle::read(std::size_t from, const Address& to, std::span<const std::byte> bytes) {
  if (to != gateway_at) {
    return post(
        {.to = 1 - from, .from = sides_[from].fabric, .bytes = {bytes.begin(), bytes.end()}}, 1);
  }
  FabricReader reader(bytes);
  while (const auto type = reader.next()) {
    JoinedRecord joined;
    BlockRecord block;
    if (*type == FabricRecord::Joined && reader.read(joined)) {
      const std::size_t i = session_client_slot(joined.session);
      if (i < riders_.size()) riders_[i]->at = from;
    } else if (*type == FabricRecord::Block && reader.read(block)) {
      Rider& rider = *riders_[session_client_slot(block.session)];
      const auto header = read_block_header(block.block);
      PERIGEE_ASSERT(header.has_value(), "workers' blocks must be readable");
      Rider::Stream& stream = rider.streams[from];
      if (stream.epoch != header->stream_epoch) stream = {.epoch = header->stream_epoch};
      stream.newest = header->tick;
      rider.reading = from;
      read_block(block.block, rider);
    }
  }
}

PlayerInput Shuttle::input_of(const Rider& rider, Tick tick) const {
  const auto turn = tick.count / turn_ticks;
  const std::uint64_t mood = mix64(plan_.seed, rider.client_id, std::uint64_t{turn});
  PlayerInput input{.tick = tick, .forward = 127, .yaw = static_cast<std::uint16_t>(mood)};
  input.pitch = static_cast<std::int16_t>(tick.count % 16'384);  // makes each input unique
  if ((tick.count + rider.client_id * 7) % jump_ticks == 0) {
    input.samples.push_back({.pressed = button_jump});
  }
  return input;
}

void Shuttle::play(Rider& rider) {
  const worker::Core& core = *sides_[rider.at].core;
  const worker::Player* player = core.player_of(rider.client_id);
  const Tick newest = core.next_tick() + lead_ticks;
  ControlFrame frame;
  frame.reset_epoch = rider.reset_epoch;
  if (player != nullptr) {
    frame.reset_epoch = rider.reset_epoch = player->reset_epoch;
    frame.claimed_parent = player->parent;
    frame.claimed_position = to_float(player->state.position);
  }
  frame.view_sixteenths = (newest.count - 6) << 4;
  for (std::size_t i = 0; i < inputs_carried; ++i) {
    frame.inputs.push_back(input_of(rider, newest - static_cast<std::int32_t>(i)));
  }
  std::array<std::byte, 512> bytes;
  const FineTick now{core.next_tick().count << 8};
  send(rider, rider.at, InputRecord{rider.session, now, stream_owner, write_control(frame, bytes)},
       true);
}

void Shuttle::acknowledge(Rider& rider) {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const Tick now = sides_[i].core->next_tick();
    std::array<std::byte, 512> bytes;
    const Rider::Stream& stream = rider.streams[i];
    const AcknowledgeFrame frame{stream.epoch, stream.events, stream.newest};
    send(rider, i,
         InputRecord{rider.session, FineTick{now.count << 8}, stream_of_worker(WorkerSlot::at(i)),
                     write_acknowledge(frame, bytes)},
         false);
  }
}

void Shuttle::deliver(const Parcel& parcel) {
  worker::Core& core = *sides_[parcel.to].core;
  if (parcel.word) return deliver_word(parcel);
  note_arrivals(core, parcel.bytes);
  if (worker_begins) worker_begins();
  core.on_fabric(FineTick{core.next_tick().count << 8}, parcel.from, parcel.bytes);
  if (worker_ends) worker_ends();
}

void Shuttle::change_map() {
  constexpr std::array<std::array<std::uint8_t, 2>, 4> owners{{{1, 1}, {0, 1}, {0, 0}, {0, 1}}};
  ++map_.version;
  const auto& turn = owners[figures_.ticks / plan_.map_ticks % owners.size()];
  for (std::size_t i = 0; i < map_.regions.size(); ++i) {
    RegionEntry& region = map_.regions[i];
    const WorkerSlot owner{turn[i]};
    if (region.owner == owner) continue;
    region.owner = owner;
    ++region.epoch;
  }
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const auto late = random_.below(static_cast<std::uint32_t>(plan_.late_ticks_max) + 1);
    maps_under_way_.emplace(figures_.ticks + late, std::pair(i, map_));
  }
}

void Shuttle::step() {
  if (plan_.map_ticks > 0 && figures_.ticks % plan_.map_ticks == plan_.map_ticks / 2) change_map();
  while (!maps_under_way_.empty() && maps_under_way_.begin()->first <= figures_.ticks) {
    const auto due = maps_under_way_.extract(maps_under_way_.begin());
    const auto& [side, map] = due.mapped();
    sides_[side].core->on_map(map, shuttle_start);
  }
  for (auto& rider : riders_) {
    play(*rider);
    if (figures_.ticks % 4 == 0) acknowledge(*rider);
  }
  while (!under_way_.empty() && under_way_.begin()->first <= figures_.ticks) {
    deliver(under_way_.extract(under_way_.begin()).mapped());
  }
  look_at_ships();
  for (Side& side : sides_) {
    if (worker_begins) worker_begins();
    side.core->tick();
    if (worker_ends) worker_ends();
  }
  ++figures_.ticks;
  for (auto& rider : riders_) look_at_records(*rider);
  if (figures_.ticks % 60 == 0) count_things(false);
}

void Shuttle::run(std::uint64_t migrations, std::uint64_t ticks_max) {
  while (figures_.migrations < migrations && figures_.ticks < ticks_max) step();
}

void Shuttle::settle() {
  plan_.lost = 0;
  plan_.late_ticks_max = 0;
  for (int i = 0; i < 300; ++i) step();
  // Not while a migration is under way.
  for (int i = 0; i < 60 && !all_owned(); ++i) step();
  count_things(true);
}

}  // namespace perigee::lab
