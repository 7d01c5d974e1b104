/// The worker's side of the world: entities, their bodies, doors and recent motions, and the
/// surroundings of actors. It has no notion of players, inputs or rollback.
///
/// One tick t on the worker: game drives bodies -> step_bodies(t) -> for every actor
/// gather_neighbours(.., t, ..) and step -> set_actor(.., t + 1).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "perigee/base/ids.hpp"
#include "perigee/world/body_forces.hpp"
#include "perigee/world/drawn_world.hpp"
#include "perigee/world/entity_bodies.hpp"
#include "perigee/world/entity_motions.hpp"
#include "perigee/world/entity_news.hpp"
#include "perigee/world/entity_table.hpp"
#include "perigee/world/game_calls.hpp"
#include "perigee/world/gravity_fields.hpp"
#include "perigee/world/group_states.hpp"
#include "perigee/world/groups.hpp"
#include "perigee/world/joints.hpp"
#include "perigee/world/lively_entities.hpp"
#include "perigee/world/neighbour.hpp"
#include "perigee/world/neighbour_grid.hpp"
#include "perigee/world/neighbour_queries.hpp"
#include "perigee/world/parenting.hpp"
#include "perigee/world/physics.hpp"
#include "perigee/world/remote_entities.hpp"
#include "perigee/world/scheduled_changes.hpp"
#include "perigee/world/spawner.hpp"
#include "perigee/world/thing_states.hpp"
#include "perigee/world/voxel_patches.hpp"
#include "perigee/world/world_setup.hpp"

namespace perigee::world {

struct Group;
struct GroupPast;

class World {
 public:
  static constexpr std::uint32_t history_ticks = world::history_ticks;
  static constexpr std::int32_t catch_up_ticks = world::catch_up_ticks;
  using ActorTraces = world::ActorTraces;

  explicit World(const WorldSetup& setup);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// While this object lives, the game's code has access to this world. The world then refuses to
  /// spawn or despawn actors, and records each refused call as the game's fault.
  class GameCall {
   public:
    explicit GameCall(World& world) : world_(world) { world_.calls_.begin(); }
    /// At most so many changes of states; more are refused.
    GameCall(World& world, std::uint32_t states_max) : GameCall(world) {
      world_.calls_.limit_states(states_max);
    }
    ~GameCall() { world_.calls_.end(); }
    GameCall(const GameCall&) = delete;
    GameCall& operator=(const GameCall&) = delete;

   private:
    World& world_;
  };
  /// The refused values of the game.
  GameFaults& game_faults() { return calls_.faults(); }
  const GameFaults& game_faults() const { return calls_.faults(); }

