/// Log-ins: checks a player, chooses gateway and region, makes the connect token. Sans I/O: time,
/// random bytes and the cluster map come in as arguments.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "perigee/netcode/cluster_map.hpp"
#include "perigee/session/authenticator.hpp"
#include "perigee/transport/connect_token.hpp"

namespace perigee::session {

struct CoreSettings {
  /// Silence after which gateway and client give the connection up. 1 .. 60 s.
  std::uint32_t timeout_s = 5;
  std::uint32_t sessions_kept = 65'536;  ///< of the list for people; the oldest go first
  std::uint32_t sessions_kept_s = 3'600;
};

struct LogInRequest {
  std::string player_name;
  std::string credential;
  std::uint32_t wire_version = 0;
  std::uint64_t schema_hash = 0;
  std::optional<std::uint32_t> wanted_region;
};

enum class Refusal : std::uint8_t {
  WireVersion,  ///< client and server speak different versions
  NoWorld,      ///< no living worker has said which game it runs
  Schema,       ///< client and workers have different games
  BadName,      ///< not 1 to 32 bytes of printable UTF-8
  WrongCredential,
  UnknownRegion,  ///< the wanted region is not in the map
  NoRegion,       ///< the wanted region, or every region, has no living owner
  NoGateway,      ///< no gateway is alive
  last = NoGateway
};

struct Admitted {
  transport::ConnectToken token{};
  std::uint64_t client_id = 0;
  Address gateway;
  std::uint32_t region = 0;
  std::uint32_t tick_rate_hz = 0;
};

struct Session {
  std::uint64_t client_id = 0;
  std::string player_name;
  Address gateway;
  std::uint32_t region = 0;
  std::uint64_t logged_in_unix_s = 0;
};

class Core {
 public:
  /// `backend_key` is shared with the gateways. The authenticator outlives the core.
  Core(const CoreSettings& settings, const transport::Key& backend_key,
       const Authenticator& authenticator, transport::RandomBytes random);

  std::variant<Admitted, Refusal> log_in(std::uint64_t now_unix_s, const LogInRequest& request,
                                         const ClusterMap& map);
  /// Tokens are sealed with this key from now on.
  void set_backend_key(const transport::Key& key) { backend_key_ = key; }
  /// What a refused player is told: a sentence with both sides of a mismatch, and the remedy.
  static std::string describe(Refusal refusal, const LogInRequest& request, const ClusterMap& map);
  /// Why nobody could log in to this map; none if it has what a log-in needs.
  static std::optional<Refusal> missing(const ClusterMap& map);
  /// Oldest first.
  const std::deque<Session>& sessions() const { return sessions_; }

 private:
  std::optional<Refusal> check_player(const LogInRequest& request, const ClusterMap& map) const;
  std::variant<std::uint32_t, Refusal> choose_region(const LogInRequest& request,
                                                     const ClusterMap& map);
  const GatewayEntry* choose_gateway(const ClusterMap& map);
  std::uint64_t new_client_id();
  /// For PlayerPass::issue: grows with each token, and across restarts as long as the clock does.
  std::uint64_t next_issue(std::uint64_t now_unix_s);
  void remember(Session session);

  CoreSettings settings_;
  transport::Key backend_key_;
  const Authenticator& authenticator_;
  transport::RandomBytes random_;
  std::deque<Session> sessions_;
  std::uint32_t region_turn_ = 0;
  std::uint32_t gateway_turn_ = 0;
  std::uint64_t last_issue_ = 0;
};

}  // namespace perigee::session
