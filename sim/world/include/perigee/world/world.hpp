/// The worker's side of the world: entities, their bodies, doors and recent motions, and what lies
/// around an actor. Knows nothing of players, inputs or rollback.
///
/// One tick t on the worker: game drives bodies -> step_bodies(t) -> for every actor
/// gather_neighbours(.., t, ..) and step -> set_actor(.., t + 1).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "perigee/world/entity_type.hpp"
#include "perigee/world/game_fault.hpp"
#include "perigee/world/neighbour.hpp"
#include "perigee/world/parenting.hpp"
#include "perigee/world/physics.hpp"

namespace perigee::world {

struct WorldLimits {
  std::uint32_t entities_max = 16384;
  double cell_m = 16;  ///< edge of the neighbour grid; larger things go into one short list
};

struct WorldSetup {
  std::span<const EntityType> types;  ///< by id; outlives the world
  Handle handle_base = 1;             ///< the block of handles that this world may grant
  Handle handle_count = 1U << 20;
  Tick start;                 ///< the first tick to step
  ParentingParams parenting;  ///< for whom parent_candidates lists
  WorldLimits limits;
};

struct SpawnOrder {
  EntityId id;  ///< decides the order of everything
  TypeId type = 0;
  Handle handle = no_entity;  ///< none: one of the world's own block
  std::uint8_t life = 0;
  Handle parent = no_entity;  ///< timeline objects and actors alone; others give world poses
  Pose local;                 ///< in the parent's frame
  Vec3 velocity;              ///< world axes, bodies only
  Vec3 angular_velocity;
  bool remote = false;  ///< another worker's: shown and collided with, not simulated
  /// Bodies: it lies there until something happens to it, and costs nothing until then.
  bool rests = false;
  std::optional<Pose> at;  ///< bodies: where it is by now, in world axes; none: at `local`
};

/// A moment as a client draws it: remote things between two ticks, what is announced between there
/// and the client's own tick, by how near it is.
struct DrawnAt {
  Tick view;
  double part = 0;  ///< of the tick after `view`
  Tick own;
  std::optional<Vec3> eye;     ///< world; none: what is announced is at the client's own tick
  Handle steered = no_entity;  ///< the body that the client steers: drawn at its own tick
};
struct DrawnHit {
  Handle entity = no_entity;
  bool actor = false;
  double away_m = 0;
};

/// `b` turns against `a` about the local x of both frames. low > high: as far as it likes.
struct HingeOrder {
  Handle a = no_entity, b = no_entity;
  Pose frame_a, frame_b;  ///< in the bodies' own frames
  double low_rad = 1, high_rad = -1;
  double motor_n_m = 0;  ///< what its motor has at most
};

/// With the speed that its motor strives for.
struct HingeDrive {
  HingeOrder order;
  double rad_s = 0;
};

struct Group;
struct GroupPast;
struct EntityPast;

/// How many there are.
struct Present {
  std::uint32_t own = 0, remote = 0;
};

/// Where an actor was, relative to whom.
struct ActorTrace {
  Handle parent = no_entity;
  Vec3 position;
  Vec3 velocity;
  friend bool operator==(const ActorTrace&, const ActorTrace&) = default;
};

struct Entity {
  EntityId id;
  Handle handle = no_entity;
  TypeId type = 0;
  std::uint8_t life = 0;
  bool remote = false;
  Handle parent = no_entity;
  Pose local;  ///< static things and doors: for good; bodies and actors: where they were spawned
};

class World {
 public:
  static constexpr std::uint32_t history_ticks = 64;
  using ActorTraces = TickRing<ActorTrace, history_ticks>;

  explicit World(const WorldSetup& setup);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// While it lives, a game's own code has this world: it neither spawns nor despawns actors, and
  /// each refused call is noted as its fault.
  class GameCall {
   public:
    explicit GameCall(World& world) : world_(world) { world_.game_call_ = true; }
    ~GameCall() { world_.game_call_ = false; }
    GameCall(const GameCall&) = delete;
    GameCall& operator=(const GameCall&) = delete;

   private:
    World& world_;
  };
  /// Values of the game that were refused.
  GameFaults& game_faults() { return game_faults_; }
  const GameFaults& game_faults() const { return game_faults_; }

