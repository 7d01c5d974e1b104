#include "perigee/gateway/sessions.hpp"

#include <span>

#include "perigee/base/assert.hpp"

namespace perigee::gateway {

Sessions::Sessions(Needs needs, const transport::RandomBytes& random)
    : needs_(needs), sessions_(needs.clients_max), generations_(needs.clients_max) {
  random(std::as_writable_bytes(std::span(generations_)));
}

void Sessions::start(std::uint32_t slot, const SessionClient& client) {
  Session& session = sessions_[slot];
  PERIGEE_ASSERT(session.phase == Phase::Free, "the session's slot is still in use");
  session = {Phase::Joining, make_session(needs_.self, next_generation(slot), slot), client};
}

void Sessions::set_phase(std::uint32_t slot, Phase phase) {
  Session& session = sessions_[slot];
  PERIGEE_ASSERT(session.phase != Phase::Free, "the session must have been started");
  if (session.phase == Phase::Playing) --playing_;
  if (phase == Phase::Playing) ++playing_;
  session.phase = phase;
}

std::optional<std::uint32_t> Sessions::find(SessionId id) const {
  const std::uint32_t slot = session_client_slot(id);
  if (slot >= sessions_.size() || is_free(slot) || sessions_[slot].id != id) return std::nullopt;
  return slot;
}

std::uint32_t Sessions::next_generation(std::uint32_t slot) {
  constexpr int count_bits = session_generation_bits / 2;
  const auto started = static_cast<std::uint32_t>(needs_.started_at_s);
  return started << count_bits | (++generations_[slot] & ((1U << count_bits) - 1));
}

}  // namespace perigee::gateway
