/// One client's knowledge of the world: entities with their tracks, doors with their logs,
/// parents with full motion. Filled by blocks and events, read by prediction and rendering.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/interest.hpp"
#include "perigee/base/streams.hpp"
#include "perigee/base/track_bases.hpp"
#include "perigee/base/track_player.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/client/ground_patches.hpp"
#include "perigee/client/parent_motions.hpp"
#include "perigee/client/rough_place.hpp"
#include "perigee/world/entity_type.hpp"

namespace perigee::client {

struct ClientEntity {
  Handle handle = no_entity;
  std::uint64_t identity = 0;
  world::TypeId type = 0;
  std::uint8_t respawns = 0;
  StreamId stream = 0;             ///< of its owner: the worker that replicates it
  std::optional<Tick> owner_tick;  ///< the newest at which that worker has stated something of it
  Handle parent = no_entity;       ///< at spawn; constant for scheduled objects
  Pose spawn_local;                ///< in that parent's frame
  bool given_up = false;
  double doubt_ticks = 0;  ///< above 0: removed after this time without an update
  TrackPlayer tracks;
  TrackBases bases;        ///< of further records
  world::TimelineLog log;  ///< scheduled objects
  GameBytes game;          ///< the public part of its game state
  /// Of `game`; none: the initial state, which no event has named.
  std::optional<std::uint32_t> game_version;
  PlayerName name;  ///< actors: of their player; empty: not known
};

/// The times at which entities are rendered.
struct ViewPoint {
  Tick origin;
  double ticks = 0;  ///< V, for remote entities: after `origin`
  /// Scheduled objects near `eye` are rendered this much later than V: at the own avatar's tick, in
  /// which the avatar collides with them.
  double ahead_ticks = 0;
  Vec3 eye;  ///< world
  /// The body that the player steers: rendered here, with its cargo, regardless of received states.
  Handle steered = no_entity;
  Pose steered_pose;

  /// Everything at V: remote entities in consistent relation to each other.
  ViewPoint remote() const { return {origin, ticks, 0, {}, no_entity, {}}; }
};

class EntityStore {
 public:
  static constexpr std::size_t entities_max = known_entities_max;

  explicit EntityStore(std::span<const world::EntityType> types);

  /// False: unknown type or full. A known handle is replaced, unless it is the same life of the
  /// same entity.
  bool spawn(const SpawnEvent& event, StreamId stream);
  /// Another worker has stated something of the entity at a later tick. Then an event that the
  /// worker behind `stream` made at `made` is out of date.
  bool is_superseded(Handle handle, StreamId stream, Tick made) const;
  /// The worker behind `stream` has stated something of the entity at that tick. A late statement
  /// of a former owner does not take it back.
  void note_owner(Handle handle, StreamId stream, Tick at);
  void despawn(Handle handle);
  /// The worker behind `stream` had sent the entity to a worker that died. Unless another worker
  /// replicates the entity already, or does so within 10 s, it is removed with its doors.
  void doubt(Handle handle, StreamId stream);
  void timeline(const TimelineEvent& event);
  /// A state that is not older than the known one. One that comes before its entity is kept for it.
  void game_state(const GameStateEvent& event);
  /// `from_owner`: from the worker that has the own avatar, whose word counts.
  void world_state(const WorldStateEvent& event, bool from_owner);
  /// The newest one; none: not known yet.
  const std::optional<WorldStateEvent>& world_state() const { return world_state_; }
  void player_name(const PlayerNameEvent& event);
  void clear() {
    entities_.clear();
    handles_.clear();
    rough_.clear();
    ++changes_;
    patches_.clear();
    retired_.clear();
    early_states_.clear();
    world_state_.reset();
    parent_motions_.clear();
    heard_.fill(std::nullopt);
  }
  /// Edits of ground, in ticks as the client's inputs name them, and whole chunks of it.
  void voxel(const VoxelEvent& event, std::int32_t delay_ticks) {
    patches_.voxel(event, delay_ticks);
  }
  void chunk(const ChunkEvent& event) { patches_.chunk(event); }
  /// No caller reads older ticks from now on: discards earlier edits of ground, and changes of
  /// scheduled objects that were finished well before it.
  void settle(Tick before);
  /// Removes everything that this stream replicates: the stream's worker has lost the state of this
  /// client.
  void forget_stream(StreamId stream);
  /// The worker of `stream` replicates it from now on. `seen`: the view that was rendered last.
  /// False: the entity, or the basis of a difference, is not known (yet); the caller counts it.
  bool record(const GroupFrame& frame, const TrackRecord& received, StreamId stream,
              const ViewPoint& seen = {});
  /// A block of that tick has arrived: the stream's entities follow their tracks up to then.
  void heard(StreamId stream, Tick tick);
  /// Motions of bodies for prediction.
  ParentMotions& parent_motions() { return parent_motions_; }
  const ParentMotions& parent_motions() const { return parent_motions_; }
  /// The server's state of the own avatar, for which there are no records.
  void own_state(const OwnSection& own, StreamId stream, Tick at, const ViewPoint& seen = {});