  /// Known at once; enters physics at the next step_bodies, in id order. no_entity if the order is
  /// refused: see the rows of GameValue::Spawn...
  Handle spawn(const SpawnOrder& order);
  /// Also everything that has it as its parent, but for actors: those fall to the region's frame.
  /// False if there is no such entity, or it is an actor and a game asks.
  bool despawn(Handle handle);
  const Entity* find(Handle handle) const;
  const EntityType& type_of(const Entity& entity) const { return types_[entity.type]; }
  std::span<const EntityType> types() const { return types_; }
  /// All handles by entity id. Valid until the next spawn or despawn.
  std::span<const Handle> in_order() const;
  std::size_t size() const;
  /// By type id.
  std::span<const Present> present() const { return present_; }
  /// Numbers of the blocks of handles that anything here has its handle from, ascending. All blocks
  /// are as large as this world's own.
  std::vector<std::uint32_t> handle_blocks() const;
  /// What is not as it was told of by the last call: own entities as they are `now`, with their
  /// bounds, in world axes; of what goes round and round, those of the whole way. `gone` is told
  /// of what is no more, or no longer this world's own. What rests or goes rounds is told of once.
  void take_news(const std::function<void(const Entity&, const Motion&, const Bounds&)>& visit,
                 const std::function<void(Handle)>& gone);
  void tell_again(Handle handle) { touched_.push_back(handle); }
  /// Own ones that are here since the last call; some may be gone again.
  std::vector<Handle> take_born() { return std::exchange(born_, {}); }
  /// A handle of the world's own block, for things that live elsewhere (projectiles, sessions).
  Handle grant_handle();

  /// The tick that step_bodies will lead from.
  Tick now() const { return now_; }
  /// Bodies from `tick` (= now) to tick + 1: spawns, drives, impulses, gravity boxes, one step.
  void step_bodies(Tick tick);

  /// Pose and motion at a tick of the last 64; doors, actors and statics included. The region's
  /// frame (no_entity) rests at the origin.
  std::optional<Motion> motion(Handle handle, Tick tick) const;
  std::optional<Pose> pose(Handle handle, Tick tick) const;
  /// Frame of the tick that leads from `tick` to tick + 1. Needs both in the history.
  std::optional<FrameMotion> frame(Handle parent, Tick tick) const;
  /// In the world's frame: of the smallest field around the point, as if it had no bounds.
  GravityBox gravity_at(const Vec3& world_point, Tick tick) const;

  /// For the coming step only: the body leaves it with exactly these velocities, unless it hits.
  /// False, and nothing is changed: there is no such body, it is another worker's, or a velocity is
  /// beyond speed_max_m_s or spin_max_rad_s.
  bool set_drive(Handle body, const Vec3& velocity, const Vec3& angular_velocity);
  /// Places a body anew at `now` (handover, reset). False as with set_drive.
  bool set_body(Handle body, const Motion& motion);
  /// What another worker says of its body at a tick. What was made up since then is, too, made up
  /// anew; without news it goes on for `catch_up_ticks`, and rests.
  void set_remote_motion(Handle body, Tick tick, const Motion& motion);
  /// What another worker has announced of its timeline object, all of it.
  void set_remote_log(Handle object, const TimelineLog& log);
  /// Changes whose the body is; its state stays.
  void set_remote(Handle body, bool remote);
  /// Holds two own bodies together from the next step on, until either is gone. False if one of
  /// them is not this world's own, they are held already, or a number is not finite. (K44)
  bool add_hinge(const HingeOrder& hinge);
  /// rad/s that the hinge's motor strives for. False if there is no such hinge.
  bool drive_hinge(Handle a, Handle b, double rad_s);
  /// Every set of bodies that hang together, by entity id.
  std::span<const std::vector<Handle>> chains() const { return chains_; }
  /// Hangs on joints: never predicted. (K44)
  bool chained(Handle body) const;
  /// N s at a world point, in the coming step, once. False for what is not this world's own body,
  /// and beyond impulse_max_n_s.
  bool apply_impulse_next_tick(Handle body, const Vec3& impulse, const Vec3& world_point);

  /// What has to be simulated in one place with it. Empty for another worker's. group.hpp
  Group group_of(Handle handle) const;
  /// No force moves it, and nothing that moves carries it.
  bool furniture(Handle handle) const;
  /// Every `step`-th entity by id, from `first` on; whether nothing but an announcement, a call or
  /// a hit will ever move it.
  void look_through(std::size_t first, std::size_t step,
                    const std::function<void(const Entity&, bool rests)>& visit) const;
  /// Those that do not rest, by entity id.
  void for_each_lively(const std::function<void(const Entity&)>& visit) const;
  /// It touches another worker's body.
  bool touches_remote(Handle body) const;
  /// Ground of cells that is this near to one of them, the first by id.
  const Entity* cells_near(std::span<const Handle> members, double within_m) const;
  /// All that is known of these, as it is at `now`.
  GroupPast extract(std::span<const Handle> members) const;
  /// Everything of this world's own as it is at `now`, by entity id. Actors: `local` is where they
  /// are in their parent's frame; bodies: their motion.
  void for_each_own(
      const std::function<void(const Entity&, const Motion&, const TimelineLog&)>& visit) const;
  /// Whatever holds two of this world's own bodies together.
  std::vector<HingeDrive> hinges() const;
  std::size_t hinges_among(std::span<const Handle> members) const;
  /// They are gone: to another worker, with all that is theirs.
  void release(std::span<const Handle> members);
  /// They are another worker's from here on, and all that is known of them stays.
  void make_remote(std::span<const Handle> members);
  /// They are this world's own from here on, as they were told of. Bodies that have not been heard
  /// of for long go on from where they were left.
  void make_own(std::span<const Handle> members);
  /// They go on here; what was here of them as another worker's is replaced. False, and nothing is
  /// changed, if one of their handles or ids is taken, a type is unknown, or there is no room.
  /// Bodies that are up to `catch_up_ticks` late have moved on meanwhile as others were told they
  /// would; what is later than that stood still, and has no past.
  bool insert(const GroupPast& group);
  static constexpr std::int32_t catch_up_ticks = 15;

