/// Proof of a player's identity: the interface for accounts, tickets and platforms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "perigee/base/address.hpp"
#include "perigee/session/moment.hpp"

namespace perigee::session {

/// A player's request, as far as authenticators need it.
struct Credentials {
  std::string_view player_name;  ///< the name that the player wants
  std::string_view credential;   ///< a secret, a token or a ticket, as the authenticator demands it
  Address source;                ///< of the client, as far as it is known
};

/// A player that an authenticator has recognised.
struct Identity {
  std::uint64_t player_id = 0;  ///< of the account: the same at every log-in, never 0
  std::string player_name;      ///< as other players see it
  /// For the game: a JSON object of at most transport::player_claims_bytes_max bytes, or empty.
  std::string claims;
  /// False: other players could get the same id. Then an id is no reason to end a session.
  bool proven = false;
};

enum class Denial : std::uint8_t {
  Credential,  ///< the credential proves no account, or one that may not play
  Away,        ///< the authenticator's own source gave no answer; a later attempt may work
  last = Away
};
struct Denied {
  Denial reason = Denial::Credential;
  std::string sentence;             ///< for the player; never repeats the credential
  std::uint64_t retry_after_s = 0;  ///< 0: unknown
};

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  /// Any thread, several at once. May wait for another service if waits() says so.
  virtual std::variant<Identity, Denied> authenticate(const Moment& now,
                                                      const Credentials& credentials) const = 0;
  /// Whether authenticate() may wait, so that it must not be called on a thread that others need.
  virtual bool waits() const { return false; }
};

/// One secret for all players, for development and tests. The id follows from the name that the
/// player wants, so it proves nothing. Takes the same time for every wrong credential of a given
/// length.
class DevelopmentSecret : public Authenticator {
 public:
  explicit DevelopmentSecret(std::string secret);
  std::variant<Identity, Denied> authenticate(const Moment& now,
                                              const Credentials& credentials) const override;

 private:
  bool is_right(std::string_view credential) const;
  std::string secret_;
};

}  // namespace perigee::session