  /// Once per frame: removes entities that were in doubt for too long.
  void advance(double elapsed_ticks) { drop_doubtful(elapsed_ticks); }

  /// Whether the object's newest announced change is known. If not, it is still in transit.
  bool up_to_date(const ObjectVersion& version) const;

  /// The local version of a chunk that the worker lists. None: its patch is not known.
  std::optional<ChunkReport> report_on(const ChunkVersion& listed) const {
    return patches_.report_on(listed);
  }
  /// A patch's cells as replicated; null for other entities.
  const world::VoxelPatch* voxels(Handle patch) const { return patches_.find(patch); }

  const ClientEntity* find(Handle handle) const;
  const world::EntityType& type_of(const ClientEntity& entity) const { return types_[entity.type]; }
  world::GravityBox gravity_in(Handle parent) const;
  /// By handle.
  std::span<const std::unique_ptr<ClientEntity>> all() const { return entities_; }

  /// World motion at `tick` for prediction: constant for statics, extrapolated from the newest full
  /// motion for parents, by the log for scheduled objects. None for entities with tracks only.
  std::optional<Motion> motion_at(Handle handle, Tick tick) const;
  /// Whether it is the world, or a known entity that never moves in the world.
  bool stands_fast(Handle parent) const;
  /// A point of view, in the frame of `parent` and in the world.
  struct Viewer {
    Handle parent = no_entity;
    Vec3 local, world;
  };
  /// The space in which entities may collide with the viewer in a tick.
  struct SweptSpace {
    Viewer viewer;
    double reach_m = 0;             ///< around the viewer
    Tick at;                        ///< of the worker
    world::Bounds around;           ///< around the viewer, in the frame of its parent
    const Pose* resting = nullptr;  ///< of the parent; null if the parent moves in the tick
  };
  /// A cheap test: true only if this entity is certainly farther than `reach_m` away, wherever it
  /// may have moved since its last update.
  bool surely_beyond(const ClientEntity& entity, const Viewer& from, double reach_m) const;
  /// The same for the entity at that place of all(). Of most entities only bounds are read.
  bool surely_beyond(std::size_t index, const Viewer& from, double reach_m) const {
    if (roughly_beyond(rough_[index], from, reach_m)) {
      return !rough_[index].body || !parent_motions_.tick_of(handles_[index]);
    }
    return surely_beyond(*entities_[index], from, reach_m);
  }
  /// The same for its collisions in a tick. Nearly all of a crowd are actors, of which the newest
  /// track alone decides: that bounds their places much better.
  bool surely_misses(std::size_t index, const SweptSpace& by) const {
    const RoughPlace& rough = rough_[index];
    const bool same_frame = rough.frame == by.viewer.parent;
    if (rough.actor && (same_frame || (by.resting != nullptr && rough.frame == no_entity))) {
      const Vec3 place =
          same_frame ? rough.position : inverse_transform(*by.resting, rough.position);
      return tracked_outside(rough, place, by);
    }
    return surely_beyond(index, by.viewer, by.reach_m);
  }
  /// The same for its latest_place(), which it must have, and which must be in the parent's frame
  /// or in the world.
  bool latest_beyond(std::size_t index, const Viewer& from, double reach_m) const;
  /// Changes whenever entities were added, removed or replaced: pointers to them may be invalid.
  std::uint64_t changes() const { return changes_; }
  /// Probable place of an actor at `tick`, by its track. World axes. None if nothing was heard of
  /// it in the 250 ms before.
  std::optional<Pose> expected_at(const ClientEntity& entity, Tick tick) const;
  /// Its motion at the newest tick that its stream was heard of; it must have a track.
  FramedMotion latest(const ClientEntity& entity) const;
  /// Position and velocity of latest(), in the frame of its tracks.
  TrackPlace latest_place(const ClientEntity& entity) const {
    return entity.tracks.newest_place(heard_of(entity));
  }
  /// That velocity in world axes; a chain's link moves with its root.
  Vec3 received_velocity(const ClientEntity& entity, const ViewPoint& at) const;
  /// The pose to render, in its own frame. None if never updated.
  std::optional<TrackPlayer::Sample> drawn(const ClientEntity& entity, const ViewPoint& at) const;
  /// The pose in world axes, with all parents resolved, root first.
  std::optional<Pose> drawn_world(Handle handle, const ViewPoint& at) const;
  /// The tick of these poses, after the view's origin.
  double drawn_ticks(const ClientEntity& entity, const ViewPoint& at) const;

