/// What a session service must not forget: who is in a session, and which tokens opened one. The
/// seam between the core and its engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/netcode/address.hpp"
#include "perigee/netcode/counts.hpp"
#include "perigee/netcode/result.hpp"
#include "perigee/transport/constants.hpp"

namespace perigee::session {

enum class SessionState : std::uint8_t {
  Waiting,  ///< has a token that nobody has used yet
  Playing,  ///< a gateway claimed a token of it
  Lost,     ///< its connection broke; a resume token brings it back
  Left,     ///< over: the player said goodbye
  Ended,    ///< over: an operator's `end`
  Kicked,   ///< over, and its gateway was told
  last = Kicked
};
constexpr bool is_over(SessionState state) { return state >= SessionState::Left; }

struct Session {
  std::uint64_t client_id = 0;
  std::string player_name;
  SessionState state = SessionState::Waiting;
  Address gateway;  ///< where it plays; until its first token is claimed, that this one names
  std::uint32_t region = 0;
  std::uint64_t schema_hash = 0;
  std::uint64_t logged_in_s = 0;    ///< unix time
  std::uint64_t seen_s = 0;         ///< Calendar: of the last log-in, claim, resume token or end
  std::uint64_t holder = 0;         ///< instance of the gateway that claimed last; 0: none
  std::uint64_t granted_issue = 0;  ///< of the newest token that was claimed
  std::uint32_t wire_version = 0;   ///< that its client speaks
  friend bool operator==(const Session&, const Session&) = default;
};

/// A handshake asks for its token's one session.
struct Claim {
  transport::Tag tag{};
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;
  std::uint64_t expires_s = 0;  ///< the claim is remembered until then
  std::uint64_t gateway_instance = 0;
  std::uint64_t handshake = 0;  ///< names it within that gateway's life
  Address gateway;              ///< as tokens name it
};
enum class ClaimOutcome : std::uint8_t {
  Granted,  ///< now, or before to the same handshake of the same gateway
  Used,     ///< another handshake has it
  Older,    ///< a later made token of this client was granted
  Over,     ///< the session has ended
  Unknown,  ///< no such session: of another store, or long gone
  last = Unknown
};

/// Which sessions a list wants: newest log-in first, from `before` on.
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

/// How long what is kept.
struct Retention {
  std::uint64_t over_s = 3'600;     ///< ended sessions, for people
  std::uint64_t waiting_s = 60;     ///< log-ins whose token was never used
  std::uint64_t silent_s = 900;     ///< sessions that no gateway has renewed: it died for good
  std::uint64_t clock_skew_s = 60;  ///< claims outlive their token by what clocks may differ
  std::uint32_t rows_max = 2'000;   ///< per call, so that nobody waits for the broom
};

/// When it is, for what is compared with it.
struct StoreTime {
  std::uint64_t seen_s = 0;    ///< Calendar: for Session::seen_s
  std::uint64_t expiry_s = 0;  ///< for Claim::expires_s
  StoreTime(std::uint64_t seen, std::uint64_t expiry) : seen_s(seen), expiry_s(expiry) {}
  StoreTime(std::uint64_t both) : StoreTime(both, both) {}  // NOLINT(google-explicit-constructor)
};

enum class StoreFault : std::uint8_t { DiskFull, Locked, Other, last = Other };

class SessionStore {
 public:
  virtual ~SessionStore() = default;
  /// Durable when it returns, as every change here. The id must be new: false if it is not.
  virtual Result<bool> add(const Session& session) = 0;
  virtual Result<std::optional<Session>> find(std::uint64_t client_id) = 0;
  /// Everything but name and log-in. False: no such session.
  virtual Result<bool> update(const Session& session) = 0;
  /// Compare-and-set of the token's tag, in one transaction with the session's new state.
  virtual Result<ClaimOutcome> claim(const Claim& claim, std::uint64_t now_s) = 0;
  virtual Result<std::vector<Session>> list(const ListQuery& query) = 0;
  /// Kicked since then: for gateways that were away.
  virtual Result<std::vector<std::uint64_t>> kicked_since(std::uint64_t unix_s) = 0;
  /// Removes what nobody needs any more. How many rows went.
  virtual Result<std::uint32_t> forget(const StoreTime& now, const Retention& retention) = 0;
  virtual Result<Counts<SessionState>> totals() = 0;
  /// Writes as a log-in does, and leaves nothing behind: whether anything can be written now.
  virtual Result<Ok> probe() = 0;
  virtual const Counts<StoreFault>& faults() const = 0;
};

}  // namespace perigee::session
