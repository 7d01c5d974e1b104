// The connection to the session service: claims, resume tokens, releases, orders.
#include "door.hpp"

namespace perigee::gateway {

void Door::link_session() {
  using Answer = transport::Server::ClaimAnswer;
  session_.emplace(
      loop_, options_.session,
      host::SessionLink::Events{
          .claimed =
              [this](std::uint64_t claim_id, bool granted) {
                if (!core_) return;
                if (spans_) spans_->claimed(host::Loop::clock_us(), claim_id, granted);
                core_->on_claim(host::Loop::clock_us(), claim_id,
                                granted ? Answer::Granted : Answer::Refused);
              },
          .resume_token =
              [this](std::uint64_t client_id, std::span<const std::byte> token) {
                if (core_) core_->on_resume_token(host::Loop::clock_us(), client_id, token);
              },
          .kicked =
              [this](std::uint64_t client_id) {
                if (core_) core_->kick_client(host::Loop::clock_us(), client_id);
              },
          .ordered =
              [this](std::uint64_t client_id, std::uint64_t order, const TechniqueOrder& wanted) {
                if (!core_) return;
                core_->order_techniques(host::Loop::clock_us(), client_id, order, wanted);
              }},
      options_.tls);
}

void Door::claim(const transport::ClaimRequest& request) {
  if (spans_) spans_->claim(host::Loop::clock_us(), request.claim_id, request.client_id);
  session_->claim({.claim_id = request.claim_id,
                   .token_tag = request.token_tag,
                   .client_id = request.client_id,
                   .issue = request.issue,
                   .expires_s = request.expire_time_s,
                   .gateway = options_.public_udp});
}

void Door::want_resume_token(std::uint64_t client_id) {
  if (session_) session_->want_resume_token(client_id);
}

void Door::joined(std::uint64_t client_id) {
  if (spans_) spans_->joined(host::Loop::clock_us(), client_id);
}

void Door::released(std::uint64_t client_id, std::uint64_t issue, Release how) {
  if (session_) session_->release({client_id, issue, how == Release::Lost});
}

void Door::on_techniques(std::uint64_t client_id, std::uint64_t order_id,
                         const Techniques& techniques) {
  if (session_) session_->report_techniques({client_id, order_id, techniques});
}

}  // namespace perigee::gateway
