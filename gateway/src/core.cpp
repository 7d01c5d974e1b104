// The construction of the components, and the life cycle of sessions.
#include "perigee/gateway/core.hpp"

#include <algorithm>

#include "perigee/transport/user_data.hpp"

namespace perigee::gateway {
namespace {

transport::ServerSettings server_settings(const CoreSettings& settings) {
  transport::ServerSettings server = settings.transport;
  server.gateway_number = settings.slot.number;
  server.issue_of = transport::issue_of;
  return server;
}

/// Clients, handshakes, and paths of sessions that have ended within the last seconds.
constexpr std::size_t door_paths_per_client = 4;

DoorPaths::Needs door_paths_needs(const CoreSettings& settings,
                                  const transport::RandomBytes& random, Counts<Drop>& drops) {
  if (!settings.door_keys) return {.drops = drops};
  std::uint64_t salt = 0;
  random(std::as_writable_bytes(std::span(&salt, 1)));
  return {.paths_max = door_paths_per_client * settings.transport.clients_max,
          .salt = salt,
          .drops = drops};
}

Count count_of(transport::DisconnectReason reason) {
  switch (reason) {
    case transport::DisconnectReason::ByClient:
      return metric.sessions_left;
    case transport::DisconnectReason::TimedOut:
      return metric.sessions_timed_out;
    case transport::DisconnectReason::Replaced:
      return metric.sessions_replaced;
    case transport::DisconnectReason::ByServer:
      return metric.sessions_ended_by_gateway;
  }
  return metric.sessions_ended_by_gateway;
}

}  // namespace

Core::Core(const CoreSettings& settings, const transport::RandomBytes& random, Outputs& outputs)
    : settings_(settings),
      outputs_(outputs),
      links_(settings.slot,
             [this](const Address& to, std::span<const std::byte> datagram) {
               to_fabric(to, datagram);
             }),
      door_paths_(door_paths_needs(settings, random, drops_)),
      server_(server_settings(settings), random, *this),
      sessions_({.self = settings.slot,
                 .clients_max = settings.transport.clients_max,
                 .started_at_s = settings.transport.started_at_s},
                random),
      telemetry_({.outputs = outputs, .counts = counts_, .drops = drops_}, sessions_.slots()),
      payloads_({.server = server_, .telemetry = telemetry_, .counts = counts_}),
      resume_tokens_({.self = settings.slot,
                      .map = map_,
                      .sessions = sessions_,
                      .payloads = payloads_,
                      .outputs = outputs,
                      .counts = counts_}),
      technique_orders_({.sessions = sessions_,
                         .payloads = payloads_,
                         .outputs = outputs,
                         .counts = counts_,
                         .drops = drops_}),
      echoes_(sessions_.slots()),
      block_sender_({.coalesce_us = settings.coalesce_us,
                     .payloads_per_flush_max = settings.payloads_per_flush_max,
                     .echoes = echoes_,
                     .payloads = payloads_,
                     .outputs = outputs,
                     .counts = counts_,
                     .drops = drops_},
                    sessions_.slots()),
      endings_(
          {.map = map_, .links = links_, .sessions = sessions_, .block_sender = block_sender_}),
      leaves_({.links = links_, .counts = counts_}, sessions_.slots()),
      joins_({.map = map_,
              .server = server_,
              .disconnector = *this,
              .links = links_,
              .sessions = sessions_,
              .leaves = leaves_,
              .outputs = outputs,
              .counts = counts_,
              .stay = settings.rooms}),
      client_frames_({.map = map_,
                      .links = links_,
                      .sessions = sessions_,
                      .joins = joins_,
                      .echoes = echoes_,
                      .resume_tokens = resume_tokens_,
                      .technique_orders = technique_orders_,
                      .telemetry = telemetry_,
                      .counts = counts_,
                      .drops = drops_}),
      worker_records_({.links = links_,
                       .sessions = sessions_,
                       .joins = joins_,
                       .leaves = leaves_,
                       .endings = endings_,
                       .block_sender = block_sender_,
                       .counts = counts_,
                       .drops = drops_}) {
  PERIGEE_ASSERT(settings.slot.index() < gateways_max, "settings.slot must be a gateway slot");
  PERIGEE_ASSERT(settings.coalesce_us >= 0 && settings.coalesce_us <= 20'000,
                 "coalesce_us must be 0 to 20000");
  PERIGEE_ASSERT(settings.payloads_per_flush_max >= 1 && settings.payloads_per_flush_max <= 16,
                 "payloads_per_flush_max must be 1 to 16");
  if (settings.door_keys) door_paths_.set_keys(*settings.door_keys);
}

void Core::on_map(Micros now_us, const ClusterMap& map) {
  if (map.cluster_id == map_.cluster_id && map.version < map_.version) return;
  const bool other_cluster = map.cluster_id != map_.cluster_id;
  map_ = map;
  links_.on_map(map_);
  if (!settings_.rooms) endings_.on_map(now_us, other_cluster);  // clients leave with their worker
  resume_tokens_.on_map(now_us);
  end_sessions_of_other_games(now_us);
  joins_.on_map(now_us, other_cluster);
}

void Core::on_client_datagram(Micros now_us, std::uint64_t unix_s, const ClientDatagram& datagram) {
  counts_.add(metric.client_datagrams_received);
  counts_.add(metric.client_bytes_received, datagram.bytes.size());
  // A forged sender: doors send to their listener only.
  if (door_paths_.knows(datagram.from)) return drops_.add(Drop::DoorPathOnPublicPort);
  on_datagram(now_us, unix_s, datagram.from, datagram);
}

void Core::on_door_datagram(Micros now_us, std::uint64_t unix_s, const ClientDatagram& datagram) {
  counts_.add(metric.door_datagrams_received);
  counts_.add(metric.door_bytes_received, datagram.bytes.size());
  const auto opened = door_paths_.open(now_us, datagram.from, datagram.bytes);
  if (!opened) return;
  ClientDatagram inner = datagram;
  inner.bytes = opened->datagram;
  on_datagram(now_us, unix_s, {datagram.from, opened->player}, inner);
}

void Core::on_datagram(Micros now_us, std::uint64_t unix_s, const transport::Sender& from,
                       const ClientDatagram& datagram) {
  const auto payload = server_.receive(now_us, unix_s, from, datagram.bytes);
  handle_events(now_us);
  if (!payload) return;
  client_frames_.on_payload(now_us, {datagram.received_us, datagram.received}, *payload);
}

void Core::on_fabric_datagram(Micros now_us, const Address& from,
                              std::span<const std::byte> datagram) {
  worker_records_.on_datagram(now_us, from, datagram);
}

void Core::advance(Micros now_us, std::uint64_t unix_s) {
  server_.advance(now_us, unix_s);
  handle_events(now_us);
  if (now_us >= next_housekeeping_us_) {
    next_housekeeping_us_ = now_us + housekeeping_period_us;
    if (server_.clients() > sessions_.playing()) joins_.advance(now_us);
    leaves_.advance(now_us);
    endings_.advance(now_us);
    resume_tokens_.advance(now_us, unix_s);
    technique_orders_.advance(now_us);
    joins_.give_up_successors(now_us);
    joins_.search_avatars(now_us);
    door_paths_.advance(now_us);
  }
  block_sender_.send_due(now_us);
}

void Core::on_claim(Micros now_us, std::uint64_t claim_id, transport::Server::ClaimAnswer answer) {
  server_.on_claim(now_us, claim_id, answer);
  handle_events(now_us);
}

void Core::on_resume_token(Micros now_us, std::uint64_t client_id,
                           std::span<const std::byte> token) {
  resume_tokens_.on_token(now_us, client_id, token);
}

void Core::kick_client(Micros now_us, std::uint64_t client_id) {
  // The order may overtake the answer that grants the client's claim.
  server_.refuse_claims(client_id);
  for (std::uint32_t slot = 0; slot < sessions_.slots(); ++slot) {
    if (sessions_.is_free(slot) || sessions_[slot].client.client_id != client_id) continue;
    counts_.add(metric.sessions_kicked);
    return kick(now_us, slot);
  }
}

void Core::order_techniques(Micros now_us, std::uint64_t client_id, std::uint64_t order_id,
                            const TechniqueOrder& order) {
  technique_orders_.order(now_us, client_id, order_id, order);
}

Micros Core::next_deadline() const {
  return std::min(next_housekeeping_us_, block_sender_.next_us().value_or(next_housekeeping_us_));
}

void Core::disconnect_all(Micros now_us) {
  closing_ = true;
  for (std::uint32_t slot = 0; slot < sessions_.slots(); ++slot) {
    if (server_.connected(slot)) kick(now_us, slot);
  }
  closing_ = false;
  flush();
}

Snapshot Core::snapshot() const {
  return {.counts = counts_,
          .drops = drops_,
          .transport_drops = server_.drops(),
          .sessions = server_.clients(),
          .playing = sessions_.playing(),
          .handshakes = server_.handshakes(),
          .leaving = leaves_.size()};
}

void Core::for_each_player(
    const std::function<void(const Session&, const PlayerFigures&)>& visit) const {
  for (std::uint32_t slot = 0; slot < sessions_.slots(); ++slot) {
    if (!sessions_.is_free(slot)) visit(sessions_[slot], telemetry_.figures(slot));
  }
}

void Core::for_each_region_of_player(
    const std::function<void(const Session&, RegionId)>& visit) const {
  for (std::uint32_t slot = 0; slot < sessions_.slots(); ++slot) {
    if (!sessions_.is_free(slot)) visit(sessions_[slot], joins_.region(slot));
  }
}

std::vector<Address> Core::client_addresses() const {
  std::vector<Address> addresses;
  for (std::uint32_t slot = 0; slot < sessions_.slots(); ++slot) {
    if (server_.connected(slot) && !door_paths_.knows(server_.address(slot))) {
      addresses.push_back(server_.address(slot));
    }
  }
  return addresses;
}

void Core::send(const Address& to, std::span<const std::byte> datagram) {
  if (door_paths_.knows(to)) {
    counts_.add(metric.door_datagrams_sent);
    counts_.add(metric.door_bytes_sent, datagram.size());
    return outputs_.to_door(to, datagram);
  }
  counts_.add(metric.client_datagrams_sent);
  counts_.add(metric.client_bytes_sent, datagram.size());
  outputs_.to_client(to, datagram);
}

void Core::claim(const transport::ClaimRequest& request) { outputs_.claim(request); }

void Core::to_fabric(const Address& to, std::span<const std::byte> datagram) {
  counts_.add(metric.fabric_datagrams_sent);
  counts_.add(metric.fabric_bytes_sent, datagram.size());
  outputs_.to_fabric(to, datagram);
}

void Core::kick(Micros now_us, std::uint32_t slot) {
  server_.disconnect(now_us, slot);
  handle_events(now_us);
}

void Core::handle_events(Micros now_us) {
  while (const auto event = server_.take_event()) {
    ++client_changes_;
    switch (event->kind) {
      case transport::ServerEvent::Kind::Connected:
        start_session(now_us, *event);
        break;
      case transport::ServerEvent::Kind::Disconnected:
        end_session(now_us, *event);
        break;
      case transport::ServerEvent::Kind::Moved:
        counts_.add(metric.sessions_moved);
        break;
    }
  }
}

void Core::start_session(Micros now_us, const transport::ServerEvent& event) {
  counts_.add(metric.sessions_started);
  const auto pass = transport::read_user_data(event.user_data);
  if (!pass || pass->wire_version != wire_version) {
    drops_.add(pass ? Drop::PassWrongVersion : Drop::PassMalformed);
    server_.disconnect(now_us, event.slot);
    return;
  }
  if (plays_another_game(pass->schema_hash)) {
    drops_.add(Drop::PassOtherGame);
    server_.disconnect(now_us, event.slot);
    return;
  }
  sessions_.start(event.slot, {event.client_id,
                               pass->issue,
                               pass->schema_hash,
                               {pass->player_id, pass->player_name, pass->player_claims},
                               pass->alone});
  telemetry_.start(now_us, event.slot);
  resume_tokens_.start(event.slot);
  technique_orders_.start(event.slot);
  echoes_.start(event.slot);
  block_sender_.start(event.slot);
  joins_.start(now_us, event.slot, pass->home_region);
}

/// The client would misinterpret the workers' data.
bool Core::plays_another_game(std::uint64_t schema_hash) const {
  return schema_hash != 0 && map_.schema_hash != 0 && schema_hash != map_.schema_hash;
}

/// All workers were stopped, and the new ones run another game or another version of it.
void Core::end_sessions_of_other_games(Micros now_us) {
  for (std::uint32_t slot = 0; slot < sessions_.slots(); ++slot) {
    if (sessions_.is_free(slot) || !plays_another_game(sessions_[slot].client.schema_hash)) {
      continue;
    }
    counts_.add(metric.sessions_of_other_game);
    kick(now_us, slot);
  }
}

void Core::end_session(Micros now_us, const transport::ServerEvent& event) {
  counts_.add(count_of(event.reason));
  if (sessions_.is_free(event.slot)) return;  // its pass was refused
  const SessionClient client = sessions_[event.slot].client;
  // Timed out or disconnected at shutdown: the client may come back. Replaced: it is back
  // already.
  const bool replaced = event.reason == transport::DisconnectReason::Replaced;
  const bool lost = event.reason == transport::DisconnectReason::TimedOut || closing_;
  joins_.end(now_us, event.slot, lost || replaced);
  block_sender_.end(event.slot);
  sessions_.end(event.slot);
  if (replaced) return;
  outputs_.released(client.client_id, client.issue, lost ? Release::Lost : Release::Left);
}

}  // namespace perigee::gateway
