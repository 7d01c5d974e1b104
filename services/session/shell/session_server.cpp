#include "session_server.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"
#include "process_metrics.hpp"

namespace perigee::session {
namespace {

Moment now() {
  const host::ClockPair clocks = host::Loop::clocks();
  return {clocks.monotonic_us, clocks.wall_us};
}

std::vector<GatewayOrder> kicks(const std::vector<std::uint64_t>& client_ids) {
  std::vector<GatewayOrder> gateway_orders;
  gateway_orders.reserve(client_ids.size());
  for (const std::uint64_t client_id : client_ids) gateway_orders.emplace_back(Kick{client_id});
  return gateway_orders;
}

}  // namespace

/// Logs one line when the store begins to fail. A success here may have been a read only.
template <class Value>
const Result<Value>& SessionServer::noted(const Result<Value>& result) {
  if (result.ok() || std::exchange(counts_.store_failing, true)) return result;
  host::log_error("the session store fails: players can neither log in nor reconnect",
                  {{"why", result.error().message}});
  return result;
}

/// Logs one line after the first successful write.
void SessionServer::note_written() {
  if (!std::exchange(counts_.store_failing, false)) return;
  host::log_info("the session store works again");
}

SessionServer::SessionServer(Core core, SessionStore& store, tracing::Tracer* tracer)
    : changes_([this](std::span<const std::function<void()>> changes) {
        const std::lock_guard lock(mutex_);
        return store_.together(changes);
      }),
      core_(std::move(core)),
      store_(store),
      tracer_(tracer) {}

std::variant<Admitted, Refused> SessionServer::answer_to(const LogInRequest& request,
                                                         LogInTimes& times) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto refused = core_.check(now(), request, map_)) return *refused;
  }
  times.checked_us = host::Loop::clock_us();
  const auto identity = core_.authenticate(now(), request);
  if (const auto* refused = std::get_if<Refused>(&identity)) return *refused;
  times.authenticated_us = host::Loop::clock_us();
  std::variant<Admitted, Refused> answer;
  const auto admit = [&] {
    answer = core_.admit(now(), request, std::get<Identity>(identity), map_);
  };
  if (!changes_.run(admit)) answer = Core::store_failed();
  return answer;
}

std::variant<Admitted, Refused> SessionServer::log_in(const LogInRequest& request) {
  LogInTimes times{.began_us = host::Loop::clock_us()};
  auto answer = answer_to(request, times);
  if (tracer_ != nullptr) record_log_in(*tracer_, times, host::Loop::clock_us(), answer);
  const std::lock_guard lock(mutex_);
  if (const auto* refused = std::get_if<Refused>(&answer)) {
    counts_.refused.add(refused->reason);
    if (refused->reason == Refusal::StoreFailed) noted(Result<Ok>(Error{refused->sentence}));
  } else {
    ++counts_.admitted;
    note_written();
    kick(std::get<Admitted>(answer).replaced);
  }
  return answer;
}

Refused SessionServer::refuse_unasked() {
  constexpr std::uint64_t retry_s = 5;
  const std::lock_guard lock(mutex_);
  counts_.refused.add(Refusal::AccountsAway);
  return {Refusal::AccountsAway, "too many players log in at once; try again in 5 s", retry_s};
}

std::variant<ResumeToken, Refused> SessionServer::issue_resume(std::uint64_t client_id) {
  std::variant<ResumeToken, Refused> answer;
  if (!changes_.run([&] { answer = core_.issue_resume(now(), client_id, map_); })) {
    answer = Core::store_failed();
  }
  const std::lock_guard lock(mutex_);
  if (const auto* refused = std::get_if<Refused>(&answer)) {
    ++counts_.resumes_refused;
    if (refused->reason == Refusal::StoreFailed) noted(Result<Ok>(Error{refused->sentence}));
  } else {
    ++counts_.resumes_issued;
    note_written();
  }
  return answer;
}

Result<ClaimOutcome> SessionServer::claim(const Claim& claim) {
  const Micros began_us = host::Loop::clock_us();
  Result<ClaimOutcome> outcome = ClaimOutcome::Unknown;
  const auto durable = changes_.run([&] { outcome = core_.claim(now(), claim); });
  if (!durable) outcome = durable.error();
  if (tracer_ != nullptr) {
    record_claim(*tracer_, began_us, host::Loop::clock_us(), claim.client_id,
                 outcome ? claim_names[static_cast<std::size_t>(*outcome)] : "store_failed");
  }
  const std::lock_guard lock(mutex_);
  if (outcome) counts_.claims.add(*outcome);
  return noted(outcome);
}

Result<Ok> SessionServer::release(const Release& release) {
  Result<Ok> released = Ok{};
  const auto durable = changes_.run([&] { released = core_.release(now(), release); });
  if (!durable) released = durable.error();
  const std::lock_guard lock(mutex_);
  if (released) counts_.endings.add(release.state);
  return noted(released);
}

