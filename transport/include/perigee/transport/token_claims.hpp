/// Claims: before a valid response opens a session, the store of used tokens must grant the claim.
#pragma once

#include <cstdint>

#include "perigee/base/counts.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/admission.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/handshake_table.hpp"
#include "perigee/transport/outbox.hpp"
#include "perigee/transport/packet_sender.hpp"

namespace perigee::transport {

enum class ClaimAnswer : std::uint8_t { Granted, Refused };

class TokenClaims {
 public:
  struct Needs {
    HandshakeTable& handshakes;
    Admission& admission;
    PacketSender& sender;
    Outbox& outbox;
    Counts<Drop>& drops;
  };
  explicit TokenClaims(Needs needs) : needs_(needs) {}

  /// Asks the store, or asks again.
  void request(Micros now_us, std::uint32_t handshake);
  /// The store's answer. Answers to handshakes that no longer exist are counted and ignored.
  void on_answer(Micros now_us, std::uint64_t claim_id, ClaimAnswer answer);
  /// Refuses the pending claims of that client. The store's later answers have no effect.
  void refuse_client(std::uint64_t client_id);

 private:
  void refuse(std::uint32_t handshake);

  Needs needs_;
  std::uint64_t made_ = 0;
};

}  // namespace perigee::transport
