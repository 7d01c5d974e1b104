#include "perigee/embed/server.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "perigee/embed/own_map.hpp"
#include "perigee/gateway/core.hpp"
#include "perigee/transport/player_token.hpp"
#include "perigee/world/schema.hpp"

namespace perigee::embed {
namespace {

// Addresses of the two ends of a fabric that never leaves the process.
constexpr Address door_fabric = Address::v4(127, 0, 0, 1, 1);
constexpr Address worker_fabric = Address::v4(127, 0, 0, 1, 2);
/// Lifetime of resume tokens; the gateway asks for new ones long before they expire.
constexpr std::uint64_t resume_token_life_s = 300;
constexpr GatewaySlot door_slot{0};
constexpr WorkerSlot worker_slot{0};
constexpr RegionId world_region{0};

}  // namespace

struct Server::Impl final : gateway::Outputs {
  struct Parcel {
    bool to_door = false;
    std::vector<std::byte> bytes;
  };

  Impl(const world::GameModule& game, const Settings& wanted, Micros now, std::uint64_t unix_s,
       const transport::RandomBytes& random_bytes, Send send_datagram);

  std::uint64_t unix_s(Micros now) const {
    return start_unix_s + static_cast<std::uint64_t>((now - start_us) / 1'000'000);
  }
  transport::ConnectToken token(std::uint64_t client_id, std::string_view name,
                                std::uint64_t life_s = transport::token_life_s);
  void deliver(Micros now_us);
  void advance_map(Micros now_us);

  // Outputs of the gateway:
  void to_client(const Address& to, std::span<const std::byte> datagram) override {
    send(to, datagram);
  }
  void to_fabric(const Address&, std::span<const std::byte> datagram) override {
    parcels.push_back({false, {datagram.begin(), datagram.end()}});
  }
  void want_resume_token(std::uint64_t client_id) override { resumes.push_back(client_id); }

