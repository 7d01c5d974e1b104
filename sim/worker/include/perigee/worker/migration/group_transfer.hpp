/// A group as bytes for another worker: entities with their past, and its players with every input
/// that may still count. The sender removes the group. The receiver continues from the same tick,
/// and re-simulates ticks that were still open.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/bytes.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/migration/departed_entities.hpp"
#include "perigee/worker/outcomes/outcomes.hpp"
#include "perigee/worker/players/player_sessions.hpp"
#include "perigee/worker/players/player_steps.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/worker/snapshots/snapshots.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

class Ghosts;
struct GroupAudience;
struct GroupSubscriber;

class GroupTransfer {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    PlayerTable& players;
    ObserverTable& observers;
    replication::Publisher& publisher;
    PlayerSessions& player_sessions;
    PlayerSteps& player_steps;
    Outcomes& outcomes;
    Snapshots& snapshots;
    Ghosts& ghosts;
    DepartedEntities& departed;
    const ClusterView& cluster;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
    /// An actor has taken the entity, which is about to be removed.
    std::function<bool(Handle)> taken;
    /// A group has arrived.
    std::function<void(const world::GroupPast&, std::span<const std::unique_ptr<Player>>)>
        on_arrival;
    /// The player leaves with its group.
    std::function<void(const Player&)> on_gone;
  };
  explicit GroupTransfer(Needs needs) : needs_(std::move(needs)) {}

  /// A group as bytes, for the worker that simulates it from the next tick on.
  struct SentGroup {
    std::vector<std::byte> bytes;
    std::vector<SessionId> crew;         ///< sessions with avatars in the group
    std::vector<std::uint64_t> clients;  ///< clients of these sessions, in the same order
  };
  /// Whether the subscribers that a group had when it was sent still have its state (`Stand`),
  /// perhaps with changes of a dead owner that are lost (`Ahead`), or must receive that state again
  /// (`Void`).
  enum class Subscribers : std::uint8_t { Stand, Ahead, Void };
  struct Arrival {
    world::GroupPast past;
    std::vector<std::unique_ptr<Player>> players;
    /// By player: its recorded ticks give the same results here. If not, it cannot be re-simulated,
    /// and starts where it stood.
    std::vector<bool> plays_alike;
    /// By player: the newest tick that the client acknowledged.
    std::vector<std::optional<Tick>> received;
    std::vector<TallyRecord> tallies;  ///< by player: its tally so far
    std::vector<PathPast> paths;       ///< by player
    std::span<const std::byte> rest;   ///< the subscribers, not parsed yet
  };

  /// Whether the group of `of` (all entities that must be simulated together with it) can be sent
  /// to another worker now: no entity that the group touches belongs to another worker, except to
  /// `to`.
  bool can_send(Handle of, std::optional<WorkerSlot> to = std::nullopt) const;
  /// Removes the group here.
  SentGroup send(Handle of);
  /// The group stays here as ghosts of the other worker, so nearby players see no gap.
  SentGroup send_to(WorkerSlot to, Handle of);
  /// Reads a group without changing anything here. None: the bytes are no group.
  std::optional<Arrival> read(std::span<const std::byte> bytes) const;
  /// Adds a group, and returns the sessions of its players. None: nothing has changed, see
  /// Core::receive_group().
  std::optional<std::vector<SessionId>> receive(std::span<const std::byte> bytes,
                                                Subscribers which);
  /// Continues the player without its past: the player's last ticks are final.
  void start_where_it_stood(Player& player);

 private:
  SentGroup written(const world::Group& group);
  void append_player(std::vector<std::byte>& out, SessionId session,
                     std::span<const world::ShapePtr> shapes);
  std::vector<GroupSubscriber> let_go_of_subscribers(std::span<const Handle> members);
  GroupAudience let_go_of_audience(std::span<const Handle> members);
  static std::optional<GroupAudience> read_audience(std::span<const std::byte> bytes,
                                                    std::size_t members);
  void note_known(const GroupAudience& audience, std::span<const Handle> members);
  void catch_up(Player& player, Tick from);
  /// Takes over the former owner's knowledge of the client: received blocks, tally, path.
  void note_received(SessionId session, const TallyRecord& tally,
                     const std::optional<Tick>& received, const PathPast& path);

  Needs needs_;
};

}  // namespace perigee::worker
