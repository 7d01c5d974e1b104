/// Profiles are taken from the world store before a player joins, and after a restart of the world
/// for the players that it restores.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "lasting/lasting_records.hpp"
#include "perigee/base/fabric.hpp"

namespace perigee::worker {

class ProfileLoads {
 public:
  static constexpr std::size_t loads_max = 1'024;
  /// Without an answer for so long, the store is asked anew.
  static constexpr std::int32_t patience_ticks = 300;
  static constexpr std::int32_t look_ticks = 60;  ///< for players without a profile

  struct Needs {
    PlayerTable& players;
    LastingRecords& records;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    const Tick& next;  ///< the tick that is simulated next
    /// PlayerSessions::on_join().
    std::function<void(const JoinRecord&, const Address& gateway)> join;
  };
  explicit ProfileLoads(Needs needs) : needs_(std::move(needs)) {}

  /// The session's profile is on its way.
  bool pending(SessionId session) const;
  /// Whether the session's profile is here; otherwise it is taken, and `join` follows.
  bool ready(const JoinRecord& join, const Address& gateway);
  /// What was taken. Only after ready().
  PlayerProfile take(SessionId session);
  /// The client disconnected meanwhile: no avatar appears.
  void on_leave(SessionId session);
  /// The store's answer.
  void on_taken(std::uint64_t number, const TakenProfile& profile);
  void after_tick();

 private:
  struct Load {
    std::uint64_t number = 0;
    Tick since;
    std::optional<std::pair<JoinRecord, Address>> join;  ///< none: the player is here already
    std::optional<TakenProfile> taken;
  };
  void start(SessionId session, std::uint64_t owner,
             const std::optional<std::pair<JoinRecord, Address>>& join);

  Needs needs_;
  std::map<SessionId, Load> loads_;
  std::uint64_t newest_ = 0;
};

}  // namespace perigee::worker