  Settings settings;
  Micros start_us, now_us;
  std::uint64_t start_unix_s;
  transport::RandomBytes random;
  Send send;
  std::uint64_t schema_hash;
  transport::Key key;
  OwnMap map;
  std::uint64_t issue = 0;
  std::deque<Parcel> parcels;
  std::vector<std::uint64_t> resumes;  ///< clients that want a resume token
  std::unique_ptr<gateway::Core> door;
  std::unique_ptr<worker::Core> worker;
  std::uint64_t map_version = 0;  ///< known to gateway and worker
  std::uint64_t ticks_skipped = 0;
};

Server::Impl::Impl(const world::GameModule& game, const Settings& wanted, Micros now,
                   std::uint64_t unix_now_s, const transport::RandomBytes& random_bytes,
                   Send send_datagram)
    : settings(wanted),
      start_us(now),
      now_us(now),
      start_unix_s(unix_now_s),
      random(random_bytes),
      send(std::move(send_datagram)),
      schema_hash(world::agreed_schema(game)),
      key(transport::random_key(random)),
      map(now, wanted.first_tick,
          {.slot = door_slot, .fabric = door_fabric, .public_udp = wanted.address, .alive = true},
          schema_hash) {
  PERIGEE_ASSERT(wanted.address.valid() && wanted.address.port != 0,
                 "the server's address must have a port");
  map.add(worker_slot, worker_fabric, world_region, wanted.world_low, wanted.world_high);
  gateway::CoreSettings at_door{.slot = door_slot};
  at_door.transport.private_key = key;
  at_door.transport.address = settings.address;
  at_door.transport.clients_max = settings.players_max;
  at_door.transport.gateway_number = at_door.slot.number;
  door = std::make_unique<gateway::Core>(at_door, random, *this);
  settings.worker.players_max = std::max(settings.worker.players_max, settings.players_max);
  worker = std::make_unique<worker::Core>(settings.worker, game, worker_slot,
                                          [this](const Address&, std::span<const std::byte> bytes) {
                                            parcels.push_back({true, {bytes.begin(), bytes.end()}});
                                          });
  worker->on_map(map.map(), tick_at(map.map().time, now) + 1);
  door->on_map(now, map.map());
  map_version = map.map().version;
}

void Server::Impl::advance_map(Micros now) {
  map.advance(now);
  ticks_skipped += map.skip_stall(now, worker->next_tick());
  if (map_version == map.map().version) return;
  map_version = map.map().version;
  worker->on_map(map.map(), worker->next_tick());
  door->on_map(now, map.map());
}

// The holder of a client's newest token has its session.
transport::ConnectToken Server::Impl::token(std::uint64_t client_id, std::string_view name,
                                            std::uint64_t life_s) {
  transport::PlayerPass pass{.wire_version = wire_version,
                             .schema_hash = schema_hash,
                             .home_region = world_region,
                             .issue = ++issue};
  pass.set_name(name);
  return transport::make_player_token({.client_id = client_id,
                                       .gateway = settings.address,
                                       .create_time_s = unix_s(now_us),
                                       .life_s = life_s,
                                       .pass = pass},
                                      key, random);
}

// Until neither side has anything more to send.
void Server::Impl::deliver(Micros now) {
  door->flush();
  while (!parcels.empty()) {
    const Parcel parcel = std::move(parcels.front());
    parcels.pop_front();
    if (parcel.to_door) {
      door->on_fabric_datagram(now, worker_fabric, parcel.bytes);
    } else {
      worker->on_fabric(fine_tick_at(map.map().time, now), door_fabric, parcel.bytes);
    }
    if (parcels.empty()) door->flush();
  }
  for (const std::uint64_t client_id : std::exchange(resumes, {})) {
    door->on_resume_token(now, client_id, token(client_id, {}, resume_token_life_s));
  }
}

Server::Server(const world::GameModule& game, const Settings& settings, Micros now_us,
               std::uint64_t unix_s, const transport::RandomBytes& random, Send send)
    : impl_(std::make_unique<Impl>(game, settings, now_us, unix_s, random, std::move(send))) {}
Server::~Server() = default;

transport::ConnectToken Server::invite(std::string_view name) {
  std::uint64_t client_id = 0;
  while (client_id == 0) impl_->random(std::as_writable_bytes(std::span(&client_id, 1)));
  return impl_->token(client_id, name);
}

void Server::receive(Micros now_us, const Address& from, std::span<std::byte> datagram) {
  impl_->now_us = now_us;
  const FineTick received = fine_tick_at(impl_->map.map().time, now_us);
  impl_->door->on_client_datagram(now_us, impl_->unix_s(now_us),
                                  {from, now_us, received, datagram});
  impl_->deliver(now_us);
}

void Server::advance(Micros now_us) {
  impl_->now_us = now_us;
  impl_->advance_map(now_us);
  impl_->door->advance(now_us, impl_->unix_s(now_us));
  impl_->deliver(now_us);
  worker::Core& worker = *impl_->worker;
  const WorldTime& time = impl_->map.map().time;
  for (int i = 0; i < ticks_per_advance_max; ++i) {
    if (tick_start_us(time, worker.next_tick()) > now_us) break;
    worker.tick();
    impl_->deliver(now_us);
  }
}

Micros Server::next_deadline_us() const {
  return std::min(impl_->door->next_deadline(),
                  tick_start_us(impl_->map.map().time, impl_->worker->next_tick()));
}

void Server::stop(Micros now_us) {
  impl_->door->disconnect_all(now_us);
  impl_->deliver(now_us);
}

std::uint64_t Server::ticks_skipped() const { return impl_->ticks_skipped; }
std::uint32_t Server::players() const { return impl_->worker->summary().players; }
world::GameFaults::Unsent Server::take_game_faults() { return impl_->worker->take_game_faults(); }
const worker::Core& Server::worker() const { return *impl_->worker; }

}  // namespace perigee::embed
