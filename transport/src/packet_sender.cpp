#include "perigee/transport/packet_sender.hpp"

namespace perigee::transport {
namespace {

constexpr std::uint64_t global_sequence_start = 1ULL << 63;
constexpr int gateway_number_shift = 48;

}  // namespace

PacketSender::PacketSender(Needs needs)
    : needs_(needs),
      // These packets share a key with the client's own, which start at sequence 0; the gateway
      // number separates two gateways that serve the same token.
      global_sequence_(global_sequence_start | static_cast<std::uint64_t>(needs.gateway_number)
                                                   << gateway_number_shift) {}

void PacketSender::send_at(const Address& address, Connection& to, PacketType type,
                           std::span<const std::byte> body) {
  const std::size_t size =
      seal_packet(type, to.next_sequence++, body, needs_.protocol_id, to.send_key, out_);
  needs_.outbox.send(address, std::span(out_).first(size));
}

void PacketSender::send_keep_alive(Micros now_us, Connection& to) {
  const std::array<std::uint32_t, 2> body = {to.number, needs_.clients_max};
  send(now_us, to, PacketType::KeepAlive, std::as_bytes(std::span(body)));
}

void PacketSender::send_goodbye(Micros now_us, Connection& to) {
  for (int i = 0; i < disconnect_packets; ++i) send(now_us, to, PacketType::Disconnect, {});
}

void PacketSender::send_global(const Address& to, const Key& key, PacketType type,
                               std::span<const std::byte> body) {
  const std::size_t size =
      seal_packet(type, global_sequence_++, body, needs_.protocol_id, key, out_);
  needs_.outbox.send(to, std::span(out_).first(size));
}

}  // namespace perigee::transport
