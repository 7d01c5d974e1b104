#include "perigee/transport/connections.hpp"

#include "free_indices.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/transport/server_settings.hpp"

namespace perigee::transport {

Connections::Connections(Needs needs)
    : needs_(needs),
      numbers_(needs.number_key),
      connections_(needs.clients_max),
      free_(all_free(needs.clients_max)),
      slot_at_(needs.clients_max, needs.salt),
      slot_of_client_(needs.clients_max, needs.salt),
      slot_of_number_(needs.clients_max, needs.salt) {}

std::uint32_t Connections::open(Micros now_us, const Handshake& handshake) {
  PERIGEE_ASSERT(!free_.empty(), "a full server must have denied before");
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  connections_[slot] = {.used = true,
                        .address = handshake.address,
                        .client_id = handshake.client_id,
                        .issue = handshake.issue,
                        .number = numbers_.next(),
                        .receive_key = handshake.receive_key,
                        .send_key = handshake.send_key,
                        .timeout_s = handshake.timeout_s,
                        .rate = TokenBucket(needs_.packets_per_s_max, packet_burst, now_us),
                        .last_received_us = now_us,
                        .last_sent_us = now_us};
  slot_at_.insert(handshake.address, slot);
  slot_of_client_.insert(handshake.client_id, slot);
  slot_of_number_.insert(connections_[slot].number, slot);
  needs_.events.push({.kind = ServerEvent::Kind::Connected,
                      .slot = slot,
                      .client_id = handshake.client_id,
                      .address = handshake.address,
                      .user_data = handshake.user_data});
  return slot;
}

void Connections::close(std::uint32_t slot, DisconnectReason reason) {
  Connection& connection = connections_[slot];
  needs_.events.push({.kind = ServerEvent::Kind::Disconnected,
                      .slot = slot,
                      .client_id = connection.client_id,
                      .address = connection.address,
                      .reason = reason});
  slot_at_.erase(connection.address);
  slot_of_client_.erase(connection.client_id);
  slot_of_number_.erase(connection.number);
  connection = Connection{};
  free_.push_back(slot);
}

void Connections::move(Micros now_us, std::uint32_t slot, const Address& to) {
  Connection& connection = connections_[slot];
  slot_at_.erase(connection.address);
  slot_at_.insert(to, slot);
  connection.address = to;
  ++connection.moves;
  connection.next_move_us = now_us + move_period_us;
  needs_.events.push({.kind = ServerEvent::Kind::Moved,
                      .slot = slot,
                      .client_id = connection.client_id,
                      .address = to});
}

}  // namespace perigee::transport
