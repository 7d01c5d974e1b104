// A session after its log-in: claim, resume, release, end.
#include <algorithm>

#include "perigee/base/assert.hpp"
#include "perigee/session/core.hpp"

namespace perigee::session {
std::variant<ResumeToken, Refused> Core::issue_resume(const Moment& now, std::uint64_t client_id,
                                                      const ClusterMap& map) {
  const auto refuse = [&](Refusal why) { return Refused{why, describe(why, {}, map)}; };
  const auto found = store_.find(client_id);
  if (!found) return refuse(Refusal::StoreFailed);
  if (!*found || is_over((*found)->state)) return refuse(Refusal::NoSession);
  Session session = **found;
  const GatewayEntry* gateway = choose_gateway(map, session.gateway);
  if (gateway == nullptr) return refuse(Refusal::NoGateway);
  const std::uint64_t now_s = now.unix_s();
  session.seen_s = calendar_.unix_s(now);
  const auto updated = store_.update(session);
  if (!updated) return refuse(Refusal::StoreFailed);
  session.gateway = gateway->public_udp;
  return ResumeToken{make_token(now_s, resume_token_life_s, session, false), now_s + resume_token_life_s};
}

Result<ClaimOutcome> Core::claim(const Moment& now, const Claim& claim) {
  return store_.claim(claim, calendar_.unix_s(now));
}

Result<Ok> Core::release(const Moment& now, const Release& release) {
  PERIGEE_ASSERT(release.state == SessionState::Left || release.state == SessionState::Lost,
                 "a gateway reports only Left or Lost");
  const auto found = store_.find(release.client_id);
  if (!found) return found.error();
  if (!*found || is_over((*found)->state)) return Ok{};
  Session session = **found;
  if (session.holder != release.gateway_instance) return Ok{};
  if (release.issue < session.granted_issue) return Ok{};
  session.state = release.state;
  session.seen_s = calendar_.unix_s(now);
  const auto updated = store_.update(session);
  if (!updated) return updated.error();
  return Ok{};
}

Result<std::vector<Session>> Core::named(const SessionName& name) {
  if (name.player_id != 0) return store_.of_player(name.player_id);
  if (name.everybody) return store_.list({.rows_max = sessions_at_once_max});
  if (name.client_id != 0) {
    const auto found = store_.find(name.client_id);
    if (!found) return found.error();
    return *found ? std::vector{**found} : std::vector<Session>{};
  }
  if (name.player_name.empty()) return std::vector<Session>{};
  return store_.list({.player_name = name.player_name, .rows_max = sessions_at_once_max});
}

Result<std::vector<std::uint64_t>> Core::end(const Moment& now, const SessionName& name,
                                             SessionState state) {
  PERIGEE_ASSERT(is_over(state), "the state must be a final one");
  auto sessions = named(name);
  if (!sessions) return sessions.error();
  std::vector<std::uint64_t> ended;
  for (Session& session : *sessions) {
    // A kick after an `end` must still reach the gateway.
    if (session.state == state) continue;
    session.state = state;
    session.seen_s = calendar_.unix_s(now);
    const auto updated = store_.update(session);
    if (!updated) return updated.error();
    ended.push_back(session.client_id);
  }
  return ended;
}

Result<std::uint32_t> Core::forget_old(const Moment& now) {
  const std::uint64_t calendar_s = calendar_.unix_s(now);
  // Gateways accept a token as long as their clocks say so: while the clocks differ, the earlier
  // time counts.
  return store_.forget({calendar_s, std::min(calendar_s, now.unix_s())}, settings_.retention);
}

Result<std::vector<std::uint64_t>> Core::kicked_within(const Moment& now, std::uint64_t seconds) {
  return store_.kicked_since(calendar_.unix_s(now) - seconds);
}

}  // namespace perigee::session
