#include "perigee/session/core.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "perigee/base/assert.hpp"
#include "perigee/base/npc_names.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/transport/player_token.hpp"
#include "player_name.hpp"

namespace perigee::session {
namespace {

bool has_living_owner(const RegionEntry& region, const ClusterMap& map) {
  if (!region.owner) return false;
  const WorkerEntry* worker = map.worker(*region.owner);
  return worker != nullptr && worker->alive;
}

bool any_worker_alive(const ClusterMap& map) {
  return std::any_of(map.workers.begin(), map.workers.end(),
                     [](const WorkerEntry& worker) { return worker.alive; });
}

/// Round robin over the entries that pass; null if none does.
template <class Entries, class Passes>
auto* take_turn(const Entries& entries, std::uint32_t& turn, Passes passes) {
  std::vector<const typename Entries::value_type*> passing;
  for (const auto& entry : entries) {
    if (passes(entry)) passing.push_back(&entry);
  }
  return passing.empty() ? nullptr : passing[turn++ % passing.size()];
}

std::uint64_t random_number(const transport::RandomBytes& random) {
  std::uint64_t number = 0;
  random(std::as_writable_bytes(std::span(&number, 1)));
  return number;
}

}  // namespace

Core::Core(const CoreSettings& settings, const transport::Key& backend_key,
           const Authenticator& authenticator, SessionStore& store, transport::RandomBytes random)
    : settings_(settings),
      backend_key_(backend_key),
      authenticator_(authenticator),
      store_(store),
      random_(std::move(random)),
      limits_(settings.rates, random_number(random_)) {}

std::optional<Refusal> Core::missing(const ClusterMap& map) {
  if (map.schema_hash == 0 || !any_worker_alive(map)) return Refusal::NoWorld;
  const auto owned = [&](const RegionEntry& region) { return has_living_owner(region, map); };
  if (std::none_of(map.regions.begin(), map.regions.end(), owned)) return Refusal::NoRegion;
  const auto alive = [](const GatewayEntry& gateway) { return gateway.alive; };
  if (std::none_of(map.gateways.begin(), map.gateways.end(), alive)) return Refusal::NoGateway;
  return std::nullopt;
}

std::optional<Refusal> Core::fault_of(const LogInRequest& request, const ClusterMap& map) {
  if (request.wire_version != wire_version) return Refusal::WireVersion;
  if (map.schema_hash == 0 || !any_worker_alive(map)) return Refusal::NoWorld;
  if (request.schema_hash != map.schema_hash) return Refusal::Schema;
  if (fault_of_name(request.player_name)) return Refusal::BadName;
  return std::nullopt;
}

std::variant<RegionId, Refusal> Core::choose_region(const LogInRequest& request,
                                                    const ClusterMap& map) {
  if (request.wanted_region) {
    const RegionEntry* wanted = map.region(*request.wanted_region);
    if (wanted == nullptr) return Refusal::UnknownRegion;
    if (!has_living_owner(*wanted, map)) return Refusal::NoRegion;
    return wanted->region;
  }
  const RegionEntry* region = take_turn(
      map.regions, region_turn_, [&](const RegionEntry& r) { return has_living_owner(r, map); });
  if (region == nullptr) return Refusal::NoRegion;
  return region->region;
}

const GatewayEntry* Core::choose_gateway(const ClusterMap& map, const Address& avoided) {
  const auto* other = take_turn(map.gateways, gateway_turn_, [&](const GatewayEntry& gateway) {
    return gateway.alive && gateway.public_udp != avoided;
  });
  if (other != nullptr) return other;
  return take_turn(map.gateways, gateway_turn_, [](const GatewayEntry& g) { return g.alive; });
}

std::uint64_t Core::new_client_id() {
  std::uint64_t id = 0;
  while (id == 0 || is_npc_client(id)) id = random_number(random_);
  return id;
}

std::uint64_t Core::next_issue(std::uint64_t now_s, std::uint64_t granted) {
  constexpr int tokens_per_s_bits = 20;
  last_issue_ = std::max({last_issue_ + 1, now_s << tokens_per_s_bits, granted + 1});
  return last_issue_;
}

transport::ConnectToken Core::make_token(std::uint64_t now_s, std::uint64_t life_s,
                                         const Session& session, bool alone) {
  transport::PlayerPass pass{.wire_version = static_cast<std::uint16_t>(session.wire_version),
                             .schema_hash = session.schema_hash,
                             .home_region = session.region,
                             .issue = next_issue(now_s, session.granted_issue)};
  pass.set_name(session.player_name);
  pass.player_id = session.player_id;
  pass.set_claims(session.claims);
  pass.alone = alone;
  return transport::make_player_token({.client_id = session.client_id,
                                       .gateway = session.gateway,
                                       .create_time_s = now_s,
                                       .life_s = life_s,
                                       .timeout_s = static_cast<std::int32_t>(settings_.timeout_s),
                                       .pass = pass},
                                      backend_key_, random_);
}

std::optional<Refused> Core::over_rate(const Moment& now, const LogInRequest& request) {
  const auto over = limits_.take(now.monotonic_us, request.source, request.player_name);
  if (!over) return std::nullopt;
  const auto wait_s = static_cast<std::uint64_t>((over->retry_after_us + 999'999) / 1'000'000);
  const std::string wait = "; try again in " + std::to_string(wait_s) + " s";
  switch (over->limit) {
    case LogInLimit::Address:
      return Refused{Refusal::AddressOverRate, "too many log-ins from your address" + wait, wait_s};
    case LogInLimit::Name:
      return Refused{Refusal::NameOverRate, "too many log-ins under this name" + wait, wait_s};
    case LogInLimit::All:
      break;
  }
  return Refused{Refusal::AllOverRate, "too many players log in at once" + wait, wait_s};
}

std::variant<Admitted, Refused> Core::log_in(const Moment& now, const LogInRequest& request,
                                             const ClusterMap& map) {
  if (const auto refused = check(now, request, map)) return *refused;
  const auto identity = authenticate(now, request);
  if (const auto* refused = std::get_if<Refused>(&identity)) return *refused;
  return admit(now, request, std::get<Identity>(identity), map);
}

std::optional<Refused> Core::check(const Moment& now, const LogInRequest& request,
                                   const ClusterMap& map) {
  if (auto refused = over_rate(now, request)) return refused;
  const auto refusal = fault_of(request, map);
  if (!refusal) return std::nullopt;
  return Refused{*refusal, describe(*refusal, request, map)};
}

std::variant<Identity, Refused> Core::authenticate(const Moment& now,
                                                   const LogInRequest& request) const {
  auto answer =
      authenticator_.authenticate(now, {request.player_name, request.credential, request.source});
  if (auto* denied = std::get_if<Denied>(&answer)) {
    const bool away = denied->reason == Denial::Away;
    return Refused{away ? Refusal::AccountsAway : Refusal::WrongCredential,
                   std::move(denied->sentence), denied->retry_after_s};
  }
  const Identity& identity = std::get<Identity>(answer);
  PERIGEE_ASSERT(identity.player_id != 0, "every account has an id");
  PERIGEE_ASSERT(identity.claims.size() <= transport::player_claims_bytes_max,
                 "an authenticator bounds the claims");
  if (const auto fault = fault_of_name(identity.player_name)) {
    return Refused{Refusal::BadName, "the name of your account cannot be used here: " + *fault};
  }
  return identity;
}

std::variant<Admitted, Refused> Core::admit(const Moment& now, const LogInRequest& request,
                                            const Identity& identity, const ClusterMap& map) {
  const auto refuse = [&](Refusal why) { return Refused{why, describe(why, request, map)}; };
  if (const auto refused = banned(now, identity)) return *refused;
  const auto region = choose_region(request, map);
  if (const auto* refusal = std::get_if<Refusal>(&region)) return refuse(*refusal);
  const GatewayEntry* gateway = choose_gateway(map);
  if (gateway == nullptr) return refuse(Refusal::NoGateway);

  const std::uint64_t now_s = now.unix_s();
  Session session{.client_id = new_client_id(),
                  .player_name = identity.player_name,
                  .gateway = gateway->public_udp,
                  .region = std::get<RegionId>(region),
                  .schema_hash = request.schema_hash,
                  .logged_in_s = now_s,
                  .seen_s = calendar_.unix_s(now),
                  .wire_version = request.wire_version,
                  .player_id = identity.player_id,
                  .claims = identity.claims};
  const auto added = store_.add(session);
  if (!added || !*added) return refuse(Refusal::StoreFailed);
  Result<std::vector<std::uint64_t>> replaced = std::vector<std::uint64_t>{};
  const bool alone = identity.proven && settings_.one_session_per_player;
  if (alone) replaced = replace_others(now, session);
  if (!replaced) return refuse(Refusal::StoreFailed);
  return Admitted{.token = make_token(now_s, transport::token_life_s, session, alone),
                  .client_id = session.client_id,
                  .gateway = session.gateway,
                  .region = session.region,
                  .tick_rate_hz = map.time.base.tick_rate_hz,
                  .player_id = session.player_id,
                  .player_name = session.player_name,
                  .replaced = std::move(*replaced)};
}

Refused Core::store_failed() {
  return {Refusal::StoreFailed, describe(Refusal::StoreFailed, {}, {})};
}

std::string Core::describe(Refusal refusal, const LogInRequest& request, const ClusterMap& map) {
  switch (refusal) {
    case Refusal::WireVersion:
      return "this client speaks wire version " + std::to_string(request.wire_version) +
             ", the server " + std::to_string(wire_version) + ": update the older of the two";
    case Refusal::NoWorld:
      return "no simulation worker is running yet; try again in a few seconds";
    case Refusal::Schema:
      return "this client's game (schema " + std::to_string(request.schema_hash) +
             ") is not the server's (" + std::to_string(map.schema_hash) +
             "): install the same version of the game";
    case Refusal::BadName:
      return fault_of_name(request.player_name).value_or("this player's name is not allowed");
    case Refusal::UnknownRegion:
      return "region " + std::to_string(request.wanted_region.value_or(RegionId{}).number) +
             " does not exist; omit the region to have one chosen";
    case Refusal::NoRegion:
      return "the region has no worker at the moment; try again in a few seconds";
    case Refusal::NoGateway:
      return "no gateway is running; try again in a few seconds";
    case Refusal::StoreFailed:
      return "log-ins cannot be stored at the moment (the server's disk is full or locked); "
             "connected players play on, try again in a minute";
    case Refusal::NoSession:
      return "this session is over; log in again";
    case Refusal::WrongCredential:
    case Refusal::AccountsAway:
    case Refusal::Banned:
    case Refusal::AddressOverRate:
    case Refusal::NameOverRate:
    case Refusal::AllOverRate:
      break;  // the parts that refuse for these reasons have sentences of their own
  }
  return "refused";
}

}  // namespace perigee::session
