/// The sessions of connected clients by client slot: ids and phases.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/base/player_account.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::gateway {

/// The client of a session, as its token names it.
struct SessionClient {
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;        ///< the token's issue number
  std::uint64_t schema_hash = 0;  ///< schema of the client's game; 0: the issuer did not set it
  PlayerAccount account{};
  bool alone = false;  ///< see JoinRecord
};

struct Session {
  enum class Phase : std::uint8_t { Free, Joining, Playing };
  Phase phase = Phase::Free;
  SessionId id = 0;
  SessionClient client;
};

class Sessions {
 public:
  using Phase = Session::Phase;
  struct Needs {
    GatewaySlot self;
    std::uint32_t clients_max;
    /// Unix time of the process's start. The session ids contain this second: a restarted gateway
    /// must not reuse ids that workers may still have for other clients.
    std::uint64_t started_at_s;
  };
  /// `random` is used in the constructor only.
  Sessions(Needs needs, const transport::RandomBytes& random);

  /// Begins a session, which is joining, under a new id. The slot must be free.
  void start(std::uint32_t slot, const SessionClient& client);
  /// From Joining to Playing: the session has an avatar. And back: the avatar has to be found.
  void set_phase(std::uint32_t slot, Phase phase);
  void end(std::uint32_t slot) { set_phase(slot, Phase::Free); }

  std::uint32_t slots() const { return static_cast<std::uint32_t>(sessions_.size()); }
  const Session& operator[](std::uint32_t slot) const { return sessions_[slot]; }
  bool is_free(std::uint32_t slot) const { return sessions_[slot].phase == Phase::Free; }
  bool is_joining(std::uint32_t slot) const { return sessions_[slot].phase == Phase::Joining; }
  bool is_playing(std::uint32_t slot) const { return sessions_[slot].phase == Phase::Playing; }
  /// The slot of a session that has not ended.
  std::optional<std::uint32_t> find(SessionId id) const;
  /// Number of sessions with an avatar.
  std::uint32_t playing() const { return playing_; }

 private:
  std::uint32_t next_generation(std::uint32_t slot);

  Needs needs_;
  std::vector<Session> sessions_;
  /// Number of sessions that each slot has had, from a random start.
  std::vector<std::uint32_t> generations_;
  std::uint32_t playing_ = 0;
};

}  // namespace perigee::gateway
