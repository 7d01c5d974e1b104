/// Sessions: checks a player, chooses gateway and region, makes connect tokens, decides which
/// handshake may use a token, ends sessions. Sans I/O: time, random bytes, the cluster map and the
/// store come in as arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/session/authenticator.hpp"
#include "perigee/session/log_in_limits.hpp"
#include "perigee/session/moment.hpp"
#include "perigee/session/store.hpp"
#include "perigee/transport/connect_token.hpp"

namespace perigee::session {

struct CoreSettings {
  /// Timeout after which gateway and client drop a silent connection. 1 .. 60 s.
  std::uint32_t timeout_s = 5;
  LogInRates rates;
  Retention retention;
  /// A log-in ends the other sessions of the same account, if its authenticator proves accounts.
  bool one_session_per_player = true;
};

/// Lifetime of a resume token; gateways renew it well before.
inline constexpr std::uint32_t resume_token_life_s = 300;
/// Gateways that were away for longer have lost their clients anyway.
inline constexpr std::uint64_t kicks_sent_s = 600;

struct LogInRequest {
  std::string player_name;
  std::string credential;
  std::uint32_t wire_version = 0;
  std::uint64_t schema_hash = 0;
  std::optional<RegionId> wanted_region;
  Address source;  ///< of the client, as far as it is known
};

enum class Refusal : std::uint8_t {
  WireVersion,  ///< client and server speak different versions
  NoWorld,      ///< no living worker has reported which game it runs
  Schema,       ///< client and workers have different games
  BadName,      ///< breaks a rule of decision 0059; the sentence names the rule
  WrongCredential,
  AccountsAway,     ///< the service that knows the accounts gave no answer
  Banned,           ///< by an operator; the sentence has the reason and the end
  UnknownRegion,    ///< the wanted region is not in the map
  NoRegion,         ///< the wanted region, or every region, has no living owner
  NoGateway,        ///< no gateway is alive
  AddressOverRate,  ///< too many log-ins from one address
  NameOverRate,     ///< too many log-ins of one player name
  AllOverRate,      ///< too many log-ins in total
  StoreFailed,      ///< the log-in could not be stored
  NoSession,        ///< on resuming: unknown or over
  last = NoSession
};

struct Refused {
  Refusal reason{};
  /// For the player: both sides of a mismatch, and the remedy.
  std::string sentence;
  std::uint64_t retry_after_s = 0;  ///< 0: unknown
};

struct Admitted {
  transport::ConnectToken token{};
  std::uint64_t client_id = 0;
  Address gateway;
  RegionId region;
  std::uint32_t tick_rate_hz = 0;
  std::uint64_t player_id = 0;
  std::string player_name;
  /// Sessions of the same account that ended for this one; their gateways have to be informed.
  std::vector<std::uint64_t> replaced;
};

struct ResumeToken {
  transport::ConnectToken token{};
  std::uint64_t expires_s = 0;
};

/// A gateway's report that a session of its has ended.
struct Release {
  std::uint64_t client_id = 0;
  std::uint64_t gateway_instance = 0;
  std::uint64_t issue = 0;                  ///< of the token of the connection that ended
  SessionState state = SessionState::Lost;  ///< or Left: the client disconnected
};

inline constexpr std::uint32_t sessions_at_once_max = 1'000;
/// Selects sessions for an operator's command.
struct SessionName {
  std::uint64_t client_id = 0;  ///< 0: all sessions of that player
  std::string player_name;
  bool everybody = false;       ///< all sessions, of any name
  std::uint64_t player_id = 0;  ///< 0: of that player name
};

/// An operator's ban.
struct BanOrder {
  SessionName whom;           ///< a session means its player's id
  std::uint64_t until_s = 0;  ///< unix time; 0: for ever
  std::string reason;         ///< at most ban_reason_bytes_max
};
struct BanDone {
  BanName whom;
  std::vector<std::uint64_t> kicked;  ///< client ids
};
inline constexpr std::size_t ban_reason_bytes_max = 200;

class Core {
 public:
  /// The gateways have `backend_key`, too. Authenticator and store must outlive the core.
  Core(const CoreSettings& settings, const transport::Key& backend_key,
       const Authenticator& authenticator, SessionStore& store, transport::RandomBytes random);