  /// Spawns an entity. It is known at once, and in physics from the next step_bodies on, in id
  /// order. no_entity if the order is refused: see the rows of GameValue::Spawn...
  Handle spawn(const SpawnOrder& order) { return spawner_.spawn(order).entity; }
  /// The same, with the reason if the order is refused.
  Spawned try_spawn(const SpawnOrder& order) { return spawner_.spawn(order); }
  /// Also despawns all entities with this parent except actors: those move to the region's frame.
  /// False if there is no such entity, or if the game asks to despawn an actor.
  bool despawn(Handle handle) { return spawner_.despawn(handle); }
  const Entity* find(Handle handle) const {
    const EntityRecord* found = entities_.find(handle);
    return found == nullptr ? nullptr : &found->entity;
  }
  const EntityType& type_of(const Entity& entity) const { return entities_.types()[entity.type]; }
  std::span<const EntityType> types() const { return entities_.types(); }
  /// All handles by entity id. Valid until the next spawn or despawn.
  std::span<const Handle> in_order() const { return entities_.handles(); }
  std::size_t size() const { return entities_.size(); }
  /// By type id.
  std::span<const Present> present() const { return entities_.present(); }
  /// Numbers of the handle blocks that the handles of all entities here come from, ascending. All
  /// blocks have the size of this world's own.
  std::vector<HandleBlock> handle_blocks() const { return entities_.handle_blocks(); }
  /// Reports the changes since the last call: own entities that differ from their last report, as
  /// they are `now`, with their bounds in world axes. For an endless scheduled object these are the
  /// bounds of its whole path. `gone` is called for entities that no longer exist, or are no longer
  /// this world's own. Entities at rest or on an endless path are reported once.
  void take_news(const EntityNews::Visit& visit, const std::function<void(Handle)>& gone) {
    news_.take(lively_.list(), visit, gone);
  }
  void report_again(Handle handle) { news_.note_touched(handle); }
  /// Own entities added since the last call; some may already be gone.
  std::vector<Handle> take_created() { return news_.take_created(); }
  /// The game's state of an entity that is not an actor, own or remote. Null: its type has none.
  /// Valid until the entity is gone.
  const ThingState* state(Handle thing) const { return states_of_things_.find(thing); }
  /// The entity whose state is the world's, own or remote; of several the one with the smallest id.
  /// no_entity: the game has none, or this worker has not heard of it yet.
  Handle world_entity() const {
    const auto all = entities_.everywhere();
    return all.empty() ? no_entity : all.front()->entity.handle;
  }
  /// For populate and drive; elsewhere Journal::set_state. False and nothing is changed: there is
  /// no such entity, it is another worker's, its type has no state, or drive has made 256 changes
  /// in this tick.
  bool set_state(Handle thing, const GameState& value) {
    return states_of_things_.set(thing, value);
  }
  /// The newest state of another worker's entity. False: there is no such entity with a state.
  bool set_remote_state(Handle thing, const ThingState& state) {
    return states_of_things_.set_remote(thing, state);
  }
  /// The members go on from copies of a dead owner's. Changes that the owner has told and not
  /// replicated are then older than all that follow.
  void outdate_lost_changes(std::span<const Handle> members) {
    states_of_things_.outdate_lost_changes(members);
  }
  /// Entities with changes by set_state since forget_stated(), in order; one may be named more than
  /// once, or be gone.
  std::span<const Handle> stated() const { return news_.stated(); }
  void forget_stated() { news_.forget_stated(); }
  /// Likewise, since the last call, those with changes that clients see.
  std::vector<Handle> take_shown() { return news_.take_shown(); }
  /// A handle of the world's own block, for objects outside of the world (projectiles, sessions).
  Handle grant_handle() { return entities_.grant_handle(); }
  /// Those that this incarnation of the worker can still grant; a handle is never used again.
  std::uint32_t handles_left() const { return entities_.handles_left(); }
  std::uint32_t handles_max() const { return entities_.handles_max(); }

  /// The tick that the next step_bodies starts from.
  Tick now() const { return now_; }
  /// Steps the bodies from `tick` (= now) to tick + 1: spawns, drives, impulses, gravity boxes, one
  /// step.
  void step_bodies(Tick tick);

  /// Pose and motion at one of the last 64 ticks, also of scheduled objects, actors and statics.
  /// The region's frame (no_entity) rests at the origin.
  std::optional<Motion> motion(Handle handle, Tick tick) const {
    return motions_.motion(handle, tick);
  }
  std::optional<Pose> pose(Handle handle, Tick tick) const { return motions_.pose(handle, tick); }
  /// Frame of the tick from `tick` to tick + 1. Both must be in the history.
  std::optional<FrameMotion> frame(Handle parent, Tick tick) const {
    return motions_.frame(parent, tick);
  }
  /// In the world's frame: the smallest gravity field around the point, as if it were unbounded.
  GravityBox gravity_at(const Vec3& world_point, Tick tick) const {
    return fields_.at(world_point, tick);
  }

