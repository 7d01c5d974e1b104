/// Sessions: checks a player, chooses gateway and region, makes connect tokens, decides which
/// handshake a token is for, ends sessions. Sans I/O: time, random bytes, the cluster map and the
/// store come in as arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/netcode/cluster_map.hpp"
#include "perigee/session/authenticator.hpp"
#include "perigee/session/log_in_limits.hpp"
#include "perigee/session/moment.hpp"
#include "perigee/session/store.hpp"
#include "perigee/transport/connect_token.hpp"

namespace perigee::session {

struct CoreSettings {
  /// Silence after which gateway and client give the connection up. 1 .. 60 s.
  std::uint32_t timeout_s = 5;
  LogInRates rates;
  Retention retention;
};

/// From the making of a resume token to its expiry: a gateway renews it long before.
inline constexpr std::uint32_t resume_token_life_s = 300;
/// Gateways that were away for longer have lost their clients anyhow.
inline constexpr std::uint64_t kicks_told_s = 600;

struct LogInRequest {
  std::string player_name;
  std::string credential;
  std::uint32_t wire_version = 0;
  std::uint64_t schema_hash = 0;
  std::optional<std::uint32_t> wanted_region;
  Address source;  ///< of the player, as far as we know it
};

enum class Refusal : std::uint8_t {
  WireVersion,  ///< client and server speak different versions
  NoWorld,      ///< no living worker has said which game it runs
  Schema,       ///< client and workers have different games
  BadName,      ///< not one of those of decision 0059; the sentence names the rule
  WrongCredential,
  UnknownRegion,    ///< the wanted region is not in the map
  NoRegion,         ///< the wanted region, or every region, has no living owner
  NoGateway,        ///< no gateway is alive
  AddressOverRate,  ///< too many log-ins from one address
  NameOverRate,     ///< too many log-ins of one name
  AllOverRate,      ///< too many log-ins in all
  StoreFailed,      ///< what must not be forgotten could not be written
  NoSession,        ///< of resuming: unknown, or over
  last = NoSession
};

struct Refused {
  Refusal reason{};
  /// For the player: both sides of a mismatch, and the remedy.
  std::string sentence;
};

struct Admitted {
  transport::ConnectToken token{};
  std::uint64_t client_id = 0;
  Address gateway;
  std::uint32_t region = 0;
  std::uint32_t tick_rate_hz = 0;
};

struct ResumeToken {
  transport::ConnectToken token{};
  std::uint64_t expires_s = 0;
};

/// A gateway's word on a session that it held.
struct Release {
  std::uint64_t client_id = 0;
  std::uint64_t gateway_instance = 0;
  std::uint64_t issue = 0;                  ///< of the token of the connection that ended
  SessionState state = SessionState::Lost;  ///< or Left: said goodbye
};

/// Whose session a person means.
struct SessionName {
  std::uint64_t client_id = 0;  ///< 0: all sessions of that name
  std::string player_name;
  bool everybody = false;  ///< whatever the name
};

class Core {
 public:
  /// `backend_key` is shared with the gateways. Authenticator and store outlive the core.
  Core(const CoreSettings& settings, const transport::Key& backend_key,
       const Authenticator& authenticator, SessionStore& store, transport::RandomBytes random);

  std::variant<Admitted, Refused> log_in(const Moment& now, const LogInRequest& request,
                                         const ClusterMap& map);
  /// The token that a connected client comes back with if its gateway falls silent: for another
  /// gateway if there is one.
  std::variant<ResumeToken, Refused> issue_resume(const Moment& now, std::uint64_t client_id,
                                                  const ClusterMap& map);
  Result<ClaimOutcome> claim(const Moment& now, const Claim& claim);
  /// Ignored if another gateway, or a later token's connection at the same one, has it by now.
  Result<Ok> release(const Moment& now, const Release& release);
  /// Ends sessions for good (Ended or Kicked); their tokens are worth nothing any more. The ids.
  Result<std::vector<std::uint64_t>> end(const Moment& now, const SessionName& name,
                                         SessionState state);
  /// Whom a person means, at most 1000, newest log-in first. By its id also a session that is over.
  Result<std::vector<Session>> named(const SessionName& name);
  /// Kicked within the last `seconds`.
  Result<std::vector<std::uint64_t>> kicked_within(const Moment& now, std::uint64_t seconds);
  /// Every few seconds.
  Result<std::uint32_t> forget_old(const Moment& now);
  /// Tokens are sealed with this key from now on.
  void set_backend_key(const transport::Key& key) { backend_key_ = key; }

  /// Why nobody could log in to this map; none if it has what a log-in needs.
  static std::optional<Refusal> missing(const ClusterMap& map);

 private:
  static std::string describe(Refusal refusal, const LogInRequest& request, const ClusterMap& map);
  std::optional<Refused> over_rate(const Moment& now, const LogInRequest& request);
  std::optional<Refusal> check_player(const LogInRequest& request, const ClusterMap& map) const;
  std::variant<std::uint32_t, Refusal> choose_region(const LogInRequest& request,
                                                     const ClusterMap& map);
  /// Anybody alive but `avoided`, if there is anybody else.
  const GatewayEntry* choose_gateway(const ClusterMap& map, const Address& avoided = {});
  std::uint64_t new_client_id();
  /// For PlayerPass::issue: grows with each token, and across restarts as long as the clock does.
  std::uint64_t next_issue(std::uint64_t now_s, std::uint64_t granted);
  transport::ConnectToken make_token(std::uint64_t now_s, std::uint64_t life_s,
                                     const Session& session);

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
