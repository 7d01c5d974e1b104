/// A simulation worker without its process: owns things, runs their tick, applies players' inputs
/// with rollback, and tells clients what they see. The regions that are its own say which things
/// ought to be: what is in somebody else's goes there. Driven by (event, tick); no clock, no
/// socket. (mission S1-S11, K1, D3, D4)
///
/// Life: on_map until it owns a region for the first time -> ready(), also without one later -> per
/// tick: on_fabric for all that arrived, then tick(next_tick()).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "perigee/netcode/cluster_map.hpp"
#include "perigee/netcode/fabric_batch.hpp"
#include "perigee/netcode/ring.hpp"
#include "perigee/netcode/worker_report.hpp"
#include "perigee/replay/last_words.hpp"
#include "perigee/replication/publisher.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/cut.hpp"
#include "perigee/worker/doubt.hpp"
#include "perigee/worker/journal_log.hpp"
#include "perigee/worker/player.hpp"
#include "perigee/worker/settings.hpp"
#include "perigee/world/chain.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

/// A client believed to be elsewhere.
struct Surprise {
  std::uint64_t client_id = 0;
  Tick tick;
  double meters = 0;
};

/// A tick's parts in their order; what they cost is measured by whoever drives the core.
enum class TickPhase : std::uint8_t {
  Rewind,   ///< ticks that late inputs made wrong
  Bodies,   ///< drives and physics
  Actors,   ///< every player's step
  Judge,    ///< claims, parents, silence
  Gather,   ///< the publication and the index over it
  Publish,  ///< observers: what is due, blocks
  Send,
  last = Send
};

struct ToldLog;

struct TickSummary {
  std::uint32_t players = 0;
  std::uint32_t entities = 0;
  std::uint32_t observers = 0;
};

/// Seconds that inputs took from their gateway's kernel to this one; further ones of a tick are not
/// measured.
using Transits = FixedVector<float, 256>;
/// Seconds that inputs waited for the tick that consumes them, from this kernel's stamp on;
/// negative for those that came after it. Further ones of a tick are not measured.
using Waits = FixedVector<float, 256>;

class Core {
 public:
  Core(const Settings& settings, const world::GameModule& game, WorkerSlot slot,
       FabricBatch::Send send);
  ~Core();

  /// Adopts a newer map. With the first region of its own it builds its world, to start at `start`;
  /// whatever region is born as its own is populated, once.
  void on_map(const ClusterMap& map, Tick start);
  bool ready() const { return world_ != nullptr; }
  /// A fabric datagram; `arrived` is when the kernel had it.
  void on_fabric(FineTick arrived, const Address& from, std::span<const std::byte> datagram);
  Tick next_tick() const { return next_; }
  /// Simulates next_tick() and publishes the state at its end.
  void tick();

  /// What has to be simulated in one place with `of` could go to another worker now: it is bound to
  /// nobody else's. Bound to things of `to` it may be. Furniture is bound to nothing.
  bool can_give(Handle of, std::optional<WorkerSlot> to = std::nullopt) const;
  /// All of it, for the worker that goes on with it from next_tick(); here it is gone.
  struct Given {
    std::vector<std::byte> bytes;
    std::vector<SessionId> crew;         ///< whose avatars are among them
    std::vector<std::uint64_t> clients;  ///< the same
  };
  Given give(Handle of);
  /// Whether the clients that knew of a group when it was given still do: else they are told anew.
  enum class Knowers : std::uint8_t { Stand, Void };
  /// Goes on with what another worker gave at this tick, or before; answers the crew. None, and
  /// nothing is changed:
  /// these bytes are no group, or of another build or a tick to come, or there is no room, or a
  /// handle is taken.
  std::optional<std::vector<SessionId>> take(std::span<const std::byte> bytes,
                                             Knowers knowers = Knowers::Stand);

  /// To and from other workers: in order, whole, once, or the link is lost. Without `to_peer`
  /// nothing is handed over, and nobody hears of what is near the border.
  std::function<void(WorkerSlot, std::span<const std::byte>)> to_peer;
  void on_peer(WorkerSlot from, std::span<const std::byte> bytes);
  /// Whoever is at its other end may be dead.
  void on_link_lost(WorkerSlot with);
  /// What report() says of buddies has changed, and should be heard at once. Called from within
  /// other calls.
  std::function<void()> report_now;

