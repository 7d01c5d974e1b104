/// Locates the worker with each client's avatar: asks workers to join the session, follows the
/// avatar to other workers and to successors, and searches for avatars that are silent.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/gateway/disconnector.hpp"
#include "perigee/gateway/leaves.hpp"
#include "perigee/gateway/outputs.hpp"
#include "perigee/gateway/sessions.hpp"
#include "perigee/gateway/worker_links.hpp"
#include "perigee/transport/server.hpp"

namespace perigee::gateway {

class Joins {
 public:
  static constexpr Micros join_period_us = 100'000;
  /// A successor that has a dead worker's players confirms them within this time.
  static constexpr Micros successor_limit_us = 1'000'000;
  static constexpr Micros join_limit_us = 8'000'000;
  /// Limit for joins of sessions that have played: as long as an avatar waits for its client. Less:
  /// clients of a stalled worker are disconnected.
  static constexpr Micros rejoin_limit_us = 30'000'000;
  /// If a client gets no data of its own avatar for this long, its worker is asked for the avatar,
  /// repeatedly. Less: workers are asked also during stalls that end by themselves. More: players
  /// stand still for longer.
  static constexpr Micros own_silence_us = 2'000'000;
  static constexpr Micros search_period_us = 500'000;

  struct Needs {
    const ClusterMap& map;
    const transport::Server& server;  ///< when a client was last heard
    Disconnector& disconnector;
    WorkerLinks& links;
    Sessions& sessions;
    Leaves& leaves;
    Outputs& outputs;
    Counts<Count>& counts;
    bool stay = false;  ///< see CoreSettings::rooms
  };
  explicit Joins(Needs needs) : needs_(needs), places_(needs.sessions.slots()) {}

  /// A session has begun in that slot; its avatar is to be spawned in the region.
  void start(Micros now_us, std::uint32_t slot, RegionId region);
  /// The session ends: tells its worker. `lost`: see Leaves::send.
  void end(Micros now_us, std::uint32_t slot, bool lost);
  /// `other_cluster`: the map is that of another cluster id. Workers of another cluster id know no
  /// session, even if slots and incarnations match.
  void on_map(Micros now_us, bool other_cluster);
  void on_joined(Micros now_us, std::uint32_t slot, WorkerSlot worker);
  void on_refused(Micros now_us, std::uint32_t slot, WorkerSlot worker, RefuseReason reason);
  /// Data of the client's own avatar arrived.
  void note_own_data(Micros now_us, std::uint32_t slot) { places_[slot].own_received_us = now_us; }

  /// Repeats joins, and disconnects clients whose join no worker answers in time.
  void advance(Micros now_us);
  /// Joins anew where the successor of a lost worker has not confirmed the avatar in time.
  void give_up_successors(Micros now_us);
  /// Finds sessions without data of their own avatar. The worker that had the avatar may have died
  /// before it could announce the migration. The client then sends nothing, because it has nothing
  /// to predict from. The worker that has the avatar answers, and nothing changes.
  void search_avatars(Micros now_us);

  /// The worker that was asked last, or has the avatar of a session that plays.
  WorkerSlot worker(std::uint32_t slot) const { return places_[slot].worker; }
  /// The region where the session's avatar was to be spawned.
  RegionId region(std::uint32_t slot) const { return places_[slot].region; }

 private:
  /// Where the avatar of a session is.
  struct Place {
    RegionId region;          ///< where the avatar is to be spawned
    bool has_worker = false;  ///< asked or playing there
    WorkerSlot worker;
    Incarnation incarnation;  ///< the worker's `incarnation` when it was asked or answered
    HandleBase handle_base;   ///< names that incarnation in the map
    /// Set while the avatar should be at the successor of its worker, until the successor confirms.
    std::optional<Micros> successor_answers_by_us;
    Micros own_received_us = 0;  ///< last block with the own avatar, while playing
    Micros join_by_us = 0;       ///< deadline of the join; then the client is disconnected
    Micros next_join_us = 0;
  };
  bool worker_lost(const Place& place) const;
  void follow(Place& place, WorkerSlot worker);
  bool follow_successor(Micros now_us, std::uint32_t slot);
  void join_anew(Micros now_us, std::uint32_t slot);
  void begin(Micros now_us, std::uint32_t slot, Micros limit_us);
  bool ends_with_region(Micros now_us, std::uint32_t slot);
  void send(Micros now_us, std::uint32_t slot);
  void try_another_region(Micros now_us, std::uint32_t slot);
  bool placeless(RegionId region) const;
  RegionId region_after(RegionId region) const;
  JoinRecord record(std::uint32_t slot) const;

  Needs needs_;
  std::vector<Place> places_;  ///< by client slot
  /// Regions of the map in which no player may begin, as their owners said. Forgotten with the map,
  /// and when no region is left.
  std::vector<RegionId> placeless_;
  bool successors_asked_ = false;  ///< some session waits for a successor
  Micros next_search_us_ = 0;
};

}  // namespace perigee::gateway
