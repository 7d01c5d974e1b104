/// Durable data of the session service: sessions, and which tokens opened one. The interface
/// between the core and its database.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/base/ids.hpp"
#include "perigee/base/result.hpp"
#include "perigee/transport/constants.hpp"

namespace perigee::session {

enum class SessionState : std::uint8_t {
  Waiting,  ///< has a token that was not used yet
  Playing,  ///< a gateway claimed one of its tokens
  Lost,     ///< its connection broke; a resume token continues it
  Left,     ///< over: the client disconnected
  Ended,    ///< over: an operator's `end`
  Kicked,   ///< over, and its gateway is informed
  last = Kicked
};
constexpr bool is_over(SessionState state) { return state >= SessionState::Left; }

struct Session {
  std::uint64_t client_id = 0;
  std::string player_name;
  SessionState state = SessionState::Waiting;
  Address gateway;  ///< where it plays; before the first claim, the gateway that its token names
  RegionId region;
  std::uint64_t schema_hash = 0;
  std::uint64_t logged_in_s = 0;  ///< unix time
  std::uint64_t seen_s = 0;       ///< Calendar time of the last log-in, claim, resume token or end
  std::uint64_t holder = 0;       ///< instance of the gateway that claimed last; 0: none
  std::uint64_t granted_issue = 0;  ///< of the newest token that was claimed
  std::uint32_t wire_version = 0;   ///< version that its client uses
  std::uint64_t player_id = 0;      ///< of the account; 0: of a build without accounts
  std::string claims;               ///< for the game, a JSON object; or empty
  friend bool operator==(const Session&, const Session&) = default;
};

/// A handshake's request for the one session of its token.
struct Claim {
  transport::Tag tag{};
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;
  std::uint64_t expires_s = 0;  ///< the claim is kept until then
  std::uint64_t gateway_instance = 0;
  std::uint64_t handshake = 0;  ///< identifies it within that gateway process
  Address gateway;              ///< as tokens name it
};
enum class ClaimOutcome : std::uint8_t {
  Granted,  ///< now, or earlier to the same handshake of the same gateway
  Used,     ///< another handshake has used it
  Older,    ///< a newer token of this client was granted
  Over,     ///< the session has ended
  Unknown,  ///< no such session: of another store, or deleted long ago
  last = Unknown
};

/// Selects sessions for a list: newest log-in first, after `before`.
struct ListQuery {
  struct Cursor {
    std::uint64_t logged_in_s = 0;
    std::uint64_t client_id = 0;
  };
  std::optional<Cursor> before;
  std::string_view player_name;  ///< empty: all names
  bool over_too = false;
  std::uint32_t rows_max = 100;
};

/// How long rows are kept.
struct Retention {
  std::uint64_t over_s = 3'600;  ///< ended sessions, for operators
  std::uint64_t waiting_s = 60;  ///< log-ins with an unused token
  std::uint64_t silent_s = 900;  ///< sessions that no gateway has renewed: their gateway is gone
  /// Claims are kept beyond their token's expiry by this, the largest clock difference.
  std::uint64_t clock_skew_s = 60;
  std::uint32_t rows_max = 2'000;  ///< per call, so that cleaning up does not block other calls
};

/// The present time, once per clock that it is compared with.
struct StoreTime {
  std::uint64_t seen_s = 0;    ///< Calendar: for Session::seen_s
  std::uint64_t expiry_s = 0;  ///< for Claim::expires_s
  StoreTime(std::uint64_t seen, std::uint64_t expiry) : seen_s(seen), expiry_s(expiry) {}
  StoreTime(std::uint64_t both) : StoreTime(both, both) {}  // NOLINT(google-explicit-constructor)
};

/// The account or the name that is banned.
struct BanName {
  std::uint64_t player_id = 0;  ///< 0: the name
  std::string player_name;
  friend bool operator==(const BanName&, const BanName&) = default;
};
struct Ban {
  BanName whom;
  std::uint64_t made_s = 0;   ///< unix time
  std::uint64_t until_s = 0;  ///< unix time; 0: for ever
  std::string reason;
  friend bool operator==(const Ban&, const Ban&) = default;
};

enum class StoreFault : std::uint8_t { DiskFull, Locked, Other, last = Other };

class SessionStore {
 public:
  virtual ~SessionStore() = default;
  /// Runs the changes, which call the store, in order and in one transaction: they become durable
  /// together, at the price of one. An error means that no change has happened, even if its calls
  /// succeeded.
  virtual Result<Ok> together(std::span<const std::function<void()>> changes) = 0;
  /// The session is durable when the call returns, or together() if it is called in there, as is
  /// every change here. False: the id exists
  /// already.
  virtual Result<bool> add(const Session& session) = 0;
  virtual Result<std::optional<Session>> find(std::uint64_t client_id) = 0;
  /// Updates everything but name and log-in time. False: no such session.
  virtual Result<bool> update(const Session& session) = 0;
  /// Compare-and-set of the token's tag, in one transaction with the session's new state.
  virtual Result<ClaimOutcome> claim(const Claim& claim, std::uint64_t now_s) = 0;
  virtual Result<std::vector<Session>> list(const ListQuery& query) = 0;
  /// The account's sessions with a client that may still be connected, at most 100.
  virtual Result<std::vector<Session>> of_player(std::uint64_t player_id) = 0;
  /// Replaces an earlier ban of the same account or name.
  virtual Result<Ok> ban(const Ban& ban) = 0;
  /// False: there is no such ban.
  virtual Result<bool> unban(const BanName& whom) = 0;
  /// The ban of this account or of this name that lasts longest, if one lasts beyond `unix_s`.
  virtual Result<std::optional<Ban>> find_ban(std::uint64_t player_id, std::string_view player_name,
                                              std::uint64_t unix_s) = 0;
  /// Bans that last beyond `unix_s`, by id and name, after `after` if there is one.
  virtual Result<std::vector<Ban>> bans(const std::optional<BanName>& after, std::uint64_t unix_s,
                                        std::uint32_t rows_max) = 0;
  /// Sessions kicked since then: for gateways that were disconnected.
  virtual Result<std::vector<std::uint64_t>> kicked_since(std::uint64_t unix_s) = 0;
  /// Deletes expired rows, bans too; returns how many.
  virtual Result<std::uint32_t> forget(const StoreTime& now, const Retention& retention) = 0;
  virtual Result<Counts<SessionState>> totals() = 0;
  /// Writes as a log-in does and leaves no trace: tells whether the store is writable now.
  virtual Result<Ok> probe() = 0;
  virtual const Counts<StoreFault>& faults() const = 0;
};

}  // namespace perigee::session
