/// The observers that this worker serves: own players, and players of other workers near our
/// entities. Events reach a client through its observer.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/replication/observer.hpp"
#include "perigee/replication/publisher.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/snapshots/rate_control.hpp"

namespace perigee::worker {

/// What an observer's entities here cost, as counted for the tick `counted`.
TallyRecord to_record(SessionId session, Tick counted, const replication::Tally& tally);

/// Knowledge about a player's path, which goes from one owner of the avatar to the next.
struct PathPast {
  RateControl::Knowledge rate;
  /// ObserverState::other_bytes, and Observer::other_bytes_in_period.
  std::uint32_t other_bytes = 0, other_bytes_in_period = 0;
};

/// An observer with the record in use, and the next one.
struct ObserverState {
  replication::Observer observer;
  std::optional<ObserverRecord> coming;
  ObserverRecord used;
  bool in_force = false;             ///< `used` is valid
  std::optional<WorkerSlot> spoken;  ///< sender of the newest record: it has, or had, the avatar
  /// Own players: the sum of all workers' tallies for that tick, as far as they have arrived.
  Tick tallied;
  replication::Tally tally;
  std::uint32_t other_bytes = 0;  ///< Observer::other_bytes_in_period of the second before
  RateControl rate;
  /// For a patch near the client: the versions of chunks that the client has, as reported, and
  /// those that were sent to it; by chunk.
  struct Chunks {
    std::vector<std::uint16_t> has, sent;
  };
  std::map<Handle, Chunks> chunks;
  double contents_left = 0;  ///< rate allowance for chunk contents
  /// Own players: the world's state as last sent.
  struct WorldTold {
    std::uint64_t identity = 0;
    std::uint32_t version = 0;
    Tick at;
  };
  std::optional<WorldTold> world_told;
};

class ObserverTable {
  using Map = std::map<SessionId, std::unique_ptr<ObserverState>>;

 public:
  struct Needs {
    replication::Publisher& publisher;
    Counts<Count>& counts;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit ObserverTable(Needs needs) : needs_(needs) {}

  /// By session, in order.
  Map::iterator begin() { return observers_.begin(); }
  Map::iterator end() { return observers_.end(); }
  std::size_t size() const { return observers_.size(); }
  /// Null: no such observer.
  ObserverState* find(SessionId session);
  const ObserverState* find(SessionId session) const;
  /// Creates it if there is none.
  ObserverState& get(SessionId session);
  void forget(SessionId session);
  /// Visits all with (session, state), and forgets those for which `visit` returns true.
  template <class Visit>
  void forget_if(Visit visit) {
    for (auto it = observers_.begin(); it != observers_.end();) {
      it = visit(it->first, *it->second) ? erase(it) : std::next(it);
    }
  }

  /// After the end of a worker, clients wait for a sign of the entities that had migrated to it. So
  /// all observers get the tracks of their entities again.
  void on_map(const ClusterMap& map);
  /// Sends an event to all observers that know the entity `of`. Observers without room are counted.
  void broadcast(Handle of, const WorldEvent& event, bool urgent);
  /// False, and counted: there is no room.
  bool send(SessionId session, const WorldEvent& event, bool urgent);

 private:
  Map::iterator erase(Map::iterator at);

  Needs needs_;
  Map observers_;
  std::vector<HandleBase> alive_;  ///< by the newest map
};

}  // namespace perigee::worker