 private:
  static constexpr int tree_depth_max = 4;  ///< deeper trees and cycles are cut

  /// The same. Returns whether the entity's stream has changed.
  static bool note_owner(ClientEntity& entity, StreamId stream, Tick at);

  bool goes_by_announcements(const ClientEntity& entity) const;
  void take_early_state(ClientEntity& entity);
  /// The carrier of a scheduled object, otherwise `entity` itself: the worker that replicates the
  /// result replicates `entity`, too.
  const ClientEntity& sent_with(const ClientEntity& entity) const;
  void forget_all(std::span<const Handle> ascending);
  /// Place in all().
  std::optional<std::size_t> index_of(Handle handle) const;
  /// After entities were removed.
  void note_handles();
  RoughPlace rough_place(const ClientEntity& entity) const;
  void note_place(const ClientEntity& entity);
  /// Called after an entity was added, replaced or removed: places may be in its frame.
  void note_places();
  /// True: surely_beyond() is true, too, unless the full motion is known.
  bool roughly_beyond(const RoughPlace& rough, const Viewer& from, double reach_m) const;
  bool carried_beyond(const RoughPlace& rough, const Viewer& from, double reach_m) const;
  /// Limit of its way from the beginning of the track until its stream was heard of, plus so many
  /// seconds at the speed then.
  double rough_way_m(const RoughPlace& rough, double seconds_more) const;
  /// `place`: of the beginning of the track, in the frame of the parent.
  static bool tracked_outside(const RoughPlace& rough, const Vec3& place, const SweptSpace& by);
  std::optional<Pose> drawn_pose(Handle handle, const ViewPoint& at, int depth) const;
  double timeline_ticks(const ClientEntity& entity, const ViewPoint& at) const;
  TrackPlayer::Sample drawn_timeline(const ClientEntity& entity, const ViewPoint& at) const;
  void carry(const ClientEntity& entity, TrackPlayer::Sample& cargo, const ViewPoint& at) const;
  std::optional<Motion> motion_of(Handle handle, Tick tick, int depth) const;
  void drop_doubtful(double elapsed_ticks);
  void retire(const ClientEntity& entity);
  void take_back_track(ClientEntity& entity) const;
  /// The newest tick up to which the entity follows its track.
  Tick heard_of(const ClientEntity& entity) const;
  ClientEntity* find_mutable(Handle handle);
  void forget_patches();

  std::span<const world::EntityType> types_;
  std::vector<double> radius_m_;                         ///< by type: around the entity's origin
  std::vector<std::unique_ptr<ClientEntity>> entities_;  ///< by handle
  std::vector<RoughPlace> rough_;                        ///< of entities_
  std::uint64_t changes_ = 0;
  std::vector<Handle> handles_;  ///< of entities_: a search reads no entity
  GroundPatches patches_;
  ParentMotions parent_motions_;
  /// The newest tracks of entities that were despawned last. Events may be delivered after records
  /// that were sent later: if an entity left and came back, its track arrives, then its despawn and
  /// its spawn, and its worker does not send the track again.
  struct Retired {
    Handle handle = no_entity;
    std::uint64_t identity = 0;
    std::uint8_t respawns = 0;
    TrackPlayer::NewTrack track;
    TrackBases bases;
    Tick at;  ///< newest tick of its stream when it was despawned
  };
  /// States of entities whose spawn has not arrived, oldest first.
  static constexpr std::size_t early_states_max = 64;
  std::vector<GameStateEvent> early_states_;
  std::optional<WorldStateEvent> world_state_;
  static constexpr std::size_t retired_max = 128;
  std::vector<Retired> retired_;
  std::size_t next_retired_ = 0;
  bool any_doubt_ = false;                                    ///< an entity may be in doubt
  std::array<std::optional<Tick>, 1 + workers_max> heard_{};  ///< by stream
};

}  // namespace perigee::client
