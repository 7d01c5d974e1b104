// The virtual cluster's session service: calls and replies, with the disk's delay.
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/lab/virtual_net.hpp"

namespace perigee::lab {
namespace {

constexpr Micros session_delay_us = 2'000;

}  // namespace

void VirtualCluster::claim(const transport::ClaimRequest& request) {
  const auto outcome = session_->claim(unix_us(), {.tag = request.token_tag,
                                                   .client_id = request.client_id,
                                                   .issue = request.issue,
                                                   .expires_s = request.expire_time_s,
                                                   .gateway_instance = gateway_incarnation_,
                                                   .handshake = request.claim_id,
                                                   .gateway = gateway_public});
  PERIGEE_ASSERT(outcome.ok(), "a store in memory must not fail");
  queue_.after(session_delay_us, [this, incarnation = gateway_incarnation_, id = request.claim_id,
                                  granted = *outcome == session::ClaimOutcome::Granted] {
    using Answer = transport::Server::ClaimAnswer;
    if (!gateway_ || incarnation != gateway_incarnation_) return;
    gateway_->on_claim(queue_.now_us(), id, granted ? Answer::Granted : Answer::Refused);
    gateway_->flush();
  });
}

void VirtualCluster::send_resume_token(std::uint64_t client_id) {
  const auto answer = session_->issue_resume(unix_us(), client_id, directory_->map());
  const auto* resume = std::get_if<session::ResumeToken>(&answer);
  if (resume == nullptr) return;
  queue_.after(session_delay_us, [this, client_id, token = resume->token] {
    if (gateway_) gateway_->on_resume_token(queue_.now_us(), client_id, token);
  });
}

std::variant<std::uint64_t, session::OrderRefused> VirtualCluster::order(
    const session::SessionName& name, std::string_view settings) {
  if (auto refused = session::refuse_settings(settings)) return *refused;
  const auto sessions = session_->named(name);
  PERIGEE_ASSERT(sessions.ok(), "a store in memory must not fail");
  const auto opened = orders_.open(unix_us(), *sessions);
  if (const auto* id = std::get_if<std::uint64_t>(&opened)) {
    queue_.after(session_delay_us, [this, order = *read_order(settings), id = *id] {
      if (!gateway_) return;
      for (const std::uint64_t client_id : orders_.clients(id)) {
        gateway_->order_techniques(queue_.now_us(), client_id, id, order);
      }
    });
  }
  return opened;
}

}  // namespace perigee::lab
