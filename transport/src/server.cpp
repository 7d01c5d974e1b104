#include "perigee/transport/server.hpp"

#include <array>
#include <bit>

namespace perigee::transport {
namespace {

constexpr Micros second_us = 1'000'000;
constexpr Micros sweep_period_us = 100'000;

const ServerSettings& checked(const ServerSettings& settings) {
  PERIGEE_ASSERT(settings.clients_max >= 1 && settings.clients_max <= clients_limit,
                 "clients_max must be 1 to 4096");
  PERIGEE_ASSERT(settings.gateway_number < 1U << 15, "gateway_number must have at most 15 bits");
  PERIGEE_ASSERT(settings.address.valid(),
                 "a server needs its own address, which it looks for in tokens");
  return settings;
}

std::uint64_t random_number(const RandomBytes& random) {
  std::array<std::byte, 8> bytes{};
  random(bytes);
  return std::bit_cast<std::uint64_t>(bytes);
}

}  // namespace

Server::Secrets Server::draw(const RandomBytes& random) {
  return {.challenge_key = random_key(random),
          .binding_key = random_key(random),
          .path_key = random_sip_key(random),
          .salt = random_number(random),
          .number_key = random_sip_key(random)};
}

Server::Server(const ServerSettings& settings, const RandomBytes& random, Outbox& outbox)
    : Server(checked(settings), draw(random), outbox) {}

Server::Server(const ServerSettings& settings, const Secrets& secrets, Outbox& outbox)
    : settings_(settings),
      events_(settings.clients_max),
      backend_keys_(settings.nonce_checks),
      work_limits_(secrets.salt),
      challenges_({.challenge_key = secrets.challenge_key, .binding_key = secrets.binding_key}),
      handshakes_({.clients_max = settings.clients_max, .salt = secrets.salt}),
      connections_({.clients_max = settings.clients_max,
                    .packets_per_s_max = settings.packets_per_s_max,
                    .salt = secrets.salt,
                    .number_key = secrets.number_key,
                    .events = events_}),
      sender_({.outbox = outbox,
               .protocol_id = settings.protocol_id,
               .clients_max = settings.clients_max,
               .gateway_number = settings.gateway_number}),
      admission_({.handshakes = handshakes_,
                  .connections = connections_,
                  .sender = sender_,
                  .drops = drops_}),
      claims_({.handshakes = handshakes_,
               .admission = admission_,
               .sender = sender_,
               .outbox = outbox,
               .drops = drops_}),
      handshake_packets_({.settings = settings_,
                          .keys = backend_keys_,
                          .work_limits = work_limits_,
                          .challenges = challenges_,
                          .handshakes = handshakes_,
                          .connections = connections_,
                          .admission = admission_,
                          .claims = claims_,
                          .sender = sender_,
                          .drops = drops_}),
      moves_({.path_key = secrets.path_key,
              .connections = connections_,
              .sender = sender_,
              .drops = drops_}) {
  backend_keys_.set(settings.private_key, settings.previous_key);
}

std::optional<ReceivedPayload> Server::receive(Micros now_us, std::uint64_t unix_s,
                                               const Sender& from, std::span<std::byte> datagram) {
  set_calendar(unix_s);
  if (datagram.empty()) return drop(Drop::Empty);
  if (is_request(datagram)) {
    handshake_packets_.on_request(now_us, unix_s_, from, datagram);
    return std::nullopt;
  }
  Drop why{};
  const auto head = read_head(datagram, Receiver::Server, why);
  if (!head) return drop(why);
  if (head->type == PacketType::Response) {
    handshake_packets_.on_response(now_us, from, *head, datagram);
    return std::nullopt;
  }
  const std::uint32_t* at = connections_.at(from.path);
  const std::uint32_t* named = connections_.named(head->sequence);
  // Two sessions at one address: the other one has moved or will time out, and then the address is
  // free.
  if (at && named && *at != *named) return drop(Drop::MoveToBusyAddress);
  if (const std::uint32_t* slot = at ? at : named) {
    return on_packet(now_us, *slot, from.path, *head, datagram);
  }
  if (handshakes_.find(from.path)) return drop(Drop::NotConnected);
  return drop(head->type == PacketType::Disconnect ? Drop::GoodbyeOfNobody : Drop::UnknownSource);
}

std::optional<ReceivedPayload> Server::on_packet(Micros now_us, std::uint32_t slot,
                                                 const Address& from, const PacketHead& head,
                                                 std::span<std::byte> datagram) {
  Connection& connection = connections_[slot];
  // The rate is charged below, for genuine packets only: forged packets cannot use up a client's
  // share, and packets of a client over its rate are not decrypted.
  if (!connection.rate.has(now_us)) return drop(Drop::PacketOverRate);
  switch (connection.window.judge(head.sequence)) {
    case ReplayWindow::Verdict::TooOld:
      return drop(Drop::ReplayTooOld);
    case ReplayWindow::Verdict::Seen:
      return drop(Drop::ReplaySeen);
    case ReplayWindow::Verdict::Fresh:
      break;
  }
  const auto body = open_packet(head, datagram, settings_.protocol_id, connection.receive_key);
  if (!body) return drop(Drop::Forged);
  connection.rate.take(now_us);
  const bool newest = connection.window.newer_than_all(head.sequence);
  connection.window.mark(head.sequence);
  if (!body_size_fits(head.type, body->size())) return drop(Drop::BadBodySize);
  if (head.type == PacketType::Disconnect) {
    connections_.close(slot, DisconnectReason::ByClient);
    return std::nullopt;
  }
  connection.confirmed = true;
  connection.last_received_us = now_us;
  if (newest && from != connection.address) {
    moves_.on_other_path(now_us, slot, from, head.type, *body);
  }
  if (head.type != PacketType::Payload) return std::nullopt;
  return ReceivedPayload{slot, head.sequence, *body};
}

void Server::advance(Micros now_us, std::uint64_t unix_s) {
  if (now_us < next_advance_us_) return;
  next_advance_us_ = now_us + server_advance_period_us;
  set_calendar(unix_s);
  // Low slots are taken first: no slot after the last used one has to be checked.
  std::uint32_t left = connections_.clients();
  for (std::uint32_t slot = 0; left > 0 && slot < connections_.slots(); ++slot) {
    Connection& connection = connections_[slot];
    if (!connection.used) continue;
    --left;
    const std::int64_t silence_s_max =
        connection.confirmed ? connection.timeout_s : std::max(connection.timeout_s, unconfirmed_s);
    if (connection.timeout_s > 0 &&
        now_us - connection.last_received_us >= silence_s_max * second_us) {
      connections_.close(slot, DisconnectReason::TimedOut);
    } else if (now_us - connection.last_sent_us >= send_period_us) {
      sender_.send_keep_alive(now_us, connection);
    }
  }
  if (now_us < next_sweep_us_) return;
  next_sweep_us_ = now_us + sweep_period_us;
  handshakes_.sweep(now_us, unix_s_);
}

std::uint64_t Server::send_payload(Micros now_us, std::uint32_t slot,
                                   std::span<const std::byte> bytes) {
  Connection& connection = connections_[slot];
  PERIGEE_ASSERT(connection.used, "payloads can be sent only to connected clients");
  PERIGEE_ASSERT(!bytes.empty() && bytes.size() <= payload_bytes_max,
                 "a payload must have 1 to 1200 bytes");
  // Until the client has proven that it knows its slot, a keep-alive precedes each payload.
  if (!connection.confirmed) sender_.send_keep_alive(now_us, connection);
  const std::uint64_t sequence = connection.next_sequence;
  sender_.send(now_us, connection, PacketType::Payload, bytes);
  return sequence;
}

void Server::disconnect(Micros now_us, std::uint32_t slot) {
  PERIGEE_ASSERT(connections_[slot].used, "only connected clients can be disconnected");
  sender_.send_goodbye(now_us, connections_[slot]);
  connections_.close(slot, DisconnectReason::ByServer);
}

}  // namespace perigee::transport
