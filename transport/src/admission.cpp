#include "perigee/transport/admission.hpp"

namespace perigee::transport {

std::optional<Drop> Admission::refusal(const Address& from, std::uint64_t client_id,
                                       std::uint64_t issue) const {
  const Connections& connections = needs_.connections;
  if (const std::uint32_t* slot = connections.at(from);
      slot && connections[*slot].client_id != client_id) {
    return Drop::RequestAddressBusy;
  }
  // A crashed client reconnects with a newer token before its old session has timed out.
  if (const std::uint32_t* slot = connections.of_client(client_id);
      slot && connections[*slot].issue > issue) {
    return Drop::RequestOlderToken;
  }
  return std::nullopt;
}

bool Admission::full_for(std::uint64_t client_id) const {
  return needs_.connections.free_slots() <= needs_.handshakes.claims_pending() &&
         !needs_.connections.of_client(client_id);
}

bool Admission::full_for_granted(std::uint64_t client_id) const {
  return needs_.connections.free_slots() == 0 && !needs_.connections.of_client(client_id);
}

void Admission::deny(const Handshake& handshake) {
  needs_.drops.add(Drop::ServerFull);
  needs_.sender.send_global(handshake.address, handshake.send_key, PacketType::Denied, {});
}

void Admission::establish(Micros now_us, const Handshake& handshake) {
  const Handshake granted = handshake;  // consuming its token ends it
  needs_.handshakes.consume(granted.token_tag);
  Connections& connections = needs_.connections;
  if (const std::uint32_t* old = connections.of_client(granted.client_id)) {
    const std::uint32_t slot = *old;
    if (connections[slot].address != granted.address) {
      needs_.sender.send_goodbye(now_us, connections[slot]);
    }
    connections.close(slot, DisconnectReason::Replaced);
  }
  const std::uint32_t slot = connections.open(now_us, granted);
  needs_.sender.send_keep_alive(now_us, connections[slot]);
}

}  // namespace perigee::transport