  /// To the world store, in order. Without it outcomes are told at once, else once they are in the
  /// journal, or 5 s later.
  std::function<void(const OutcomeRow&)> to_store;
  /// What is fenced never happened: another worker has taken this one's place.
  void on_stored(std::uint64_t number, Journalled became);
  std::size_t outcomes_waiting() const;
  /// More are told at once, counted, and not written.
  static constexpr std::size_t outcomes_waiting_max = 65'536;
  /// All that is here at each tick that cut_every_ticks divides, some ticks later. Set before the
  /// first map: then regions whose content may be in the last cut wait for restore().
  std::function<void(CutPart)> to_cut;
  /// While not ready(): it is this tick. Who has nothing at a cut's tick says so.
  void idle(Tick now);
  /// Nothing begins here before restore().
  bool awaits_cut() const;
  /// Begins at `start` with what lies in our regions, or anew without a cut.
  void restore(const std::optional<WholeCut>& cut, Tick start);

  /// Of players whose worker has died, before anybody plays them on here.
  std::function<void(replay::LastWords)> on_last_words;

  /// What is far is told of more seldom, within a second: see TickBudget. 1: as the rings say.
  void give_way(float least_stretch) { least_stretch_ = least_stretch; }

  WorkerSlot slot() const { return slot_; }
  const Counts<Count>& counts() const { return counts_; }
  /// Refused values of the game, for the log: the first of each type and value since the last call.
  /// The count has all.
  world::GameFaults::Untold take_game_faults();
  /// Called at the end of each of a tick's phases, if it is set.
  std::function<void(TickPhase)> phase_ended;
  /// Of the inputs since the last call.
  Transits take_transits();
  Waits take_waits();
  const replication::Publisher& publisher() const { return publisher_; }
  TickSummary summary() const;
  /// Of now, between two ticks, about once a second. `load_ms`: of a processor for a tick, as
  /// measured since the last one; none: as the weights of things say.
  WorkerReport report(std::optional<double> load_ms);
  /// Another worker has everything, and the map says so.
  bool in_sync() const;
  /// What outcomes do to others' has been read by them, and what they did to ours they know of.
  bool letters_settled() const;
  std::size_t letters_open() const;
  /// Things that belong elsewhere, as far as that has been noticed.
  std::size_t strays() const;
  /// That left, or were leaving a worker whose life has ended, and nobody has said to have.
  std::size_t groups_in_doubt() const;
  /// That its logs know, wherever they are by now.
  std::size_t groups_remembered() const;
  /// Those of them that nobody plays, the longest first.
  std::vector<GroupInDoubt> doubts() const;
  /// Lives for which this worker answers, by the numbers of their blocks of handles: its own, and
  /// those that it went on with.
  std::vector<std::uint32_t> lives() const;
  /// Of every state: same seed, same hash. (mission E1)
  std::uint64_t hash() const;
  const Player* player_of(std::uint64_t client_id) const;
  void for_each_player(const std::function<void(const Player&)>& visit) const;
  /// Our half of the player's last seconds; none without a recorder, or if no such player is here.
  /// `build` names the program.
  std::optional<replay::Recording> recording(const Surprise& of, std::string_view build) const;
  /// Of the ticks since the last call, as many as fit. Only with a recorder.
  using Surprises = FixedVector<Surprise, 16>;
  Surprises take_surprises() { return std::exchange(surprises_, {}); }
  /// As if all players had been a surprise just now, as many as fit.
  void note_everybody();
  /// Between two ticks, behind everybody's back: the tool that shows what a fault looks like. Does
  /// nothing if no such player is here.
  void disturb(std::uint64_t client_id, const std::function<void(ActorState&)>& change);
  const world::World& world() const { return *world_; }
  const JournalLog& journal() const { return journal_; }

 private:
  struct ObserverState;
  class Desk;
  class Handoffs;
  class GivenAway;
  class Ghosts;
  class Whereabouts;
  class Durable;
  class Buddies;
  class Post;
  class Sights;
  class Rewinds;
  class Flights;
  class Refusal;
  struct Judged;
  struct Arrival {
    world::GroupPast past;
    std::vector<std::unique_ptr<Player>> players;
    std::vector<std::optional<Tick>> heard;  ///< by them, of us all
    std::vector<TallyRecord> tallies;        ///< of what they were told, so far
    std::span<const std::byte> rest;         ///< who knows of them
  };