  /// A patch's cells; null for what consists of none.
  VoxelPatch* voxels(Handle patch);
  const VoxelPatch* voxels(Handle patch) const;
  /// Everything that consists of cells, by entity id. They rest in the region's frame.
  std::span<const Handle> patches() const { return patches_; }
  /// For cut_out().
  bool cut_cells(Handle patch, const Bounds& around, Tick tick, VoxelCutout& out) const;

  /// Where an actor is at the start of `tick`; what the others collide with. A remote actor's last
  /// place is held for up to 15 ticks.
  void set_actor(Handle actor, Handle parent, const ActorState& state, Tick tick);
  /// The same for a tick of the past that ran again. If not `drawn`, cast_drawn and drawn_pose go
  /// on with where the actor was before: that is what other players saw.
  void correct_actor(Handle actor, Handle parent, const ActorState& state, Tick tick, bool drawn);
  /// Until the actor despawns; null for what is none.
  const ActorTraces* traces(Handle actor) const;

  /// Too old is also what is not for this worker to announce, and what is not as propose_change has
  /// it: before now, or not after all that was announced. Full: the object has changed so often
  /// within timeline_look_back_ticks that its log holds no more.
  TimelineLog::Added announce(const TimelineChange& change);
  /// What was announced since the last call, in order: for the worker to tell everybody.
  void take_announced(std::vector<TimelineChange>& out);
  const TimelineLog* timeline(Handle object) const;
  /// The object's next change, not yet announced: after all those that are. Of no object, and
  /// refused by announce, for what is no timeline object.
  TimelineChange propose_change(Handle object, Tick target, std::uint8_t goal,
                                std::int32_t announce_ticks = announce_ticks_default) const;

  /// Everything near `around` (parent's frame) in the tick from `tick`, sorted by id; `self` is
  /// left out. Answers how many did not fit: the farthest.
  std::uint32_t gather_neighbours(Handle parent, const Bounds& around, Tick tick, Handle self,
                                  Neighbours& out) const;
  /// Makes gathering at a tick of the history as quick as at the present one, until the next step.
  void look_back(Tick tick);
  /// One actor, seen from `parent` at the start of `tick`.
  std::optional<ActorBeside> actor_beside(Handle actor, Handle parent, Tick tick) const;
  /// Large bodies whose inflated box or gravity box holds the point, by id; always `current`, if it
  /// still exists.
  void parent_candidates(const Vec3& world_point, Tick tick, Handle current,
                         ParentCandidates& out) const;

  /// Own ones that may be parents, and own timeline objects that changes are announced of, whose
  /// bounds are so near `now`; by entity id.
  void parents_within(const Vec3& world_point, double m, std::vector<Handle>& out) const;
  void doors_within(const Vec3& world_point, double m, std::vector<Handle>& out) const;

  /// Where a client drew it then, in world axes.
  std::optional<Pose> drawn_pose(Handle handle, const DrawnAt& at) const;
  /// The first thing but `except` on a ray through the scene as it was drawn then. World axes.
  std::optional<DrawnHit> cast_drawn(const Vec3& from, const Vec3& direction, double range_m,
                                     Handle except, const DrawnAt& at) const;

  const PhysicsWorld& physics() const { return *physics_; }
  std::uint64_t hash() const;