  /// Sets the body's velocities at the end of the coming step, unless it hits something. Returns
  /// false and changes nothing: there is no such body, it is another worker's, or a velocity is
  /// beyond speed_max_m_s or spin_max_rad_s.
  bool set_drive(Handle body, const Vec3& velocity, const Vec3& angular_velocity) {
    return forces_.drive(body, velocity, angular_velocity);
  }
  /// Places a body at `now` (migration, reset). False as with set_drive.
  bool set_body(Handle body, const Motion& motion) { return bodies_.set(body, motion); }
  /// Sets the motion of another worker's body at a tick, as received. Motions extrapolated since
  /// then are extrapolated anew. Without further updates the body moves on for `catch_up_ticks`,
  /// and then stands still.
  void set_remote_motion(Handle body, Tick tick, const Motion& motion) {
    remote_.set_motion(body, tick, motion);
  }
  /// Sets the complete log of another worker's scheduled object.
  void set_remote_log(Handle object, const TimelineLog& log) { remote_.set_log(object, log); }
  /// Changes the ownership of the body. Its state stays.
  void set_remote(Handle body, bool remote) { remote_.set_remote(body, remote); }
  /// Joins two own bodies from the next step on, until one of them is gone. False if one of them is
  /// not this world's own, if they are joined already, or if a number is not finite.
  bool add_hinge(const HingeOrder& hinge) { return joints_.add(hinge); }
  /// Sets the target speed of the hinge's motor in rad/s. False if there is no such hinge.
  bool drive_hinge(Handle a, Handle b, double rad_s) { return joints_.drive(a, b, rad_s); }
  /// Every set of bodies linked by joints, by entity id.
  std::span<const std::vector<Handle>> chains() const { return joints_.chains(); }
  /// Whether the body hangs on joints: then no client predicts it.
  bool chained(Handle body) const { return joints_.chained(body); }
  /// Applies an impulse in N s at a world point, in the coming step, once. False for a body that is
  /// not this world's own, and beyond impulse_max_n_s.
  bool apply_impulse_next_tick(Handle body, const Vec3& impulse, const Vec3& world_point) {
    return forces_.add_impulse(body, impulse, world_point);
  }

  /// The group of entities that must be simulated in one place with this one. Empty for another
  /// worker's entity. See group.hpp.
  Group group_of(Handle handle) const;
  /// Whether the entity is a fixture: no force moves it, and no moving body carries it.
  bool fixtures(Handle handle) const { return groups_.is_fixture(handle); }
  /// Visits every `step`-th entity by id, from `first` on. `visit` is told whether the entity
  /// rests: then only an announcement, a call or a hit can move it.
  void look_through(std::size_t first, std::size_t step,
                    const std::function<void(const Entity&, bool rests)>& visit) const;
  /// Visits the entities that do not rest, by entity id.
  void for_each_lively(const std::function<void(const Entity&)>& visit) const;
  /// Whether it touches another worker's body.
  bool touches_remote(Handle body) const { return groups_.touches_remote(body); }
  /// The first ground of cells by id that is this near to one of the members.
  const Entity* cells_near(std::span<const Handle> members, double within_m) const {
    return patches_.near(members, within_m);
  }
  /// The complete state of these entities at `now`.
  GroupPast extract(std::span<const Handle> members) const;
  /// Visits all own entities as they are at `now`, by entity id. For actors, `local` is their pose
  /// in their parent's frame. Bodies have their motion.
  void for_each_own(
      const std::function<void(const Entity&, const Motion&, const TimelineLog&)>& visit) const;
  /// All joints between two of this world's own bodies.
  std::vector<HingeDrive> hinges() const { return joints_.all(); }
  std::size_t hinges_among(std::span<const Handle> members) const {
    return joints_.count_among(members);
  }
  /// Removes entities that have migrated to another worker with all their state.
  void release(std::span<const Handle> members) { states_.release(members); }
  /// Makes the members another worker's from here on. All their state stays.
  void make_remote(std::span<const Handle> members) { remote_.make_remote(members); }
  /// Makes the members this world's own from here on, in the state received last. A body without
  /// updates for longer than `catch_up_ticks` moves on from where it has stopped.
  void make_own(std::span<const Handle> members) { remote_.make_own(members); }
  /// Continues the group here; remote copies of its members are replaced. Returns false and changes
  /// nothing if one of the handles or ids is taken, a type is unknown, or there is no room. Bodies
  /// that are up to `catch_up_ticks` late are moved on by extrapolation, as all other workers have
  /// assumed. Bodies that are later keep their state as it was, without a history.
  bool insert(const GroupPast& group) { return states_.insert(group); }