  // core.cpp: life and tick
  void drop(Count reason) { counts_.add(reason); }
  const RegionEntry* own_region() const;
  const RegionEntry* own_region_near(const Vec3& place) const;
  bool knows(const RegionEntry& region) const;
  const Bequest* bequest_of(std::uint32_t life) const;
  bool of_our_world(WorkerSlot from, std::uint32_t life, std::uint32_t incarnation) const;
  bool of_our_world(WorkerSlot from, std::uint32_t incarnation) const;
  void ended(TickPhase phase) const {
    if (phase_ended) phase_ended(phase);
  }
  void make_world(const WorkerEntry& self, Tick start);
  void begin();
  void note_new_regions();
  void make_content();
  ToldLog log_to_tell(const world::Entity& timeline) const;

  // report.cpp
  /// By the weights that the load is shared out by.
  struct OfOthers {
    double all_us = 0, copies_us = 0;
  };
  OfOthers of_others() const;

  // publish.cpp
  void publish(Tick now);
  void gather_news(Tick now);
  replication::Published published(const world::Entity& entity, const Motion& motion,
                                   const world::Bounds& bounds, Tick now) const;
  static bool rests(world::EntityKind kind, const Motion& motion);
  void express_in_parent(replication::Published& entity, Tick now) const;
  void express_in_root(replication::Published& entity, Tick now) const;
  void list_chain_roots();
  const Player* avatar_player(Handle handle) const;

  // joins.cpp
  void on_join(const JoinRecord& join, const Address& gateway);
  void on_join_passed_on(const JoinRecord& join, const Address& worker);
  bool resume(const JoinRecord& join, const Address& gateway);
  void on_leave(const LeaveRecord& leave);
  Player* find_client(std::uint64_t client_id);
  void take_over(Player& player, const JoinRecord& join);
  void remove_player(SessionId session);
  void drop_silent_players();

  // inputs.cpp
  void on_input(FineTick arrived, const InputRecord& record);
  void say_unknown(SessionId session);
  void on_control(FineTick arrived, Player& player, const ControlFrame& frame);
  void obey_techniques(Player& player, const ControlFrame& frame);
  std::int32_t view_age_max(const Player& player, Tick newest) const;
  bool refuses(Player& player, const PlayerInput& input) const;
  InputOffer offer(Player& player, const PlayerInput& input);
  void note_margin(Player& player, FineTick arrived, Tick target);
  double real_per_world() const;
  void note_transit(FineTick sent, FineTick arrived);

  // game_border.cpp: checks the values that the game hands over
  void drive(Tick tick);
  void refuse(world::GameValue value, Handle entity);
  void note_refused(const Player& player, const world::StepRecord& record);
  void count_game_faults();
  bool in_the_world(const Vec3& place) const;
  std::optional<world::ActorSpawn> place_for_player(const RegionEntry& region,
                                                    std::uint32_t ordinal);
  std::optional<world::GameValue> fault_in(const world::ActorSpawn& spawn) const;
  world::UseOutcome accept_use(const world::UseAttempt& attempt);
  world::Judgement judge(const world::DrawnScene& scene, const world::Outcome& outcome);
  world::Judgement commit(world::Journal& journal, const world::Outcome& outcome,
                          const world::Judgement& judged);
  world::Judgement usable(world::Judgement judgement, const world::Outcome& outcome);

  // steps.cpp
  void step(Player& player, Tick tick);
  void judge_actions(Player& player, const world::StepRecord& record,
                     const InputTimeline::Use& use);
  void tell_announced();

  // outcomes.cpp
  Judged judged(const world::Outcome& outcome);
  void judge_proposals(Player& player, const world::StepRecord& record);
  void tell_judgement(Player& player, Tick tick, std::uint8_t index,
                      const world::Judgement& judgement);
  Tick settled() const;
  void commit(Tick tick);
  void commit_outcomes(Tick tick);
  void commit_seen(world::Outcome outcome, const world::Judgement& judgement);
  void settle_late();
  void withdraw_what_did_not_happen(Player& player, Tick tick);
  world::GameState present_game(const Player& player) const;
  world::GameState game_without_pending(const Player& player, Tick next) const;
  Player* find_avatar(Handle avatar);
  void receive(const world::Letter& letter, bool returned);
  void respawn(Player& player);

  // voxels.cpp
  void cut_out(const Player& player, const ActorState& at_start, world::StepRecord& record);
  void apply_edits(const Player& player, const world::StepRecord& record);
  void tell_edit(Handle patch, const world::VoxelEdit& edit, bool withdrawn);
  void rewind_who_saw(Player& player, Handle patch, const world::Cell& cell, Tick edited);
  world::Judgement judged_edit(const world::Outcome& outcome) const;
  world::Judgement settle_edit(const world::Outcome& outcome);
  void settle_ground(Tick tick);
  void list_chunks(ObserverState& state, const Player& player, OwnSection& own);
  void on_chunks(ObserverState& state, const ChunkFrame& frame);

