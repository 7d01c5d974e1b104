/// The session core shared by the threads of gRPC and HTTP: one mutex orders them; changes wake the
/// watchers. Log-ins, claims, resume tokens and releases are committed in groups.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "log_in_spans.hpp"
#include "perigee/session/change_group.hpp"
#include "perigee/session/core.hpp"
#include "perigee/session/order_book.hpp"

namespace perigee::session {

/// A message to gateways.
struct Kick {
  std::uint64_t client_id = 0;
};
struct OrderedTechniques {
  std::uint64_t client_id = 0;  ///< 0: all clients
  std::uint64_t order = 0;
  std::string settings;
};
using GatewayOrder = std::variant<Kick, OrderedTechniques>;

class SessionServer {
 public:
  /// A watcher holds a thread.
  static constexpr std::uint32_t watchers_max = 72;
  static constexpr Micros sweep_us = 5'000'000;
  static constexpr Micros retry_us = 1'000'000;  ///< instead of `sweep_us` while the store fails

  /// `tracer`: null: no spans. It outlives this object.
  SessionServer(Core core, SessionStore& store, tracing::Tracer* tracer = nullptr);

  /// May wait for the authenticator; no other call waits for that.
  std::variant<Admitted, Refused> log_in(const LogInRequest& request);
  /// For a log-in for which no thread is left to wait.
  Refused refuse_unasked();
  bool log_in_waits() const { return core_.authentication_waits(); }
  std::variant<ResumeToken, Refused> issue_resume(std::uint64_t client_id);
  Result<ClaimOutcome> claim(const Claim& claim);
  Result<Ok> release(const Release& release);
  Result<std::vector<std::uint64_t>> end(const SessionName& name, SessionState state);
  Result<std::vector<Session>> list(const ListQuery& query);
  /// None: no session has the order's client id.
  Result<std::optional<BanDone>> ban(const BanOrder& order);
  Result<bool> unban(const BanName& whom);
  Result<std::vector<Ban>> bans(const std::optional<BanName>& after, std::uint32_t rows_max);
  /// Informs gateways and waits up to 3 s for their clients' answers.
  std::variant<std::vector<TechniquesInUse>, OrderRefused> order(const SessionName& name,
                                                                 const std::string& settings);
  void report(std::uint64_t order, std::uint64_t client_id, const std::string& techniques);

  /// Returns the recent kicks; `seen` is the position for next_gateway_orders(). None: there are as
  /// many watchers as threads for them, or the store does not answer.
  std::optional<std::vector<GatewayOrder>> begin_watch(std::uint64_t& seen);
  /// Waits up to 250 ms for more. None: the service is stopping.
  std::optional<std::vector<GatewayOrder>> next_gateway_orders(std::uint64_t& seen);
  void end_watch();

  void set_map(const ClusterMap& map);
  /// Of the game that the workers run; 0: not known yet.
  std::uint64_t schema_hash();
  void set_backend_key(const transport::Key& key);
  /// Call it ten times a second: when due, checks that the store is writable and sweeps it.
  void advance(Micros now_us);
  /// Ends all watches, so that the servers can stop.
  void stop();

  struct Stats {
    std::uint64_t admitted = 0;
    Counts<Refusal> refused;  ///< log-ins
    Counts<ClaimOutcome> claims;
    std::uint64_t resumes_issued = 0;
    std::uint64_t resumes_refused = 0;
    std::uint64_t orders_given = 0;
    Counts<OrderRefusal> orders_refused;
    Counts<SessionState> endings;  ///< number of sessions that became lost, left, ended, kicked
    Counts<StoreFault> faults;
    Counts<SessionState> sessions;  ///< in the store, at the last sweep
    std::uint32_t watchers = 0;
    bool store_failing = false;      ///< from a failed call to the next successful write
    std::optional<Refusal> missing;  ///< why no player could log in now
  };
  Stats stats();

 private:
  template <class Value>
  const Result<Value>& noted(const Result<Value>& result);
  void note_written();
  std::variant<Admitted, Refused> answer_to(const LogInRequest& request, LogInTimes& times);
  void kick(const std::vector<std::uint64_t>& client_ids);
  void send_to_gateways(std::vector<GatewayOrder> gateway_orders);
  std::variant<std::uint64_t, OrderRefused> open_order(const SessionName& name,
                                                       const std::string& settings);

  ChangeGroup changes_;
  std::mutex mutex_;
  std::condition_variable sent_;
  std::condition_variable answered_;
  Core core_;
  SessionStore& store_;
  tracing::Tracer* const tracer_;
  ClusterMap map_;
  static constexpr std::size_t gateway_orders_max = 4'096;  ///< watchers are at most 250 ms behind
  std::deque<GatewayOrder> gateway_orders_;                 ///< the newest of this process
  std::uint64_t gateway_orders_forgotten_ = 0;  ///< number of orders dropped before those
  OrderBook orders_;
  Micros next_sweep_us_ = 0;
  bool stopping_ = false;
  Stats counts_;
};

}  // namespace perigee::session
