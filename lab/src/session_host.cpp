#include "perigee/lab/session_host.hpp"

#include <algorithm>
#include <utility>

#include "perigee/base/wire_client.hpp"
#include "perigee/lab/virtual_net.hpp"
#include "perigee/session/sqlite_store.hpp"

namespace perigee::lab {
namespace {

constexpr const char* everybodys_secret = "everybody in the lab";

session::CoreSettings settings_for(std::uint32_t players) {
  session::CoreSettings settings;
  settings.rates.all.burst = std::max(settings.rates.all.burst, players);
  return settings;
}

}  // namespace

SessionHost::SessionHost(Needs needs)
    : queue_(needs.queue),
      clock_(needs.queue),
      secret_(everybodys_secret),
      store_(std::move(session::SqliteStore::open(":memory:")).value()),
      core_(settings_for(needs.players), needs.key, secret_, *store_, needs.random.bytes()) {}

std::variant<session::Admitted, session::Refused> SessionHost::log_in(
    const std::string& player_name, const Address& source, RegionId region, const ClusterMap& map) {
  return core_.log_in(clock_.unix_us(),
                      {.player_name = player_name,
                       .credential = everybodys_secret,
                       .wire_version = wire_version,
                       .schema_hash = map.schema_hash,
                       .wanted_region = region,
                       .source = source},
                      map);
}

void SessionHost::claim(const transport::ClaimRequest& request, std::uint64_t gateway_instance,
                        std::function<void(transport::Server::ClaimAnswer)> reply) {
  using Answer = transport::Server::ClaimAnswer;
  const auto outcome = core_.claim(clock_.unix_us(), {.tag = request.token_tag,
                                                      .client_id = request.client_id,
                                                      .issue = request.issue,
                                                      .expires_s = request.expire_time_s,
                                                      .gateway_instance = gateway_instance,
                                                      .handshake = request.claim_id,
                                                      .gateway = gateway_public});
  PERIGEE_ASSERT(outcome.ok(), "a store in memory must not fail");
  const bool granted = *outcome == session::ClaimOutcome::Granted;
  queue_.after(delay_us, [reply = std::move(reply), granted] {
    reply(granted ? Answer::Granted : Answer::Refused);
  });
}

void SessionHost::issue_resume(std::uint64_t client_id, const ClusterMap& map,
                               std::function<void(const transport::ConnectToken&)> reply) {
  const auto answer = core_.issue_resume(clock_.unix_us(), client_id, map);
  const auto* resume = std::get_if<session::ResumeToken>(&answer);
  if (resume == nullptr) return;
  queue_.after(delay_us, [reply = std::move(reply), token = resume->token] { reply(token); });
}

void SessionHost::release(const session::Release& release) {
  const auto released = core_.release(clock_.unix_us(), release);
  PERIGEE_ASSERT(released.ok(), "a store in memory must not fail");
}

std::variant<std::uint64_t, session::OrderRefused> SessionHost::order(
    const session::SessionName& name, std::string_view settings,
    std::function<void(std::uint64_t, std::uint64_t, const TechniqueOrder&)> deliver) {
  if (auto refused = session::refuse_settings(settings)) return *refused;
  const auto sessions = core_.named(name);
  PERIGEE_ASSERT(sessions.ok(), "a store in memory must not fail");
  const auto opened = orders_.open(clock_.unix_us(), *sessions);
  if (const auto* id = std::get_if<std::uint64_t>(&opened)) {
    queue_.after(delay_us,
                 [this, order = *read_order(settings), id = *id, deliver = std::move(deliver)] {
                   for (const std::uint64_t client_id : orders_.clients(id))
                     deliver(client_id, id, order);
                 });
  }
  return opened;
}

}  // namespace perigee::lab
