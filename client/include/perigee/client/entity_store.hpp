/// What one client knows of the world: entities with their recent samples, doors with their logs,
/// parents with full motion. Filled by blocks and events, read by prediction and drawing.
/// (mission B1, K3, K5, K18)
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "perigee/netcode/interest.hpp"
#include "perigee/netcode/snapshot_ring.hpp"
#include "perigee/netcode/wire_world.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/frame.hpp"
#include "perigee/world/voxels.hpp"

namespace perigee::client {

struct ClientEntity {
  Handle handle = no_entity;
  std::uint64_t identity = 0;
  world::TypeId type = 0;
  std::uint8_t life = 0;
  std::uint8_t stream = 0;    ///< of the worker that told us
  Handle parent = no_entity;  ///< at spawn; timeline objects keep it
  Pose spawn_local;           ///< in that parent's frame
  SnapshotRing samples;
  double late_ticks = 0;   ///< drawn that much later than V: seldom heard of
  double doubt_ticks = 0;  ///< above 0: unless somebody tells of it within so long, it goes
  bool given_up = false;
  world::TimelineLog log;   ///< timeline objects
  GameBytes game;           ///< actors: what everybody may know of their game state
  bool has_motion = false;  ///< own sections told its full motion
  Tick motion_tick;
  world::MotionAhead motion;
};

/// Where it is at a tick follows from what was announced of it.
constexpr bool is_fixture(world::EntityKind kind) {
  return kind == world::EntityKind::Static || kind == world::EntityKind::Timeline;
}

/// When things are drawn.
struct ViewPoint {
  Tick origin;
  double ticks = 0;  ///< V, where remote things are drawn: after `origin`
  /// Timeline objects near `eye` are drawn that much later than V: at the tick at which the own
  /// avatar stands there and collides with them.
  double ahead_ticks = 0;
  Vec3 eye;  ///< world
  /// Shown here, with what it carries, whatever was heard of it: the body that the player steers.
  Handle steered = no_entity;
  Pose steered_pose;

  /// Everything at V: how remote things stand to each other. (K40)
  ViewPoint remote() const { return {origin, ticks, 0, {}, no_entity, {}}; }
};

class EntityStore {
 public:
  static constexpr std::size_t entities_max = known_entities_max;

  explicit EntityStore(std::span<const world::EntityType> types);

  /// False: unknown type or full. A known handle is told anew.
  bool spawn(const SpawnEvent& event, std::uint8_t stream);
  void despawn(Handle handle);
  /// The worker behind `stream` gave it to one that is lost: it goes, with its
  /// doors, unless another one tells of it, or somebody does so within 10 s.
  void doubt(Handle handle, std::uint8_t stream);
  void timeline(const TimelineEvent& event);
  void game_state(const GameStateEvent& event);
  void clear() {
    entities_.clear();
    patches_.clear();
  }
  /// Edits of ground, in ticks as our inputs name them, and whole chunks of it.
  void voxel(const VoxelEvent& event, std::int32_t delay_ticks);
  void chunk(const ChunkEvent& event);
  /// No caller looks at older ticks any more: forgets edits of ground before it, and changes of
  /// timeline objects that had been finished well before it.
  void settle(Tick before);
  /// Everything that this stream tells of: its worker lost its memory of us.
  void forget_stream(std::uint8_t stream);
  /// `stream`'s worker tells of it from now on. False: not known (yet); the caller counts it.
  bool record(Tick tick, const GroupFrame& frame, const EntityRecord& record, std::uint8_t stream);
  void parent_motion(Tick tick, const ParentMotion& motion);
  /// What the server says of our own avatar, which no record tells.
  void own_state(const OwnSection& own, std::uint8_t stream);

  /// Once a frame: how late each thing is drawn follows how often it is heard of and what news'
  /// delays vary by. A change takes its time: V runs by at most a fifth faster or slower for it.
  /// What has been doubted for long goes.
  void advance(double elapsed_ticks, double jitter_ticks);

  /// Do we know the object's newest announced change? If not, it is under way. (K42, V11)
  bool up_to_date(const ObjectVersion& version) const;

  /// What is here of a chunk that the worker lists. None: not even its patch.
  std::optional<ChunkReport> report_on(const ChunkVersion& told) const;
  /// A patch's cells as the worker told of them; null for what consists of none.
  const world::VoxelPatch* voxels(Handle patch) const;

  const ClientEntity* find(Handle handle) const;
  const world::EntityType& type_of(const ClientEntity& entity) const { return types_[entity.type]; }
  world::GravityBox gravity_in(Handle parent) const;
  /// By handle.
  std::span<const std::unique_ptr<ClientEntity>> all() const { return entities_; }

  /// World motion at `tick` as prediction needs it: statics for good, parents extrapolated from the
  /// newest full motion, timeline objects by their log. None for what only has samples.
  std::optional<Motion> motion_at(Handle handle, Tick tick) const;
  /// The world, or something known that never moves in it.
  bool stands_fast(Handle parent) const;
  /// A place to look from: in the frame of `parent` and in the world.
  struct Viewer {
    Handle parent = no_entity;
    Vec3 local, world;
  };
  /// A cheap look: this entity surely is farther than `reach_m` away, whatever it has done since it
  /// was last heard of. False if that is not certain.
  bool surely_beyond(const ClientEntity& entity, const Viewer& from, double reach_m) const;
  /// Where an actor probably is at `tick`: its newest sample carried on. World axes. None if that
  /// is more than 250 ms old then: where it goes meanwhile is anybody's guess.
  std::optional<Pose> expected_at(const ClientEntity& entity, Tick tick) const;
  /// The velocity of its newest sample, world axes; a chain's link moves with its root.
  Vec3 heard_velocity(const ClientEntity& entity, const ViewPoint& at) const;
  /// Where it is drawn, in its own frame. None if never heard of.
  std::optional<SnapshotRing::Sample> drawn(const ClientEntity& entity, const ViewPoint& at) const;
  /// The same in world axes: the whole tree resolved, root first. (K18)
  std::optional<Pose> drawn_world(Handle handle, const ViewPoint& at) const;

 private:
  bool goes_by_announcements(const ClientEntity& entity) const;
  /// Whoever tells of this has `entity`, too.
  const ClientEntity& told_with(const ClientEntity& entity) const;
  void forget_all(std::span<const Handle> ascending);
  std::optional<Pose> drawn_pose(Handle handle, const ViewPoint& at, int depth) const;
  SnapshotRing::Sample drawn_timeline(const ClientEntity& entity, const ViewPoint& at) const;
  void carry(const ClientEntity& entity, SnapshotRing::Sample& cargo, const ViewPoint& at) const;
  std::optional<Motion> motion_of(Handle handle, Tick tick, int depth) const;
  void drop_doubtful(double elapsed_ticks);
  ClientEntity* find_mutable(Handle handle);
  void add_patch(const ClientEntity& entity);
  void forget_patches();

  std::span<const world::EntityType> types_;
  std::vector<double> radius_m_;                         ///< by type: around the entity's origin
  std::vector<std::unique_ptr<ClientEntity>> entities_;  ///< by handle
  std::map<Handle, world::VoxelPatch> patches_;
};

}  // namespace perigee::client
