/// One client's knowledge of the world: entities with their recent samples, doors with their logs,
/// parents with full motion. Filled by blocks and events, read by prediction and rendering.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/interest.hpp"
#include "perigee/base/snapshot_ring.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/client/ground_patches.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::client {

struct ClientEntity {
  Handle handle = no_entity;
  std::uint64_t identity = 0;
  world::TypeId type = 0;
  std::uint8_t respawns = 0;
  std::uint8_t stream = 0;    ///< of the worker that replicates it
  Handle parent = no_entity;  ///< at spawn; constant for scheduled objects
  Pose spawn_local;           ///< in that parent's frame
  SnapshotRing samples;
  double late_ticks = 0;   ///< rendered this much later than V: seldom updated
  double doubt_ticks = 0;  ///< above 0: removed after this time without an update
  bool given_up = false;
  world::TimelineLog log;   ///< scheduled objects
  GameBytes game;           ///< actors: the public part of their game state
  bool has_motion = false;  ///< its full motion was received in own sections
  Tick motion_tick;
  world::MotionAhead motion;
};

/// Whether its place at a tick follows from announcements alone.
constexpr bool is_fixture(world::EntityKind kind) {
  return kind == world::EntityKind::Static || kind == world::EntityKind::Timeline;
}

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
  /// A remote entity is extrapolated beyond its newest sample at most this long, or two intervals.
  static constexpr double extrapolate_ticks_min = 15;

  explicit EntityStore(std::span<const world::EntityType> types);

  /// False: unknown type or full. A known handle is replaced.
  bool spawn(const SpawnEvent& event, std::uint8_t stream);
  void despawn(Handle handle);
  /// The worker behind `stream` had sent the entity to a worker that died. Unless another worker
  /// replicates the entity already, or does so within 10 s, it is removed with its doors.
  void doubt(Handle handle, std::uint8_t stream);
  void timeline(const TimelineEvent& event);
  void game_state(const GameStateEvent& event);
  void clear() {
    entities_.clear();
    patches_.clear();
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
  void forget_stream(std::uint8_t stream);
  /// The worker of `stream` replicates it from now on. False: not known (yet); the caller counts
  /// it.
  bool record(Tick tick, const GroupFrame& frame, const EntityRecord& record, std::uint8_t stream);
  void parent_motion(Tick tick, const ParentMotion& motion);
  /// The server's state of the own avatar, for which there are no records.
  void own_state(const OwnSection& own, std::uint8_t stream);

  /// Once per frame: adapts each entity's render delay to its update interval and to the jitter. A
  /// change is spread over time: it speeds V up or slows it down by at most a fifth. Removes
  /// entities that were in doubt for too long.
  void advance(double elapsed_ticks, double jitter_ticks);

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
  /// motion for parents, by the log for scheduled objects. None for entities with samples only.
  std::optional<Motion> motion_at(Handle handle, Tick tick) const;
  /// Whether it is the world, or a known entity that never moves in the world.
  bool stands_fast(Handle parent) const;
  /// A point of view, in the frame of `parent` and in the world.
  struct Viewer {
    Handle parent = no_entity;
    Vec3 local, world;
  };
  /// A cheap test: true only if this entity is certainly farther than `reach_m` away, wherever it
  /// may have moved since its last update.
  bool surely_beyond(const ClientEntity& entity, const Viewer& from, double reach_m) const;
  /// Probable place of an actor at `tick`: its newest sample, extrapolated. World axes. None if the
  /// sample is more than 250 ms old then: too old for an extrapolation.
  std::optional<Pose> expected_at(const ClientEntity& entity, Tick tick) const;
  /// The velocity of its newest sample, world axes; a chain's link moves with its root.
  Vec3 received_velocity(const ClientEntity& entity, const ViewPoint& at) const;
  /// The pose to render, in its own frame. None if never updated.
  std::optional<SnapshotRing::Sample> drawn(const ClientEntity& entity, const ViewPoint& at) const;
  /// The same in world axes, with all parents resolved, root first.
  std::optional<Pose> drawn_world(Handle handle, const ViewPoint& at) const;

 private:
  static constexpr int tree_depth_max = 4;  ///< deeper trees and cycles are cut

  bool goes_by_announcements(const ClientEntity& entity) const;
  /// The carrier of a scheduled object, otherwise `entity` itself: the worker that replicates the
  /// result replicates `entity`, too.
  const ClientEntity& sent_with(const ClientEntity& entity) const;
  void forget_all(std::span<const Handle> ascending);
  std::optional<Pose> drawn_pose(Handle handle, const ViewPoint& at, int depth) const;
  SnapshotRing::Sample drawn_timeline(const ClientEntity& entity, const ViewPoint& at) const;
  void carry(const ClientEntity& entity, SnapshotRing::Sample& cargo, const ViewPoint& at) const;
  std::optional<Motion> motion_of(Handle handle, Tick tick, int depth) const;
  void drop_doubtful(double elapsed_ticks);
  ClientEntity* find_mutable(Handle handle);
  void forget_patches();

  std::span<const world::EntityType> types_;
  std::vector<double> radius_m_;                         ///< by type: around the entity's origin
  std::vector<std::unique_ptr<ClientEntity>> entities_;  ///< by handle
  GroundPatches patches_;
};

}  // namespace perigee::client
