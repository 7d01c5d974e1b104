#include "bench/field/scene.hpp"

#include "bench/common/measure.hpp"

namespace perigee::bench {
namespace {

const Address gateway_at = Address::v4(10, 0, 0, 1, 7000);
const Address worker_at = Address::v4(10, 0, 0, 2, 7000);
constexpr std::uint16_t cluster_id = 7;

ClusterMap one_worker() {
  ClusterMap map;
  map.cluster_id = cluster_id;
  map.version = 1;
  map.workers = {{.slot = WorkerSlot{0},
                  .fabric = worker_at,
                  .handle_base = HandleBase{1U << 20},
                  .handle_count = 1U << 20,
                  .alive = true}};
  map.gateways = {{GatewaySlot{0}, gateway_at, gateway_at, true}};
  map.regions = {
      {RegionId{0}, Epoch{3}, {-8000, -2000, -8000}, {8000, 2000, 8000}, WorkerSlot{0}, Epoch{3}}};
  return map;
}

}  // namespace

Scene::Scene(const FieldPlan& plan, std::uint32_t players, const worker::Settings& settings)
    : field_(plan),
      core_(settings, field_, WorkerSlot{0},
            [this](const Address&, std::span<const std::byte> bytes) {
              sent_.emplace_back(bytes.begin(), bytes.end());
            }) {
  core_.on_map(one_worker(), Tick{6'000});
  for (std::uint32_t i = 0; i < players; ++i) {
    ScenePlayer& player = players_[make_session(GatewaySlot{0}, 1, i)];
    player.session = make_session(GatewaySlot{0}, 1, i);
    player.client_id = 100 + i;
    player.random = Random(i);
    player.look = bots::Look(mix64(i, std::uint64_t{1}));
    player.looked = core_.next_tick() - static_cast<std::int32_t>(player.yaws.size() / 2);
    send(JoinRecord{player.session, player.client_id, RegionId{0}});
  }
  core_.outputs.phase_ended = [this](worker::TickPhase phase) {
    const std::int64_t now = thread_time_ns();
    phase_ns_[static_cast<std::size_t>(phase)] = now - phase_began_ns_;
    phase_began_ns_ = now;
  };
}

void Scene::add_peers(std::uint32_t peers) {
  constexpr double own_m = 5'000, world_m = 8'000;
  ClusterMap map = one_worker();
  map.version = 2;
  map.regions.front().high.x = own_m;
  const double wide_m = 2 * world_m / peers;
  for (std::uint32_t i = 1; i <= peers; ++i) {
    const auto slot = WorkerSlot::at(i);
    map.workers.push_back({.slot = slot,
                           .fabric = Address::v4(10, 0, 1, static_cast<std::uint8_t>(i), 7000),
                           .handle_base = HandleBase{(1U + i) << 20},
                           .handle_count = 1U << 20,
                           .alive = true});
    const double from_m = -world_m + (i - 1) * wide_m;
    map.regions.push_back({RegionId{i},
                           Epoch{3},
                           {own_m, -2000, from_m},
                           {world_m, 2000, from_m + wide_m},
                           slot,
                           Epoch{3}});
  }
  core_.outputs.to_peer = [this](WorkerSlot, std::span<const std::byte>) { ++words_; };
  core_.on_map(map, core_.next_tick());
}

std::int64_t Scene::tick(std::uint32_t silent) {
  constexpr std::uint32_t repeated = 4;  // as many as an ordinary client repeats
  std::uint32_t number = 0;
  for (auto& [session, player] : players_) {
    if (number++ >= silent) send_inputs(player, repeated);
    if (core_.next_tick().count % 4 == 0) acknowledge(player);
  }
  const std::int64_t began = phase_began_ns_ = thread_time_ns();
  core_.tick();
  const std::int64_t took = thread_time_ns() - began;
  read_blocks();
  return took;
}

void Scene::arrive(std::uint32_t players, std::uint32_t ticks) {
  for (auto& [session, player] : players_) {
    if (players-- == 0) return;
    send_inputs(player, ticks);
  }
}

template <class Record>
void Scene::send(const Record& record) {
  std::array<std::byte, fabric_datagram_bytes_max> out;
  FabricWriter writer(out, {cluster_id, FabricSender::Gateway, 0, 0});
  const bool fits = writer.add(record);
  PERIGEE_ASSERT(fits, "one record fits into a datagram");
  core_.on_fabric(now(), gateway_at, writer.datagram());
}

// Turns about up to 120 degrees, and 0.5 to 2.5 s between them.
std::uint16_t ScenePlayer::yaw_at(Tick tick) {
  for (; before(looked, tick); ++looked) {
    if (!look.turning() && --rests_ticks <= 0) {
      rests_ticks = static_cast<int>(random.between(30, 150));
      look.face({look.now().yaw_rad + random.between(-1, 1) * (2 * pi / 3), 0});
    }
    look.advance();
    PlayerInput shown;
    look.show(shown);
    yaws[(looked + 1).count % yaws.size()] = shown.yaw;
  }
  return yaws[tick.count % yaws.size()];
}

void Scene::send_inputs(ScenePlayer& player, std::uint32_t inputs) {
  ControlFrame frame;
  frame.reset_epoch = player.own.reset_epoch;
  frame.view_sixteenths = (core_.next_tick().count - 6) << 4;
  if (const worker::Player* here = core_.player_of(player.client_id)) {
    frame.claimed_parent = here->parent;
    frame.claimed_position = to_float(here->state.position);
  }
  for (std::uint32_t i = 0; i < inputs; ++i) {
    const Tick at = core_.next_tick() - static_cast<std::int32_t>(i);
    PlayerInput input{.tick = at, .forward = 127};
    input.yaw = player.yaw_at(at);
    frame.inputs.push_back(input);
  }
  std::array<std::byte, 512> bytes;
  send(InputRecord{player.session, now(), stream_owner, write_control(frame, bytes)});
}

void Scene::acknowledge(const ScenePlayer& player) {
  std::array<std::byte, 512> bytes;
  const AcknowledgeFrame frame{player.stream_epoch, player.events, player.newest,
                               player.ticks.complete(player.newest)};
  send(InputRecord{player.session, now(), stream_of_worker(WorkerSlot{0}),
                   write_acknowledge(frame, bytes)});
}

std::vector<double> Scene::take_bytes() {
  std::vector<double> out;
  for (auto& [session, player] : players_) {
    out.push_back(static_cast<double>(std::exchange(player.bytes, 0)));
  }
  return out;
}

void Scene::read_blocks() {
  for (const auto& datagram : sent_) {
    FabricReader reader(datagram);
    while (const auto type = reader.next()) {
      BlockRecord block;
      if (*type != FabricRecord::Block || !reader.read(block)) continue;
      ScenePlayer& player = players_[block.session];
      player.bytes += block.block.size();
      const auto header = read_block_header(block.block);
      if (header && header->stream_epoch != player.stream_epoch) {
        player.stream_epoch = header->stream_epoch;
        player.events = {};
      }
      if (!read_block(block.block, player)) continue;
      player.ticks.add(*header);
      player.newest = header->tick;
    }
  }
  sent_.clear();
}

}  // namespace perigee::bench
