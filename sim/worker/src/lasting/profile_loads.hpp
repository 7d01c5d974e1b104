/// Profiles are read from the world store before a player joins, and after a restart of the world
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
  /// A join waits for so long, then it is refused. What was read counts for as long: the player may
  /// have joined elsewhere since.
  static constexpr std::int32_t kept_ticks = 300;
  static constexpr std::int32_t look_ticks = 60;  ///< for players without a profile

  struct Needs {
    PlayerTable& players;
    LastingRecords& records;
    const WorkerOutputs& outputs;
    const Tick& next;  ///< the tick that is simulated next
    /// PlayerSessions::on_join().
    std::function<void(const JoinRecord&, const Address& gateway)> join;
  };
  explicit ProfileLoads(Needs needs) : needs_(std::move(needs)) {}

  /// Whether the player's profile is here; otherwise it is read, and `join` follows.
  ProfileReady ready(const JoinRecord& join, const Address& gateway);
  /// What was read. Only after ready().
  PlayerProfile take(const JoinRecord& join);
  /// The store's answer.
  void on_loaded(std::uint64_t owner, const std::optional<StoredProfile>& profile);
  void after_tick();

 private:
  struct Load {
    Tick since;
    std::optional<std::pair<JoinRecord, Address>> join;  ///< none: the player is here already
    bool answered = false;
    std::optional<StoredProfile> profile;
  };
  Load* start(std::uint64_t owner, std::uint64_t issue);

  Needs needs_;
  std::map<std::uint64_t, Load> loads_;  ///< by owner of the profile
};

}  // namespace perigee::worker