 private:
  struct Record;
  struct Grid;
  class Order;
  struct Impulse {
    EntityId id;
    Handle body;
    Vec3 impulse, point;
  };
  struct Joint {
    HingeOrder order;
    JointId id = no_joint;  ///< once both bodies are in physics
    double rad_s = 0;       ///< what its motor strives for
  };
  struct Ends {
    Pose before, after;  ///< at both ends of a tick, world
  };
  Handle enter(const SpawnOrder& order);
  bool refuse(GameValue value, Handle entity);
  bool refuse(GameValue value, const Record& record);
  std::optional<GameValue> fault_in(const SpawnOrder& order) const;
  void contain(Record& record, const Motion* before);
  Record* record(Handle handle);
  const Record* record(Handle handle) const;
  void despawn_children(Handle parent);
  void for_each_bound(const Record& member, const std::function<void(const Record&)>& visit) const;
  bool is_furniture(const Record& record) const;
  void add_furniture(const Record& of, std::vector<const Record*>& out) const;
  bool fits(const GroupPast& group) const;
  void enter_past(Record& made, const EntityPast& past, std::int32_t late_ticks);
  static bool lies_still(const EntityPast& past, const GroupPast& group);
  void count(const Record& record, int by);
  void set_whose(Record& record, bool remote);
  void drop_loose_joints();
  void enter_joints();
  void find_chains();
  Joint* joint(Handle a, Handle b);
  void unlink(Handle handle);
  void link_handle(Handle handle, Record* to);
  std::unique_ptr<TickRing<Motion, history_ticks>> fresh_motions();
  void list_patch(const Record& patch);
  void enter_physics();
  void enter_chunks(Record& patch);
  void leave_physics(const Record& gone);
  void apply_impulses();
  void apply_drives_and_fields();
  void place_animated(Tick after);
  void record_motions(Tick after);
  const Record* field_around(const Vec3& world_point, Tick tick) const;
  Vec3 field_at(const Vec3& world_point) const;
  std::optional<Motion> motion_of(const Record& record, Tick tick) const;
  std::optional<Motion> motion_of_carrier(Handle handle, Tick tick) const;
  std::optional<Ends> ends_of(const Record& record, Tick tick) const;
  std::optional<ActorBeside> actor_beside(const Record& actor, Handle parent, Tick tick) const;
  std::optional<Motion> actor_motion(const Record& actor, Tick tick) const;
  std::optional<Ends> ends(Handle handle, Tick tick) const;
  std::optional<Pose> drawn_pose_of(const Record& record, const DrawnAt& at) const;
  void index_neighbours(Tick tick);
  void file_lively(Tick tick);
  bool own_within(const Record& record, const Vec3& world_point, double m) const;
  bool parent_rests(const Record& child) const;
  bool comes_to_rest(const Record& record, Tick tick) const;
  bool goes_rounds(const Record& record) const;
  Bounds whole_way(const Record& record) const;
  void settle(Record& record, Tick since);
  void file_rounds(Record& record);
  void file_doors();
  void keep_filed(Record& record, const Bounds& bounds);
  void unfile(Record& record);
  void forget_old_motions(Tick tick);
  void rouse(Record& record);
  void enliven(Record& record);
  const Motion* body_motion(const Record& body, Tick tick) const;
  std::optional<Bounds> bounds_over(const Record& record, Tick tick) const;
  std::optional<Neighbour> as_neighbour(const Record& other, Handle parent, const Ends& frame,
                                        Tick tick) const;

  std::span<const EntityType> types_;
  WorldSetup setup_;
  Tick now_;
  Handle granted_ = 0;  ///< how many of the block
  std::unique_ptr<PhysicsWorld> physics_;
  std::unique_ptr<Order> order_;
  std::vector<Record*> of_block_;                  ///< by place in the world's own block
  std::unordered_map<Handle, Record*> by_handle_;  ///< all others; never iterated
  std::vector<Present> present_;                   ///< by type
  std::map<std::uint32_t, std::uint32_t> blocks_;  ///< of handles: how many are of each
  std::vector<Handle> patches_;                    ///< by entity id
  std::vector<Record*> fields_;                    ///< those with a gravity box, by entity id
  std::vector<Record*> eligible_;                  ///< those that may be parents, by entity id
  std::vector<Record*> actors_;                    ///< by entity id
  std::vector<Record*> attached_;                  ///< timeline objects with a parent, by entity id
  /// Whatever a tick has to look at, by entity id: neither still nor on its rounds.
  std::vector<Record*> lively_;
  std::vector<Record*> entering_;  ///< not yet in physics
  std::vector<Record*> driven_;    ///< for the coming step
  std::vector<Record*> by_body_;   ///< by id of its body
  std::vector<BodyId> bodies_found_;
  std::vector<Handle> touched_, gone_;  ///< since take_news
  std::vector<Handle> born_;            ///< since take_born
  /// Who came to rest when: what is known of its motion before that is of use for a while.
  std::deque<std::pair<Tick, Handle>> settled_;
  std::vector<std::unique_ptr<TickRing<Motion, history_ticks>>> spare_motions_;
  std::vector<std::pair<EntityId, BodyId>> leaving_;
  std::vector<Impulse> impulses_;
  std::vector<Joint> joints_;                ///< in the order they were asked for
  std::vector<std::vector<Handle>> chains_;  ///< as the joints make them
  std::vector<TimelineChange> announced_;
  std::unique_ptr<Grid> grid_;
  GameFaults game_faults_;
  bool game_call_ = false;
};

}  // namespace perigee::world