  // steps.cpp, own.cpp
  void push_bodies(const Player& player, const world::StepRecord& record);
  void check_claims(Player& player);
  void record(Player& player);
  void note_surprise(const Player& player, Tick tick, double meters);
  void hard_reset(Player& player);
  void start_anew(Player& player);
  bool moves(Handle handle) const;
  void choose_parent(Player& player);

  bool promise(Player& player, const PendingSwitch& change);
  std::int32_t announce_ticks(const Player& player) const;
  void fill_own(const Player& player, OwnSection& own) const;
  GameBytes game_bytes(const world::GameState& state, world::SeenBy reader) const;
  void tell_game_states();
  void broadcast(Handle of, const WorldEvent& event, bool urgent);
  bool tell_player(const Player& player, const WorldEvent& event, bool urgent);

  // helms.cpp
  void steer_bodies(Tick tick);
  bool promise_helm(Player& player, Handle body, HelmChange change, Tick target);
  bool steered(Handle body) const;
  void fill_helm(const Player& player, OwnSection& own) const;

  // handover.cpp
  Given written(const world::Group& group);
  Given give_to(WorkerSlot to, Handle of);
  void append_knowers(std::vector<std::byte>& out, std::span<const Handle> members);
  void catch_up(Player& player, Tick from);
  void begin_where_it_stood(Player& player);
  Player& enter(std::unique_ptr<Player> player);
  std::optional<Arrival> read_arrival(std::span<const std::byte> bytes) const;
  struct Knower;
  static std::optional<std::vector<Knower>> read_knowers(ByteReader& reader, std::size_t members);
  void note_known(std::span<const Knower> knowers, std::span<const Handle> members);
  void adopt_known();

  // observers.cpp
  void on_observer(const ObserverRecord& record, WorkerSlot from);
  void on_tally(const TallyRecord& record);
  void tally(ObserverState& state, Tick now);
  static void add_tally(ObserverState& state, const TallyRecord& record);
  static void see_from_record(ObserverState& state, Tick now);
  replication::Choice choice_for(const ObserverState& own, Tick now) const;
  bool wants_to_hear(WorkerSlot other, const Vec3& position) const;
  void send_observer_records(Tick now);
  void settle_observers(Tick now);
  using Observers = std::map<SessionId, std::unique_ptr<ObserverState>>;
  ObserverState& observer(SessionId session);
  Observers::iterator forget_observer(Observers::iterator at);

  Settings settings_;
  const world::GameModule& game_;
  WorkerSlot slot_;
  std::uint32_t spawner_ = 0;  ///< of entity ids: the number of this life's block of handles
  FabricBatch fabric_;
  ClusterMap map_;
  std::unique_ptr<world::World> world_;
  std::unique_ptr<Ghosts> ghosts_;
  std::unique_ptr<Handoffs> handoffs_;
  std::unique_ptr<GivenAway> given_away_;
  std::unique_ptr<Durable> durable_;
  std::unique_ptr<Buddies> buddies_;
  std::unique_ptr<Post> post_;
  std::unique_ptr<Sights> sights_;
  std::unique_ptr<Rewinds> rewinds_;
  std::unique_ptr<Flights> flights_;
  std::unique_ptr<Whereabouts> whereabouts_;
  std::vector<std::pair<SessionId, Handle>> known_elsewhere_;  ///< before they came here
  std::map<std::uint32_t, std::uint32_t> made_;  ///< by region: its birth whose content we made
  std::map<std::uint32_t, Tick> owned_since_;    ///< our regions
  std::uint32_t map_births_ = 0;                 ///< maps that brought such births
  Tick next_;
  std::uint32_t joined_ = 0;
  std::map<SessionId, std::unique_ptr<Player>> players_;
  Observers observers_;
  std::vector<world::TimelineChange> announced_;
  std::vector<std::pair<Handle, const Player*>> avatars_;  ///< by handle, while publishing
  // While publishing:
  std::vector<world::ChainMember> chain_members_;
  std::vector<std::pair<Handle, Handle>> chain_roots_;  ///< of chained bodies
  replication::Publisher publisher_;
  float least_stretch_ = 1;
  double ms_per_weight_ = 0;  ///< of a tick, as reported last
  JournalLog journal_;
  std::vector<world::Outcome> committing_;  ///< of one tick
  Counts<Count> counts_;
  Transits transits_;
  Waits waits_;
  Surprises surprises_;
  std::uint64_t game_faults_counted_ = 0;
};

}  // namespace perigee::worker
