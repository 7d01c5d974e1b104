#include "perigee/transport/server.hpp"

#include <algorithm>

#include "perigee/transport/nonce_check.hpp"

namespace perigee::transport {
namespace {

constexpr Micros second_us = 1'000'000;
constexpr Micros sweep_period_us = 100'000;
constexpr std::int32_t handshake_timeout_s = 10;  ///< for tokens without a timeout of their own
constexpr std::uint64_t global_sequence_start = 1ULL << 63;
constexpr int gateway_number_shift = 48;

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

std::vector<std::uint32_t> all_free(std::uint32_t count) {
  std::vector<std::uint32_t> free(count);
  for (std::uint32_t i = 0; i < count; ++i) free[i] = count - 1 - i;  // 0 is taken first
  return free;
}

}  // namespace

Server::Server(const ServerSettings& settings, const RandomBytes& random, Outbox& outbox)
    : settings_(checked(settings)),
      outbox_(outbox),
      challenge_key_(random_key(random)),
      binding_key_(random_key(random)),
      path_key_(random_sip_key(random)),
      salt_(random_number(random)),
      session_numbers_(random_sip_key(random)),
      // These packets share a key with the client's own, which start at sequence 0; the gateway
      // number separates two gateways that serve the same token.
      global_sequence_(global_sequence_start | static_cast<std::uint64_t>(settings.gateway_number)
                                                   << gateway_number_shift),
      sessions_(settings.clients_max),
      free_sessions_(all_free(settings.clients_max)),
      mappings_(settings.clients_max * mappings_per_client),
      free_mappings_(all_free(settings.clients_max * mappings_per_client)),
      session_at_(settings.clients_max, salt_),
      session_of_client_(settings.clients_max, salt_),
      session_of_number_(settings.clients_max, salt_),
      mapping_of_(settings.clients_max * mappings_per_client, salt_),
      tokens_(settings.clients_max * tokens_per_client, salt_),
      work_of_source_(work_places, second_us / work_per_source_per_s, work_per_source_burst, salt_),
      work_of_nonce_(work_places, second_us / work_per_nonce_per_s, work_per_nonce_burst, salt_) {
  set_keys(settings.private_key, settings.previous_key);
  events_.reserve(2 * settings.clients_max + 2);
}

void Server::set_keys(const Key& current, const std::optional<Key>& previous) {
  backend_keys_.clear();
  backend_keys_.push_back({current, nonce_key(current)});
  if (previous) backend_keys_.push_back({*previous, nonce_key(*previous)});
}

std::optional<ReceivedPayload> Server::receive(Micros now_us, std::uint64_t unix_s,
                                               const Address& from, Datagram datagram) {
  set_calendar(unix_s);
  if (datagram.empty()) return drop(Drop::Empty);
  if (is_request(datagram)) {
    on_request(now_us, unix_s_, from, datagram);
    return std::nullopt;
  }
  Drop why{};
  const auto head = read_head(datagram, Receiver::Server, why);
  if (!head) return drop(why);
  if (head->type == PacketType::Response) {
    on_response(now_us, from, *head, datagram);
    return std::nullopt;
  }
  const std::uint32_t* at = session_at_.find(from);
  const std::uint32_t* named = named_session(head->sequence);
  // Two sessions at one address: the other one has moved or will time out, and then the address is
  // free.
  if (at && named && *at != *named) return drop(Drop::MoveToBusyAddress);
  if (const std::uint32_t* slot = at ? at : named) {
    return on_session_packet(now_us, *slot, from, *head, datagram);
  }
  if (mapping_of_.find(from)) return drop(Drop::NotConnected);
  return drop(head->type == PacketType::Disconnect ? Drop::GoodbyeOfNobody : Drop::UnknownSource);
}

std::optional<ReceivedPayload> Server::on_session_packet(Micros now_us, std::uint32_t slot,
                                                         const Address& from,
                                                         const PacketHead& head,
                                                         Datagram datagram) {
  Session& session = sessions_[slot];
  // The rate is charged below, for genuine packets only: forged packets cannot use up a client's
  // share, and packets of a client over its rate are not decrypted.
  if (!session.rate.has(now_us)) return drop(Drop::PacketOverRate);
  switch (session.window.judge(head.sequence)) {
    case ReplayWindow::Verdict::TooOld:
      return drop(Drop::ReplayTooOld);
    case ReplayWindow::Verdict::Seen:
      return drop(Drop::ReplaySeen);
    case ReplayWindow::Verdict::Fresh:
      break;
  }
  const auto body = open_packet(head, datagram, settings_.protocol_id, session.receive_key);
  if (!body) return drop(Drop::Forged);
  session.rate.take(now_us);
  const bool newest = session.window.newer_than_all(head.sequence);
  session.window.mark(head.sequence);
  if (!body_size_fits(head.type, body->size())) return drop(Drop::BadBodySize);
  if (head.type == PacketType::Disconnect) {
    free_session(slot, DisconnectReason::ByClient);
    return std::nullopt;
  }
  session.confirmed = true;
  session.last_received_us = now_us;
  if (newest && from != session.address) on_other_path(now_us, slot, from, head.type, *body);
  if (head.type != PacketType::Payload) return std::nullopt;
  return ReceivedPayload{slot, head.sequence, *body};
}

void Server::advance(Micros now_us, std::uint64_t unix_s) {
  if (now_us < next_advance_us_) return;
  next_advance_us_ = now_us + server_advance_period_us;
  set_calendar(unix_s);
  // Low slots are taken first: no slot after the last used one has to be checked.
  std::uint32_t left = clients_;
  for (std::uint32_t slot = 0; left > 0 && slot < sessions_.size(); ++slot) {
    Session& session = sessions_[slot];
    if (!session.used) continue;
    --left;
    const std::int64_t silence_s_max =
        session.confirmed ? session.timeout_s : std::max(session.timeout_s, unconfirmed_s);
    if (session.timeout_s > 0 && now_us - session.last_received_us >= silence_s_max * second_us) {
      free_session(slot, DisconnectReason::TimedOut);
    } else if (now_us - session.last_sent_us >= send_period_us) {
      send_keep_alive(now_us, slot);
    }
  }
  if (now_us < next_sweep_us_) return;
  next_sweep_us_ = now_us + sweep_period_us;
  for (std::uint32_t index = 0; index < mappings_.size(); ++index) {
    const Mapping& mapping = mappings_[index];
    const Micros life_us =
        (mapping.timeout_s > 0 ? mapping.timeout_s : handshake_timeout_s) * second_us;
    if (mapping.used && now_us - mapping.last_received_us >= life_us) unmap(index);
  }
  tokens_.forget_expired(unix_s_);
}

std::uint64_t Server::send_payload(Micros now_us, std::uint32_t slot,
                                   std::span<const std::byte> bytes) {
  Session& session = sessions_[slot];
  PERIGEE_ASSERT(session.used, "payloads can be sent only to connected clients");
  PERIGEE_ASSERT(!bytes.empty() && bytes.size() <= payload_bytes_max,
                 "a payload must have 1 to 1200 bytes");
  // Until the client has proven that it knows its slot, a keep-alive precedes each payload.
  if (!session.confirmed) send_keep_alive(now_us, slot);
  const std::uint64_t sequence = session.next_sequence;
  send(now_us, session, PacketType::Payload, bytes);
  return sequence;
}

void Server::disconnect(Micros now_us, std::uint32_t slot) {
  PERIGEE_ASSERT(sessions_[slot].used, "only connected clients can be disconnected");
  say_goodbye(now_us, sessions_[slot]);
  free_session(slot, DisconnectReason::ByServer);
}

std::optional<ServerEvent> Server::take_event() {
  if (events_taken_ == events_.size()) {
    events_.clear();
    events_taken_ = 0;
    return std::nullopt;
  }
  return events_[events_taken_++];
}

void Server::push_event(const ServerEvent& event) {
  PERIGEE_ASSERT(events_.size() < events_.capacity(),
                 "too many events: call take_event() until empty after each call");
  events_.push_back(event);
}

void Server::send(Micros now_us, Session& session, PacketType type,
                  std::span<const std::byte> body) {
  session.last_sent_us = now_us;
  send_to(session.address, session, type, body);
}

void Server::send_to(const Address& to, Session& session, PacketType type,
                     std::span<const std::byte> body) {
  const std::size_t size = seal_packet(type, session.next_sequence++, body, settings_.protocol_id,
                                       session.send_key, out_);
  outbox_.send(to, std::span(out_).first(size));
}

void Server::send_keep_alive(Micros now_us, std::uint32_t slot) {
  const std::array<std::uint32_t, 2> body = {sessions_[slot].number, settings_.clients_max};
  send(now_us, sessions_[slot], PacketType::KeepAlive, std::as_bytes(std::span(body)));
}

void Server::send_global(const Address& to, const Key& key, PacketType type,
                         std::span<const std::byte> body) {
  const std::size_t size =
      seal_packet(type, global_sequence_++, body, settings_.protocol_id, key, out_);
  outbox_.send(to, std::span(out_).first(size));
}

void Server::say_goodbye(Micros now_us, Session& session) {
  for (int i = 0; i < disconnect_packets; ++i) send(now_us, session, PacketType::Disconnect, {});
}

void Server::free_session(std::uint32_t slot, DisconnectReason reason) {
  Session& session = sessions_[slot];
  push_event({.kind = ServerEvent::Kind::Disconnected,
              .slot = slot,
              .client_id = session.client_id,
              .address = session.address,
              .reason = reason});
  session_at_.erase(session.address);
  session_of_client_.erase(session.client_id);
  session_of_number_.erase(session.number);
  session = Session{};
  free_sessions_.push_back(slot);
  --clients_;
}

}  // namespace perigee::transport
