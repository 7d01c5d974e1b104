#include "perigee/transport/client.hpp"

#include <algorithm>
#include <cstring>

namespace perigee::transport {
namespace {

constexpr std::uint64_t second_us = 1'000'000;

bool replay_protected(PacketType type) {
  return type == PacketType::KeepAlive || type == PacketType::Payload ||
         type == PacketType::Disconnect;
}

}  // namespace

bool Client::begin(Micros now_us, std::span<const std::byte> token) {
  outgoing_count_ = 0;
  spare_.reset();
  former_.reset();
  redialling_ = false;
  const auto read = read_connect_token(token);
  if (!read) {
    state_ = ClientState::InvalidToken;
    return false;
  }
  start(now_us, *read, now_us);
  return true;
}

bool Client::set_spare(Micros now_us, std::span<const std::byte> token) {
  const auto read = read_connect_token(token);
  if (read) spare_ = {*read, now_us};
  return read.has_value();
}

bool Client::redial(Micros now_us) {
  if (!spare_) return false;
  former_.reset();
  redialling_ = true;
  const Spare spare = *spare_;
  spare_.reset();
  start(now_us, spare.token, spare.given_us);
  return true;
}

bool Client::redial_silent(Micros now_us) {
  if (!spare_) return false;
  const Former session{*spare_, token_,        dialled_,     life_from_us_, next_sequence_,
                       window_, client_index_, clients_max_, echo_};
  redial(now_us);
  former_ = session;
  return true;
}

/// Whether it may be a packet of the former session. Other types may belong to the new one.
bool Client::of_former(const Address& from, PacketType type) const {
  return former_ && state_ == ClientState::SendingRequest && type == PacketType::Payload &&
         from == former_->address();
}

void Client::return_to_former(Micros now_us) {
  token_ = former_->token;
  spare_ = former_->spare;
  dialled_ = former_->dialled;
  life_from_us_ = former_->life_from_us;
  next_sequence_ = former_->next_sequence;
  window_ = former_->window;
  client_index_ = former_->client_index;
  clients_max_ = former_->clients_max;
  echo_ = former_->echo;
  former_.reset();
  redialling_ = false;
  state_ = ClientState::Connected;
  last_received_us_ = now_us;
  ++returns_;
}

void Client::start(Micros now_us, const PublicToken& token, Micros life_from_us) {
  token_ = token;
  outgoing_count_ = 0;
  next_sequence_ = 0;  // a new token has new keys
  answered_.reset();
  begun_us_ = now_us;
  life_from_us_ = life_from_us;
  dial(now_us, 0);
}

void Client::dial(Micros now_us, std::size_t address) {
  dialled_ = address;
  window_ = ReplayWindow{};
  last_received_us_ = now_us;
  state_ = ClientState::SendingRequest;
  send_request(now_us);
}

void Client::give_up_address(Micros now_us, ClientState end) {
  if (dialled_ + 1 < token_.addresses.size()) {
    dial(now_us, dialled_ + 1);
  } else if (redialling_ && end != ClientState::Denied &&
             now_us - begun_us_ < options_.redial_limit_us) {
    dial(now_us, 0);
  } else {
    state_ = end;
  }
}

std::optional<Client::Payload> Client::receive(Micros now_us, const Address& from,
                                               std::span<std::byte> datagram) {
  if (datagram.empty()) return drop(Drop::Empty);
  if (!handshaking() && !connected()) return drop(Drop::NotConnected);
  if (from != server_address() && !(former_ && from == former_->address())) {
    return drop(Drop::UnknownSource);
  }
  Drop why{};
  const auto head = read_head(datagram, Receiver::Client, why);
  if (!head) return drop(why);
  const bool former = of_former(from, head->type);
  if (!former && from != server_address()) return drop(Drop::UnknownSource);
  ReplayWindow& window = former ? former_->window : window_;
  if (replay_protected(head->type)) {
    const auto verdict = window.judge(head->sequence);
    if (verdict == ReplayWindow::Verdict::TooOld) return drop(Drop::ReplayTooOld);
    if (verdict == ReplayWindow::Verdict::Seen) return drop(Drop::ReplaySeen);
  }
  const PublicToken& token = former ? former_->token : token_;
  const auto body = open_packet(*head, datagram, token.protocol_id, token.server_to_client);
  if (!body) return drop(Drop::Forged);
  if (replay_protected(head->type)) window.mark(head->sequence);
  if (former) return_to_former(now_us);
  if (!body_size_fits(head->type, body->size())) return drop(Drop::BadBodySize);
  if (head->type != PacketType::Payload) {
    act(now_us, head->type, *body);
    return std::nullopt;
  }
  if (!connected()) return drop(Drop::WrongState);
  last_received_us_ = now_us;
  return Payload{head->sequence, *body};
}

void Client::act(Micros now_us, PacketType type, std::span<const std::byte> body) {
  if (type == PacketType::Denied && handshaking()) {
    // Another server that has answered this token may have opened its session: this server is too
    // late.
    const bool elsewhere = answered_ && *answered_ != dialled_;
    give_up_address(now_us, elsewhere ? ClientState::RequestTimedOut : ClientState::Denied);
  } else if (type == PacketType::Challenge && state_ == ClientState::SendingRequest) {
    std::copy(body.begin(), body.end(), challenge_.begin());
    state_ = ClientState::SendingResponse;
    answered_ = dialled_;
    last_received_us_ = now_us;
    former_.reset();  // the response may end it
    send(now_us, PacketType::Response, challenge_);
  } else if (type == PacketType::KeepAlive && handshaking()) {
    // Also in SendingRequest: the response of an earlier round may have opened the session.
    last_received_us_ = now_us;
    on_first_keep_alive(body);
  } else if (type == PacketType::KeepAlive && connected()) {
    last_received_us_ = now_us;
    on_keep_alive(now_us, body);
  } else if (type == PacketType::Disconnect && connected()) {
    state_ = ClientState::Disconnected;
  } else {
    drops_.add(Drop::WrongState);
  }
}

void Client::on_first_keep_alive(std::span<const std::byte> body) {
  std::memcpy(&client_index_, body.data(), sizeof client_index_);
  std::memcpy(&clients_max_, body.data() + sizeof client_index_, sizeof clients_max_);
  state_ = ClientState::Connected;
  redialling_ = false;
  ++sessions_;
  echo_.fill(std::byte{0});
  former_.reset();  // it connected by a response of an earlier round
  if (!numbered()) return;
  std::copy(body.begin(), body.end(), echo_.begin());
  // From now on each sequence contains the session's number, so it identifies the session from any
  // address.
  next_sequence_ |= static_cast<std::uint64_t>(client_index_) << session_number_shift;
}

void Client::on_keep_alive(Micros now_us, std::span<const std::byte> body) {
  if (!numbered() || std::equal(body.begin(), body.end(), echo_.begin())) return;
  std::copy(body.begin(), body.end(), echo_.begin());
  send(now_us, PacketType::KeepAlive, echo_);  // at once: the server waits for it
}

void Client::advance(Micros now_us) {
  if (!handshaking() && !connected()) return;
  check_times(now_us);
  if (now_us - last_sent_us_ < send_period_us) return;
  if (state_ == ClientState::SendingRequest) {
    send_request(now_us);
  } else if (state_ == ClientState::SendingResponse) {
    send(now_us, PacketType::Response, challenge_);
  } else if (connected()) {
    send(now_us, PacketType::KeepAlive, echo_);
  }
}

void Client::check_times(Micros now_us) {
  // The token's lifetime, on the client's clock and over all addresses, takes precedence over the
  // timeout.
  const std::uint64_t life_s = token_.expire_time_s - token_.create_time_s;
  if (handshaking() && static_cast<std::uint64_t>(now_us - life_from_us_) / second_us >= life_s) {
    state_ = ClientState::Expired;
    return;
  }
  const Micros silence_us = now_us - last_received_us_;
  if (connected() && silence_us >= options_.redial_silence_us && redial_silent(now_us)) return;
  if (token_.timeout_s <= 0 || silence_us < token_.timeout_s * static_cast<Micros>(second_us)) {
    return;
  }
  switch (state_) {
    case ClientState::SendingRequest:
      return give_up_address(now_us, ClientState::RequestTimedOut);
    case ClientState::SendingResponse:
      return give_up_address(now_us, ClientState::ResponseTimedOut);
    default:
      state_ = ClientState::TimedOut;
  }
}

std::optional<Client::Outgoing> Client::poll_send() {
  if (outgoing_count_ == 0) return std::nullopt;
  const Slot& slot = outgoing_[outgoing_first_];
  outgoing_first_ = (outgoing_first_ + 1) % outgoing_max;
  --outgoing_count_;
  return Outgoing{slot.to, std::span(slot.bytes).first(slot.size)};
}

std::optional<std::uint64_t> Client::send_payload(Micros now_us, std::span<const std::byte> bytes) {
  PERIGEE_ASSERT(!bytes.empty() && bytes.size() <= payload_bytes_max,
                 "a payload must have 1 to 1200 bytes");
  if (!connected() && former_) {
    Slot* slot = outgoing_slot();
    if (!slot) return std::nullopt;
    slot->to = former_->address();
    slot->size =
        seal_packet(PacketType::Payload, former_->next_sequence, bytes, former_->token.protocol_id,
                    former_->token.client_to_server, slot->bytes);
    return former_->next_sequence++;
  }
  const std::uint64_t sequence = next_sequence_;
  if (!connected() || !send(now_us, PacketType::Payload, bytes)) return std::nullopt;
  return sequence;
}

void Client::disconnect(Micros now_us) {
  if (connected()) {
    for (int i = 0; i < disconnect_packets; ++i) send(now_us, PacketType::Disconnect, {});
  }
  former_.reset();
  state_ = ClientState::Disconnected;
}

Client::Slot* Client::outgoing_slot() {
  if (outgoing_count_ == outgoing_max) return nullptr;
  Slot& slot = outgoing_[(outgoing_first_ + outgoing_count_++) % outgoing_max];
  slot.to = server_address();
  return &slot;
}

bool Client::send(Micros now_us, PacketType type, std::span<const std::byte> body) {
  Slot* slot = outgoing_slot();
  if (!slot) return false;
  slot->size = seal_packet(type, next_sequence_++, body, token_.protocol_id,
                           token_.client_to_server, slot->bytes);
  last_sent_us_ = now_us;
  return true;
}

void Client::send_request(Micros now_us) {
  Slot* slot = outgoing_slot();
  if (!slot) return;
  ++next_sequence_;  // each request consumes a sequence, too
  slot->size = request_bytes;
  write_request({{token_.protocol_id, token_.expire_time_s, token_.nonce}, token_.sealed},
                std::span<std::byte, request_bytes>(slot->bytes.data(), request_bytes));
  last_sent_us_ = now_us;
}

}  // namespace perigee::transport