  /// A patch's cells; null for other entities.
  VoxelPatch* voxels(Handle patch) { return patches_.cells(patch); }
  const VoxelPatch* voxels(Handle patch) const { return patches_.cells(patch); }
  /// All patches of cells, by entity id. They rest in the region's frame.
  std::span<const Handle> patches() const { return patches_.all(); }
  /// For cut_out().
  bool cut_cells(Handle patch, const Bounds& around, Tick tick, VoxelCutout& out) const {
    return patches_.cut(patch, around, tick, out);
  }

  /// Sets an actor's place at the start of `tick`, with which others collide. A remote actor's last
  /// place is held for up to 15 ticks.
  void set_actor(Handle actor, Handle parent, const ActorState& state, Tick tick);
  /// The same for a past tick that was re-simulated. If not `drawn`, cast_drawn and drawn_pose keep
  /// the actor's former place, where other players saw it.
  void correct_actor(Handle actor, Handle parent, const ActorState& state, Tick tick, bool drawn);
  /// Valid until the actor despawns; null for other entities.
  const ActorTraces* traces(Handle actor) const;

  /// TooOld is also returned for an object of another worker, and for a change that propose_change
  /// could not have made: one before now, or not after all announced changes. Full: the object has
  /// changed so often within timeline_look_back_ticks that its log has no room.
  TimelineLog::Added announce(const TimelineChange& change) { return changes_.announce(change); }
  /// The changes announced since the last call, in order: for the worker to replicate.
  void take_announced(std::vector<TimelineChange>& out) { changes_.take_announced(out); }
  const TimelineLog* timeline(Handle object) const { return changes_.log(object); }
  /// The object's next change, not yet announced, after all announced ones. For an entity that is
  /// not a scheduled object the result names no object, and announce refuses it.
  TimelineChange propose_change(Handle object, Tick target, std::uint8_t goal,
                                std::int32_t announce_ticks = announce_ticks_default) const {
    return changes_.propose(object, target, goal, announce_ticks);
  }

  /// Gathers all entities near `around` (parent's frame) in the tick from `tick`, sorted by id,
  /// without `self`. Returns how many did not fit; these are the farthest ones.
  std::uint32_t gather_neighbours(Handle parent, const Bounds& around, Tick tick, Handle self,
                                  Neighbours& out) const {
    return neighbours_.gather(parent, around, tick, self, out);
  }
  /// Adds the scheduled objects near `around` that are not among the neighbours. Their places
  /// follow from the announced changes, so the tick may be older than the history.
  void add_doors(Handle parent, const Bounds& around, Tick tick, Neighbours& out) const {
    neighbours_.add_doors(parent, around, tick, out);
  }
  /// Makes gathering at a past tick as fast as at the present one, until the next step.
  void look_back(Tick tick) { lively_.look_back(tick); }
  /// One actor relative to `parent` at the start of `tick`.
  std::optional<ActorBeside> actor_beside(Handle actor, Handle parent, Tick tick) const {
    const EntityRecord* r = entities_.find(actor);
    const bool is_actor = r != nullptr && r->is(EntityKind::Actor);
    return is_actor ? motions_.actor_beside(*r, parent, tick) : std::nullopt;
  }
  /// Large bodies with an inflated box or gravity box that contains the point, by id. `current` is
  /// always included, if it still exists.
  void parent_candidates(const Vec3& world_point, Tick tick, Handle current,
                         ParentCandidates& out) const {
    neighbours_.parent_candidates(world_point, tick, current, out);
  }