  /// The three parts of a log-in in turn.
  std::variant<Admitted, Refused> log_in(const Moment& now, const LogInRequest& request,
                                         const ClusterMap& map);
  /// Part 1: rates, versions, game and name. None: go on.
  std::optional<Refused> check(const Moment& now, const LogInRequest& request,
                               const ClusterMap& map);
  /// Part 2: the player's identity. Any thread, at the same time as every other call; may wait if
  /// authentication_waits().
  std::variant<Identity, Refused> authenticate(const Moment& now,
                                               const LogInRequest& request) const;
  bool authentication_waits() const { return authenticator_.waits(); }
  /// Part 3: bans, other sessions of the account, region and gateway, the new session.
  std::variant<Admitted, Refused> admit(const Moment& now, const LogInRequest& request,
                                        const Identity& identity, const ClusterMap& map);
  /// The token with which a connected client resumes if its gateway falls silent. It is for another
  /// gateway if there is one.
  std::variant<ResumeToken, Refused> issue_resume(const Moment& now, std::uint64_t client_id,
                                                  const ClusterMap& map);
  Result<ClaimOutcome> claim(const Moment& now, const Claim& claim);
  /// Ignored if the session is now at another gateway, or at the same one under a later token.
  Result<Ok> release(const Moment& now, const Release& release);
  /// Ends sessions for good (Ended or Kicked) and invalidates their tokens. Returns the client ids.
  Result<std::vector<std::uint64_t>> end(const Moment& now, const SessionName& name,
                                         SessionState state);
  /// Keeps a ban and kicks the player. None: no session has the order's client id.
  Result<std::optional<BanDone>> ban(const Moment& now, const BanOrder& order);
  /// The selected sessions, at most 1000, newest log-in first. Selecting by id also finds a session
  /// that is over.
  Result<std::vector<Session>> named(const SessionName& name);
  /// Client ids kicked within the last `seconds`.
  Result<std::vector<std::uint64_t>> kicked_within(const Moment& now, std::uint64_t seconds);
  /// Call it every few seconds.
  Result<std::uint32_t> forget_old(const Moment& now);
  /// Tokens are encrypted with this key from now on.
  void set_backend_key(const transport::Key& key) { backend_key_ = key; }

  /// The answer if the change that a call has made could not be stored.
  static Refused store_failed();
  /// Why no player could log in with this map; none if the map has everything a log-in needs.
  static std::optional<Refusal> missing(const ClusterMap& map);

 private:
  static std::string describe(Refusal refusal, const LogInRequest& request, const ClusterMap& map);
  std::optional<Refused> over_rate(const Moment& now, const LogInRequest& request);
  static std::optional<Refusal> fault_of(const LogInRequest& request, const ClusterMap& map);
  std::optional<Refused> banned(const Moment& now, const Identity& identity);
  /// Kicks the other sessions of an account. Returns their client ids.
  Result<std::vector<std::uint64_t>> kick_all(const Moment& now, std::vector<Session> sessions);
  Result<std::vector<std::uint64_t>> replace_others(const Moment& now, const Session& newest);
  std::variant<RegionId, Refusal> choose_region(const LogInRequest& request, const ClusterMap& map);
  /// Any living gateway, preferably another one than `avoided`.
  const GatewayEntry* choose_gateway(const ClusterMap& map, const Address& avoided = {});
  std::uint64_t new_client_id();
  /// For PlayerPass::issue: increases with each token, and across restarts as long as the clock
  /// does.
  std::uint64_t next_issue(std::uint64_t now_s, std::uint64_t granted);
  /// `alone`: see PlayerPass.
  transport::ConnectToken make_token(std::uint64_t now_s, std::uint64_t life_s,
                                     const Session& session, bool alone);

  CoreSettings settings_;
  transport::Key backend_key_;
  const Authenticator& authenticator_;
  SessionStore& store_;
  transport::RandomBytes random_;
  LogInLimits limits_;
  std::uint32_t region_turn_ = 0;
  std::uint32_t gateway_turn_ = 0;
  std::uint64_t last_issue_ = 0;
  Calendar calendar_;
};

}  // namespace perigee::session
