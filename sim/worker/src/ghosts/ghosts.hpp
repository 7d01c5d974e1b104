/// Ghosts: replicas of other workers' entities near our own, as remote entities of this world. They
/// collide, and actors see them and stand on them. They are not simulated here, and not replicated
/// to clients. Each worker replicates to each other worker those of its entities that are in and
/// near the regions of that worker, or around the entities that the other worker owns outside of
/// its regions.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "ghosts/ghost_wire.hpp"
#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/failover/standby_relations.hpp"
#include "perigee/worker/ghosts/look_rounds.hpp"
#include "perigee/worker/outputs.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class Ghosts {
 public:
  struct Needs {
    world::World& world;
    const ClusterView& cluster;
    const StandbyRelations& standby;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    const Tick& next;  ///< the tick that is simulated next
  };
  /// A group is migrated 32 m beyond the border, within a second at up to 60 m/s. Everything within
  /// 32 m of the group must be here by then. More: more to replicate; less: ground that arrives
  /// late.
  static constexpr double band_m = 128;
  static constexpr double leave_m = 160;  ///< leaves the band this far out: hysteresis
  /// Within this time each entity is checked against the band.
  static constexpr std::int32_t look_ticks = 12;
  /// Resting entities checked per tick. More: longer ticks with 100,000 entities; less: it takes
  /// longer until all are checked after a change of the map. Moving ones are always checked in
  /// time.
  static constexpr std::size_t looks_per_tick_max = 2048;
  /// Replicated entities checked per tick: whether they still exist and are still ours.
  static constexpr std::size_t checks_per_tick_max = 512;
  /// Entities listed per tick that were never sent: more than fit into a tick.
  static constexpr std::size_t unsent_per_tick_max = 4096;
  /// 20 Hz for bodies; actors are sent each tick.
  static constexpr std::int32_t motion_ticks = 3;
  static constexpr std::int32_t idle_ticks = 3;    ///< at least one message per this interval
  static constexpr std::int32_t again_ticks = 12;  ///< between two requests for a new epoch
  /// After this long, a disputed ownership is resolved by a new epoch.
  static constexpr std::int32_t dispute_ticks = 15;
  /// A peer's ghosts are removed after this long without messages, except at its standby. (Bodies
  /// are extrapolated for 15 ticks, then stop.)
  static constexpr std::int32_t silence_ticks_max = 120;
  /// Groups are accepted from a peer if its band was complete here this recently.
  static constexpr std::int32_t fresh_ticks = 30;
  /// A fixture that has gone to another worker stays with the other receivers for this long. More:
  /// a receiver outside of the new owner's band has it for longer. Less: with a slow link the
  /// ground vanishes for some ticks, and an actor on it loses its parent.
  static constexpr std::int32_t hand_over_ticks = 60;
  /// Maximum difference between a message's tick and ours.
  static constexpr std::int32_t skew_ticks_max = 60;
  static constexpr std::size_t bytes_per_tick_max = 32 << 10;  ///< per peer; the rest waits
  /// States take so many of these, and leave the rest to motion and new entities.
  static constexpr std::size_t state_bytes_per_tick_max = bytes_per_tick_max / 2;
  /// The same for the standby, which receives everything: 1,000 bodies and 500 players take 60 KiB.
  static constexpr std::size_t standby_bytes_per_tick_max = 256 << 10;

  explicit Ghosts(Needs needs) : needs_(needs), buffer_(standby_bytes_per_tick_max) {}

  void on_map();
  /// The world is at the start of next_tick().
  void after_tick();
  void on_news(WorkerSlot from, std::span<const std::byte> bytes);
  void on_again(WorkerSlot from, std::span<const std::byte> bytes);
  /// Removes an entity that no longer exists in this world from all streams.
  void no_more(Handle thing);

  /// All of the peer's band is here.
  bool knows_all_of(WorkerSlot peer) const;
  /// The same, as of that tick of the peer.
  bool knows_all_of(WorkerSlot peer, Tick tick) const;
  /// The peer has been sent everything that it should have.
  bool has_sent_all_to(WorkerSlot peer) const;
  /// There is another worker.
  bool has_peers() const { return !sent_.empty(); }
  /// All peers have sent their complete bands, except peers without regions that have sent nothing.
  bool knows_everybodys() const;
  std::optional<WorkerSlot> owner_of(Handle ghost) const;
  /// The ghost's owner has this worker as its standby.
  bool copied(Handle ghost) const;
  /// Another worker replicates the ghost here.
  bool replicated(Handle ghost) const;
  /// The places in which that worker has entities outside of its regions.
  std::span<const world::Bounds> out_of_region_of(WorkerSlot peer) const;
  /// These entities were sent to the peer. They count as its ghosts even before the peer replicates
  /// them.
  void on_group_sent(std::span<const Handle> members, WorkerSlot to);
  /// These entities were received or taken over, and are no longer ghosts.
  void on_owned(std::span<const Handle> members);
  /// Removes a dead worker's ghosts from its stream and returns them, except those that were sent
  /// to that worker and that it never replicated.
  std::set<Handle> take_over(WorkerSlot dead);
  /// Despawns the members that no worker replicates or is expected to replicate.
  void let_go_of(std::span<const Handle> members);

 private:
  // ghosts_sender.cpp
  struct Sent {
    bool once = false;
    bool rests = false;
    Handle hangs_on = no_entity;  ///< the ship of a door that was sent
    std::uint16_t version = 0;    ///< version of a scheduled object's log
    Tick at;
    std::vector<std::uint16_t> chunks;  ///< versions of the chunks of voxel ground
  };
  struct Sending {
    bool everything = false;  ///< the receiver is our standby
    Incarnation incarnation;
    std::uint32_t epoch = 1, sequence = 0;
    std::vector<world::Bounds> regions;
    /// The receiver's entities outside of its regions.
    FixedVector<world::Bounds, GhostHead::out_of_region_max> out_of_region;
    std::map<Handle, Sent> things;  ///< in the band
    /// The subset never sent, or not completely.
    std::set<Handle> unsent;
    /// The subset of bodies that moved when last sent.
    std::set<Handle> moving;
    std::vector<Handle> gone;  ///< removals to be sent
    /// The subset of sent ones whose state has changed since.
    std::set<Handle> stated;
    Handle next_stated = no_entity;  ///< the states of the last tick ended here
    /// Fixtures that went to a third worker, and the tick in which the receiver is told to remove
    /// ours. By then it has the new owner's.
    std::vector<std::pair<Handle, Tick>> handed_over;
    std::set<std::pair<Handle, Handle>> hanging;  ///< (carrier, carried) as sent
    Handle next = no_entity;                      ///< where the byte budget of the last tick ended
    Handle checked = no_entity;                   ///< ownership was checked up to this handle
    /// After this round all entities have been checked for this receiver.
    LookRounds::Number complete_after = 0;
    std::optional<Tick> whole;  ///< when the receiver had been sent everything
    void begin_anew();
    void forget(Handle thing);
    void let_go(Handle thing);
    void let_go_of_parts(Handle thing);
    void hand_over(Handle thing, Tick until);
    void end_hand_overs(Tick now);
    bool reaches(const world::Bounds& place, double m) const;
    /// Like most workers it is far away: it has nothing but the entity of the world's state.
    bool has_only(Handle world_entity) const { return things.size() == things.count(world_entity); }
  };
  void move_ticks_along();
  std::size_t look_turns() const;
  void look_at_some();
  void list_everywhere();
  void look(std::span<const Handle> handles);
  void look(Handle handle, const world::Bounds& place);
  using OutOfRegion = std::map<RegionId, world::Bounds>;
  void enqueue(const world::Entity& entity, const world::Bounds& place);
  static void add_out_of_region(OutOfRegion& out_of_region, RegionId region,
                                const world::Bounds& box);
  std::optional<world::Bounds> place_of(const world::Entity& entity) const;
  void send(WorkerSlot to, Sending& sending);
  void write_gone(ByteWriter& writer, Sending& sending);
  void write_states(ByteWriter& writer, Sending& sending);
  void list_news(Sending& sending);
  void list_unsent(const Sending& sending, Handle from);
  enum class Written : std::uint8_t { Yes, NoRoom, NotOurs };
  Written write_update(ByteWriter& writer, WorkerSlot to, Sending& sending, Handle handle,
                       Sent& sent);
  bool write_thing(ByteWriter& writer, Sending& sending, const world::Entity& entity, Sent& sent);
  bool write_chunks(ByteWriter& writer, Sending& sending, Handle patch, Sent& sent);

  // ghosts_receiver.cpp
  struct Ghost {
    std::uint32_t epoch = 0;   ///< epoch of the stream in which it was received
    Tick owned_at;             ///< the sender's tick at which it said to own it
    std::optional<Tick> sent;  ///< sent there from here, and not replicated back yet
  };
  struct Receiving {
    std::uint32_t cluster_id = 0;
    Incarnation incarnation;
    HandleBase handle_base;              ///< first handle of that incarnation
    std::optional<std::uint32_t> epoch;  ///< none: nothing received yet
    std::uint32_t next = 0;              ///< next message
    Tick received;
    std::optional<Tick> whole;  ///< our tick when the band was complete
    Tick whole_of;              ///< the sender's tick of that state
    std::optional<Tick> asked;
    bool swept = false;    ///< entities not sent in this epoch have been removed
    bool refused = false;  ///< an entity of this epoch had no room, or is disputed
    /// The time since which another worker has claimed one of its entities, as of a later tick.
    std::optional<Tick> disputed;
    FixedVector<world::Bounds, GhostHead::out_of_region_max> out_of_region;
    std::map<Handle, Ghost> things;
    Handle checked = no_entity;  ///< arrivals were checked up to this handle
  };
  bool in_order(WorkerSlot from, Receiving& receiving, const GhostHead& head);
  bool receive(ByteReader& reader, Receiving& receiving, WorkerSlot from, Tick at);
  bool receive_chunk(ByteReader& reader, const Receiving& receiving);
  bool receive_state(ByteReader& reader, const Receiving& receiving);
  void receive_thing(const GhostThing& thing, Receiving& receiving, WorkerSlot from, Tick at);
  void place(const GhostThing& thing, Tick at);
  bool known(const Receiving& receiving, Handle handle, world::EntityKind kind) const;
  void let_go(Receiving& receiving, Handle handle);
  void forget(Receiving& receiving);
  void expect_from_successors();
  void sweep(Receiving& receiving);
  void ask_again(WorkerSlot from, Receiving& receiving, std::uint32_t epoch);
  void forget_the_silent();
  void forget_who_never_came(Receiving& receiving);

  Needs needs_;
  std::map<WorkerSlot, Sending> sent_;
  std::map<WorkerSlot, Receiving> received_;
  std::vector<Handle> came_;    ///< received or spawned: to be checked first
  std::vector<Handle> lively_;  ///< own ones not at rest
  std::vector<Handle> turn_;    ///< entities to be checked in this tick
  LookRounds rounds_;
  /// Own ones of `turn_`, with their places.
  std::vector<std::pair<Handle, world::Bounds>> placed_;
  /// Receivers that any of these may concern.
  std::vector<Sending*> concerned_;
  std::vector<Handle> news_;                         ///< candidates for one receiver
  OutOfRegion out_of_region_, out_of_region_found_;  ///< all, and those of the current round
  std::vector<std::byte> buffer_;
};

}  // namespace perigee::worker