  /// Own potential parents, and own scheduled objects with announced changes, with bounds within
  /// this distance `now`. By entity id.
  void parents_within(const Vec3& world_point, double m, std::vector<Handle>& out) const {
    neighbours_.parents_within(world_point, m, out);
  }
  void doors_within(const Vec3& world_point, double m, std::vector<Handle>& out) const {
    neighbours_.doors_within(world_point, m, out);
  }

  /// The pose at which a client rendered the entity at that moment, in world axes.
  std::optional<Pose> drawn_pose(Handle handle, const DrawnAt& at) const {
    return drawn_.pose(handle, at);
  }
  /// The first entity except `except` on a ray through the scene as a client rendered it at that
  /// moment. World axes.
  std::optional<DrawnHit> cast_drawn(const Vec3& from, const Vec3& direction, double range_m,
                                     Handle except, const DrawnAt& at) const {
    return drawn_.cast(from, direction, range_m, except, at);
  }

  /// The delay with which every player near that place knows of a change before predicting it.
  using LeadTicks = std::function<std::int32_t(const Vec3& place)>;
  void set_lead(LeadTicks lead) { lead_ = std::move(lead); }
  /// The announce_ticks with which a change that no player causes, such as a timetable's, reaches
  /// all players near the object in time. Longer than the default while some of them are on slow
  /// paths.
  std::int32_t lead_ticks(Handle object) const {
    const auto at = pose(object, now_);
    return at && lead_ ? std::max(lead_(at->position), announce_ticks_default)
                       : announce_ticks_default;
  }

  const PhysicsWorld& physics() const { return *physics_; }
  std::uint64_t hash() const;

 private:
  WorldSetup setup_;
  Tick now_;
  LeadTicks lead_;
  std::unique_ptr<PhysicsWorld> physics_;
  EntityTable entities_;
  EntityMotions motions_{entities_, now_};
  NeighbourGrid grid_;
  GameCalls calls_{entities_, now_};
  EntityNews news_{entities_, motions_, now_};
  ThingStates states_of_things_{{.entities = entities_, .news = news_, .calls = calls_}};
  LivelyEntities lively_{{.entities = entities_,
                          .motions = motions_,
                          .grid = grid_,
                          .news = news_,
                          .physics = *physics_,
                          .now = now_}};
  VoxelPatches patches_{
      {.entities = entities_, .motions = motions_, .physics = *physics_, .now = now_}};
  GravityFields fields_{{.entities = entities_, .motions = motions_, .now = now_}};
  Joints joints_{{.entities = entities_, .calls = calls_, .physics = *physics_}};
  ScheduledChanges changes_{
      {.entities = entities_, .lively = lively_, .calls = calls_, .now = now_}};
  NeighbourQueries neighbours_{{.entities = entities_,
                                .motions = motions_,
                                .grid = grid_,
                                .now = now_,
                                .parenting = setup_.parenting}};
  DrawnWorld drawn_{{.entities = entities_, .motions = motions_, .grid = grid_}};
  EntityBodies bodies_{{.entities = entities_,
                        .motions = motions_,
                        .lively = lively_,
                        .calls = calls_,
                        .physics = *physics_,
                        .now = now_}};
  BodyForces forces_{{.entities = entities_,
                      .lively = lively_,
                      .fields = fields_,
                      .calls = calls_,
                      .physics = *physics_}};
  RemoteEntities remote_{{.entities = entities_,
                          .lively = lively_,
                          .forces = forces_,
                          .joints = joints_,
                          .news = news_,
                          .physics = *physics_,
                          .now = now_}};
  Spawner spawner_{{.entities = entities_,
                    .motions = motions_,
                    .grid = grid_,
                    .news = news_,
                    .calls = calls_,
                    .lively = lively_,
                    .patches = patches_,
                    .bodies = bodies_,
                    .forces = forces_,
                    .now = now_}};
  Groups groups_{{.entities = entities_, .joints = joints_, .physics = *physics_, .now = now_}};
  GroupStates states_{{.entities = entities_,
                       .motions = motions_,
                       .grid = grid_,
                       .joints = joints_,
                       .spawner = spawner_,
                       .now = now_}};
};

}  // namespace perigee::world
