#include "perigee/gateway/resume_tokens.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "perigee/base/frames.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/server_settings.hpp"

namespace perigee::gateway {

void ResumeTokens::advance(Micros now_us, std::uint64_t unix_s) {
  note_clock(now_us, unix_s);
  for (std::uint32_t slot = 0; slot < tokens_.size(); ++slot) {
    if (!needs_.sessions.is_playing(slot)) continue;
    Token& token = tokens_[slot];
    if (now_us >= token.next_ask_us) {
      token.next_ask_us = now_us + retry_us;
      token.asked_under = changes_;
      needs_.counts.add(metric.resume_tokens_asked);
      needs_.outputs.want_resume_token(needs_.sessions[slot].client.client_id);
    }
    if (token.sends_left > 0 && now_us >= token.next_send_us) send(now_us, slot);
  }
}

void ResumeTokens::on_token(Micros now_us, std::uint64_t client_id,
                            std::span<const std::byte> bytes) {
  std::uint32_t slot = 0;
  const auto plays_here = [&] {
    return needs_.sessions.is_playing(slot) && needs_.sessions[slot].client.client_id == client_id;
  };
  while (slot < tokens_.size() && !plays_here()) ++slot;
  if (slot == tokens_.size()) return;
  Token& token = tokens_[slot];
  if (!lives_long_enough(bytes)) {
    needs_.counts.add(metric.resume_tokens_refused);
    token.next_ask_us = now_us + refused_retry_us;
    return;
  }
  while (!bytes.empty() && bytes.back() == std::byte{0}) bytes = bytes.first(bytes.size() - 1);
  if (bytes.size() > resume_token_bytes_max) return;
  ++token.number;
  token.size = static_cast<std::uint16_t>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), token.bytes.begin());
  token.sends_left = repeats_max;
  token.made_under = token.asked_under;
  if (token.made_under == changes_) {  // otherwise another token is requested soon
    const auto spread = static_cast<Micros>(unit_interval(mix64(client_id, token.number)) *
                                            static_cast<double>(spread_us));
    token.next_ask_us = now_us + renewal_us + spread;
  }
  send(now_us, slot);
}

// If the clock of the session service is wrong, the client keeps the token that it has.
bool ResumeTokens::lives_long_enough(std::span<const std::byte> bytes) const {
  const auto token = transport::read_connect_token(bytes);
  constexpr auto life_s_min = static_cast<std::uint64_t>((renewal_us + spread_us) / 1'000'000);
  return token && token->expire_time_s >= unix_s_ + life_s_min &&
         token->expire_time_s <= unix_s_ + transport::token_life_s_max;
}

// By the clock of after a step, tokens of before have expired or live too long.
void ResumeTokens::note_clock(Micros now_us, std::uint64_t unix_s) {
  unix_s_ = unix_s;
  const std::int64_t ahead_s = static_cast<std::int64_t>(unix_s) - now_us / 1'000'000;
  const std::int64_t step_s = ahead_s - clock_ahead_s_.value_or(ahead_s);
  clock_ahead_s_ = ahead_s;
  if (std::abs(step_s) < clock_step_s_min) return;
  ++changes_;
  renew_within(now_us, change_spread_us);
}

/// A client with a token that names a lost gateway dials in vain. And while other gateways are
/// alive, a token should not name only one that is about to stop.
void ResumeTokens::on_map(Micros now_us) {
  std::vector<Address> others;
  for (const GatewayEntry& gateway : needs_.map.gateways) {
    if (gateway.alive && gateway.slot != needs_.self) others.push_back(gateway.public_udp);
  }
  if (others == others_) return;
  others_ = std::move(others);
  ++changes_;
  others_changed_us_ = now_us;
  renew_within(now_us, change_spread_us);
}

void ResumeTokens::renew_within(Micros now_us, Micros within_us) {
  const Micros from_us = std::max(now_us, others_changed_us_ + settle_us);
  for (std::uint32_t slot = 0; slot < tokens_.size(); ++slot) {
    Token& token = tokens_[slot];
    if (!needs_.sessions.is_playing(slot) || token.made_under == changes_) continue;
    const std::uint64_t client_id = needs_.sessions[slot].client.client_id;
    const auto after = static_cast<Micros>(unit_interval(mix64(client_id, changes_)) *
                                           static_cast<double>(within_us));
    token.next_ask_us = std::min(token.next_ask_us, from_us + after);
  }
}

bool ResumeTokens::all_current() const {
  if (others_.empty()) return true;
  for (std::uint32_t slot = 0; slot < tokens_.size(); ++slot) {
    const Token& token = tokens_[slot];
    const bool given_up = token.made_under == changes_ && token.sends_left == 0;
    if (needs_.sessions.is_playing(slot) && !given_up && token.held_under != changes_) {
      return false;
    }
  }
  return true;
}

void ResumeTokens::send(Micros now_us, std::uint32_t slot) {
  Token& token = tokens_[slot];
  token.next_send_us = now_us + repeat_us;
  --token.sends_left;
  const auto whole = std::span<const std::byte>(token.bytes).first(token.size);
  for (std::uint8_t part = 0; part < resume_parts(whole.size()); ++part) {
    std::array<std::byte, resume_frame_bytes_max> bytes;
    ByteWriter frame(bytes);
    std::array<std::byte, frames_bytes_max> buffer;
    FrameWriter payload(buffer);
    const bool fits = write_resume(frame, resume_part(token.number, part, whole)) &&
                      payload.add(stream_gateway, frame.written());
    PERIGEE_ASSERT(fits, "a part of a resume token must fit into a payload of its own");
    needs_.payloads.send(now_us, slot, payload.payload());
  }
  needs_.counts.add(metric.resume_tokens_sent);
}

void ResumeTokens::on_acknowledged(std::uint32_t slot, std::uint32_t number) {
  Token& token = tokens_[slot];
  if (number != token.number || token.sends_left == 0) return;
  token.sends_left = 0;
  token.held_under = token.made_under;
  needs_.counts.add(metric.resume_tokens_acknowledged);
}

}  // namespace perigee::gateway