Result<std::vector<std::uint64_t>> SessionServer::end(const SessionName& name, SessionState state) {
  // All or none: a session that was ended without an order to its gateway would not get one later.
  Result<std::vector<std::uint64_t>> ended = std::vector<std::uint64_t>();
  const auto durable = changes_.run([&] { ended = core_.end(now(), name, state); });
  if (!durable) ended = durable.error();
  const std::lock_guard lock(mutex_);
  if (ended) {
    if (state == SessionState::Kicked) {
      kick(*ended);
    } else {
      counts_.endings.add(state, ended->size());
    }
  }
  return noted(ended);
}

void SessionServer::kick(const std::vector<std::uint64_t>& client_ids) {
  counts_.endings.add(SessionState::Kicked, client_ids.size());
  if (!client_ids.empty()) send_to_gateways(kicks(client_ids));
}

Result<std::optional<BanDone>> SessionServer::ban(const BanOrder& order) {
  Result<std::optional<BanDone>> done = std::optional<BanDone>();
  const auto durable = changes_.run([&] { done = core_.ban(now(), order); });
  if (!durable) done = durable.error();
  const std::lock_guard lock(mutex_);
  if (done && *done) kick((*done)->kicked);
  return noted(done);
}

Result<bool> SessionServer::unban(const BanName& whom) {
  const std::lock_guard lock(mutex_);
  return noted(store_.unban(whom));
}

Result<std::vector<Ban>> SessionServer::bans(const std::optional<BanName>& after,
                                             std::uint32_t rows_max) {
  const std::lock_guard lock(mutex_);
  return noted(store_.bans(after, now().unix_s(), rows_max));
}

Result<std::vector<Session>> SessionServer::list(const ListQuery& query) {
  const std::lock_guard lock(mutex_);
  return noted(store_.list(query));
}

std::variant<std::uint64_t, OrderRefused> SessionServer::open_order(const SessionName& name,
                                                                    const std::string& settings) {
  if (auto refused = refuse_settings(settings)) return *refused;
  const auto sessions = core_.named(name);
  if (!noted(sessions)) return OrderRefused{OrderRefusal::StoreFailed, sessions.error().message};
  if (counts_.watchers == 0) {
    return OrderRefused{OrderRefusal::NoGateway,
                        "no gateway is connected to this service; is perigee-gateway running, and "
                        "is this its --gateway-session?"};
  }
  return orders_.open(host::Loop::wall_us(), *sessions);
}

void SessionServer::send_to_gateways(std::vector<GatewayOrder> gateway_orders) {
  std::move(gateway_orders.begin(), gateway_orders.end(), std::back_inserter(gateway_orders_));
  for (; gateway_orders_.size() > gateway_orders_max; ++gateway_orders_forgotten_)
    gateway_orders_.pop_front();
  sent_.notify_all();
}

std::optional<std::vector<GatewayOrder>> SessionServer::begin_watch(std::uint64_t& seen) {
  const std::lock_guard lock(mutex_);
  if (counts_.watchers == watchers_max || stopping_) return std::nullopt;
  const auto before = core_.kicked_within(now(), kicks_sent_s);
  if (!noted(before)) return std::nullopt;
  ++counts_.watchers;
  seen = gateway_orders_forgotten_ + gateway_orders_.size();
  return kicks(*before);
}

std::optional<std::vector<GatewayOrder>> SessionServer::next_gateway_orders(std::uint64_t& seen) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  // Bounded: a cancelled call does not wake this thread.
  const auto count = [&] { return gateway_orders_forgotten_ + gateway_orders_.size(); };
  sent_.wait_for(lock, 250ms, [&] { return stopping_ || count() > seen; });
  if (stopping_) return std::nullopt;
  const std::uint64_t skipped =
      std::max(seen, gateway_orders_forgotten_) - gateway_orders_forgotten_;
  std::vector<GatewayOrder> more(gateway_orders_.begin() + static_cast<std::ptrdiff_t>(skipped),
                                 gateway_orders_.end());
  seen = count();
  return more;
}

void SessionServer::end_watch() {
  const std::lock_guard lock(mutex_);
  --counts_.watchers;
}

void SessionServer::set_map(const ClusterMap& map) {
  const std::lock_guard lock(mutex_);
  map_ = map;
}

std::uint64_t SessionServer::schema_hash() {
  const std::lock_guard lock(mutex_);
  return map_.schema_hash;
}

void SessionServer::set_backend_key(const transport::Key& key) {
  const std::lock_guard lock(mutex_);
  core_.set_backend_key(key);
}

void SessionServer::advance(Micros now_us) {
  const std::lock_guard lock(mutex_);
  if (now_us < next_sweep_us_) return;
  const auto written = store_.probe();
  next_sweep_us_ = now_us + (written ? sweep_us : retry_us);
  if (!noted(written)) return;
  note_written();
  if (!noted(core_.forget_old(now()))) return;
  if (const auto totals = store_.totals()) counts_.sessions = *totals;
}

void SessionServer::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  sent_.notify_all();
  answered_.notify_all();
}

SessionServer::Stats SessionServer::stats() {
  const std::lock_guard lock(mutex_);
  Stats stats = counts_;
  stats.faults = store_.faults();
  stats.missing = Core::missing(map_);
  return stats;
}

}  // namespace perigee::session
