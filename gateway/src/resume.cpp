// The gateway and the session service: claims, resume tokens, kicks.
#include <algorithm>
#include <utility>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/gateway/core.hpp"

namespace perigee::gateway {

void Core::claim(const transport::ClaimRequest& request) { outputs_.claim(request); }

void Core::on_claim(Micros now_us, std::uint64_t claim_id, transport::Server::ClaimAnswer answer) {
  server_.on_claim(now_us, claim_id, answer);
  handle_events(now_us);
}

void Core::kick_client(Micros now_us, std::uint64_t client_id) {
  for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
    if (sessions_[slot].phase == Phase::Free || sessions_[slot].client_id != client_id) continue;
    counts_.add(metric.sessions_kicked);
    return kick(now_us, slot);
  }
}

void Core::advance_resumes(Micros now_us) {
  for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
    Session& session = sessions_[slot];
    if (session.phase != Phase::Playing) continue;
    if (now_us >= session.resume.next_ask_us) {
      session.resume.next_ask_us = now_us + resume_retry_us;
      session.resume.asked_under = others_changed_;
      counts_.add(metric.resume_tokens_asked);
      outputs_.want_resume_token(session.client_id);
    }
    if (session.resume.tells_left > 0 && now_us >= session.resume.next_tell_us) {
      tell_resume(now_us, slot);
    }
  }
}

void Core::on_resume_token(Micros now_us, std::uint64_t client_id,
                           std::span<const std::byte> token) {
  while (!token.empty() && token.back() == std::byte{0}) token = token.first(token.size() - 1);
  if (token.empty() || token.size() > resume_token_bytes_max) return;
  const auto at = std::find_if(sessions_.begin(), sessions_.end(), [&](const Session& session) {
    return session.phase == Phase::Playing && session.client_id == client_id;
  });
  if (at == sessions_.end()) return;
  Resume& resume = at->resume;
  ++resume.number;
  resume.size = static_cast<std::uint16_t>(token.size());
  std::copy(token.begin(), token.end(), resume.token.begin());
  resume.tells_left = resume_repeats_max;
  resume.made_under = resume.asked_under;
  if (resume.made_under == others_changed_) {  // otherwise another token is requested soon
    const auto spread = static_cast<Micros>(unit_interval(mix64(client_id, resume.number)) *
                                            static_cast<double>(resume_spread_us));
    resume.next_ask_us = now_us + resume_renewal_us + spread;
  }
  tell_resume(now_us, static_cast<std::uint32_t>(at - sessions_.begin()));
}

/// A client with a token that names a lost gateway dials in vain; and a token should not name only
/// a gateway that is about to stop, while others are alive.
void Core::note_gateways(Micros now_us) {
  std::vector<Address> others;
  for (const GatewayEntry& gateway : map_.gateways) {
    if (gateway.alive && gateway.slot != settings_.slot) others.push_back(gateway.public_udp);
  }
  if (others == others_) return;
  others_ = std::move(others);
  ++others_changed_;
  others_changed_us_ = now_us;
  renew_within(now_us, resume_change_spread_us);
}

void Core::renew_within(Micros now_us, Micros spread_us) {
  const Micros from_us = std::max(now_us, others_changed_us_ + resume_settle_us);
  for (Session& session : sessions_) {
    Resume& resume = session.resume;
    if (session.phase != Phase::Playing || resume.made_under == others_changed_) continue;
    const auto after = static_cast<Micros>(
        unit_interval(mix64(session.client_id, others_changed_)) * static_cast<double>(spread_us));
    resume.next_ask_us = std::min(resume.next_ask_us, from_us + after);
  }
}

void Core::prepare_farewell(Micros now_us) { renew_within(now_us, resume_farewell_spread_us); }

bool Core::could_all_come_back() const {
  return others_.empty() ||
         std::all_of(sessions_.begin(), sessions_.end(), [&](const Session& session) {
           const Resume& resume = session.resume;
           const bool given_up = resume.made_under == others_changed_ && resume.tells_left == 0;
           return session.phase != Phase::Playing || given_up ||
                  resume.held_under == others_changed_;
         });
}

void Core::tell_resume(Micros now_us, std::uint32_t slot) {
  Resume& resume = sessions_[slot].resume;
  resume.next_tell_us = now_us + resume_repeat_us;
  --resume.tells_left;
  std::array<std::byte, resume_frame_bytes_max> bytes;
  ByteWriter frame(bytes);
  std::array<std::byte, transport::payload_bytes_max> buffer;
  FrameWriter payload(buffer);
  const bool fits =
      write_resume(frame, {resume.number, std::span(resume.token).first(resume.size)}) &&
      payload.add(stream_gateway, frame.written());
  PERIGEE_ASSERT(fits, "a resume token with one address must fit into a payload of its own");
  counts_.add(metric.resume_tokens_sent);
  send_payload(now_us, slot, payload.payload());
}

void Core::on_resume_received(Session& session, std::uint32_t number) {
  if (number != session.resume.number || session.resume.tells_left == 0) return;
  session.resume.tells_left = 0;
  session.resume.held_under = session.resume.made_under;
  counts_.add(metric.resume_tokens_acknowledged);
}

}  // namespace perigee::gateway
