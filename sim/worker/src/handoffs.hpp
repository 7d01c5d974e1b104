/// Groups that go to another worker: when, to whom, and what both sides say.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "perigee/handoff/region.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

/// What the protocol carries for a worker.
struct HandoffTraits {
  using State = std::shared_ptr<const std::vector<std::byte>>;  ///< as Core::give makes it
  struct Outcome {
    std::uint64_t id = 0;
    friend bool operator==(const Outcome&, const Outcome&) = default;
  };
  static void adopt(State&, const Outcome&) {}
  /// Nobody asks about an older one; more than one, because things go along with others, which no
  /// log tells.
  static constexpr std::size_t refusals_max = 16;
};

class Core::Handoffs {
 public:
  using Region = handoff::Region<HandoffTraits>;
  using Ledger = handoff::Ledger<HandoffTraits>;
  using Entry = handoff::Entry<HandoffTraits>;
  using Message = handoff::Message<HandoffTraits>;
  using State = HandoffTraits::State;
  /// What the protocol calls a region is a worker's life here: the number of its block of handles.
  using Life = handoff::RegionId;

  /// So far into a foreign region a group is before it is offered: who walks along a border does
  /// not change hands with every step. Furniture goes at once: it does not walk back.
  static constexpr double beyond_border_m = 32;
  /// People this near to ground of cells go to its owner, who alone lets them dig, and stay there
  /// until they are this far away.
  static constexpr double comes_to_cells_m = 32, leaves_cells_m = 64;
  static constexpr std::int32_t rest_ticks = 60;  ///< between two moves of one group
  static constexpr std::int32_t ahead_ticks = 6;  ///< from the offer to the first tick there
  static constexpr std::int32_t look_ticks = 6;   ///< how often what moves is looked at
  static constexpr std::int32_t look_at_resting_ticks = 60;
  /// Of all things, while the map is news.
  static constexpr std::size_t looks_per_tick_max = 4096;
  /// Things offered in a tick; a player counts as eight. More: longer ticks while a region changes
  /// hands; less: it takes longer.
  static constexpr std::int32_t offered_per_tick = 32, player_weight = 8;
  static constexpr std::int32_t looked_at_per_tick = 256;  ///< of those that wait
  static constexpr std::int32_t say_again_ticks = 12;
  static constexpr std::int32_t pass_on_ticks = 120;
  static constexpr std::int32_t told_again_ticks = 4;
  static constexpr int told_times = 5;
  static constexpr std::int32_t told_of_detours_ticks = 6;  ///< at most so often

  explicit Handoffs(Core& core);

  void on_map();
  /// The world is at the start of next_tick().
  void after_tick();
  void on_peer(WorkerSlot from, std::span<const std::byte> bytes);
  /// As their FINALs have it: groups that left, and nobody has said to have them.
  void for_each_in_doubt(const std::function<void(std::span<const std::byte>)>& visit) const;
  /// Lately, to another worker.
  bool went(SessionId session) const { return gone_.contains(session); }
  /// Likewise, whichever its session is by now.
  bool on_its_way(std::uint64_t client_id) const;
  /// To where its player went. False: nobody went anywhere.
  bool pass_on(const InputRecord& record);
  void pass_on(const TallyRecord& record);
  /// Another worker has passed on an input: the gateway has not heard of its player's new owner.
  void on_detour(SessionId session);
  /// Likewise; while nobody is sure to have the player it waits for whom that will be.
  bool pass_on(const LeaveRecord& record);
  std::optional<WorkerSlot> worker_of(Life life) const;
  std::optional<Life> life_of(WorkerSlot slot) const;
  /// It is the root of a group that goes at a tick to come.
  bool leaves(handoff::GroupId root) const { return due_.contains(root); }
  /// How many have no answer, and how many came back and have no room.
  std::size_t in_doubt() const;
  /// Groups that ever came or went, as far as a log here knows. (decision 0041)
  std::size_t remembered() const;
  std::vector<GroupInDoubt> doubts() const;
  std::vector<Life> lives() const;
  /// How many wait to go.
  std::size_t strays() const { return strays_.size(); }

  /// What a log is told of its buddy, and what it says of that.
  void each_log(const std::function<void(Region&, handoff::Effects<HandoffTraits>&)>& call);
  /// A life that has ended, and that this one goes on with. What left it is in doubt until its
  /// destination has answered; `finals`: as it left.
  struct Inheritance {
    handoff::Epoch epoch = 0;
    Ledger ledger;
    std::map<handoff::GroupId, State> finals;
    std::map<handoff::GroupId, State> taken;  ///< too late to have been told of otherwise
  };
  void inherit(Life life, Inheritance inheritance);
  bool hosts(Life life) const { return logs_.contains(life); }
  /// An avatar that is this worker's from now on.
  void greet(SessionId session, Handle avatar);

 private:
  struct Gone {
    WorkerSlot to = 0;
    std::uint32_t life = 0;   ///< of it
    std::uint32_t block = 0;  ///< of handles; likewise
    std::uint64_t client_id = 0;
    handoff::GroupId with = 0;
    Tick at;  ///< as long as that is not settled: now
    std::optional<LeaveRecord> leaves;
  };
  struct Newcomer {
    SessionId session = 0;
    Handle avatar = no_entity;
    Tick at;
  };
  /// Neighbours go one after the other, and what is stood on before who stands there: whoever uses
  /// or digs something is its owner's again within a few ticks.
  struct Stray {
    std::int32_t x = 0, y = 0, z = 0;  ///< the place, in cells of `stray_cell_m`
    int rank = 0;                      ///< furniture, bodies, actors
    Handle handle = no_entity;
    auto operator<=>(const Stray&) const = default;
  };
  static constexpr double stray_cell_m = 64;

  // strays.cpp
  std::optional<WorkerSlot> owner_at(const Vec3& place, double beyond_m) const;
  Vec3 center_of(const world::Entity& entity) const;
  std::optional<WorkerSlot> destination(const world::Group& group) const;
  std::optional<WorkerSlot> owner_of_cells_near(const world::Group& group) const;
  bool waits_for_its_cells(const world::Group& group) const;
  bool may_go(const world::Entity& entity) const;
  std::int32_t look_at_all_ticks() const;
  void look_for_strays();
  void add_stray(const world::Entity& entity);
  void offer_some();
  std::int32_t offer(const Stray& stray);
  std::int32_t weight_of(const world::Group& group) const;
  bool is_too_large(const world::Group& group) const;

  /// One life's log, as the protocol's region.
  struct Log final : handoff::Effects<HandoffTraits> {
    Log(Handoffs& of, Region log) : owner(of), region(std::move(log)) {}
    void send(const Message& message) override { owner.send(message); }
    void replicate(handoff::LogIndex index, const Entry& entry) override;
    void journal(handoff::Epoch, handoff::GroupId, const HandoffTraits::Outcome&) override {}
    void tell(handoff::GroupId, const HandoffTraits::Outcome&) override {}
    void record(handoff::BuddyState) override {}  // of all logs at once: Buddies does

    Handoffs& owner;
    Region region;
  };
  handoff::Epoch epoch_of(Life life) const;
  Region& own_log();
  void request_move(handoff::GroupId root, Life to);
  void send(const Message& message);
  bool hold_back(const Message& message);
  void send_what_was_held_back();
  void deliver_to_ourselves();
  int rank_of(Handle handle) const;
  void settle_with_the_dead();
  void let_go_at_border();
  void let_go(handoff::GroupId root);
  void take_what_has_come();
  void deliver(const Message& message);
  Message with_needs(Message prepare) const;
  bool wants_to_have(const Message& message) const;
  bool has_room_for(const Message& prepare) const;
  void come_back(handoff::GroupId root, const State& state, Knowers knowers = Knowers::Stand);
  bool ours(handoff::GroupId root) const;
  void expect_back(handoff::GroupId root, Life to, std::span<const std::byte> final);
  void let_back_those_who_wait();
  bool take(handoff::GroupId root, std::span<const std::byte> bytes, Knowers knowers);
  void greet_newcomers();
  void say_joined(SessionId session, Handle avatar);
  bool in_doubt(handoff::GroupId root) const;
  bool may_more_leave() const;
  std::uint32_t players_gone_with(handoff::GroupId root) const;
  bool send_after(const Gone& gone, const auto& record);
  void look_after_the_gone();
  void forget_gone_with_their_worker();

  Core& core_;
  std::map<Life, std::unique_ptr<Log>> logs_;  ///< of this life, and of those it goes on with
  Log& own_;                                   ///< the first of these
  std::vector<Message> to_ourselves_;          ///< from one of our logs to another
  struct Returning {
    handoff::GroupId root = 0;
    State state;
    Tick since;
    std::uint32_t players = 0;
    Knowers knowers = Knowers::Stand;
  };
  std::vector<Returning> returning_;          ///< refused there, and no room here so far
  std::set<Stray> strays_;                    ///< they may have to go
  std::map<Handle, Stray> waiting_strays_;    ///< the same
  Stray looked_at_;                           ///< the last one
  Tick look_at_all_until_;                    ///< what rests, too: the map has changed
  std::map<handoff::GroupId, Tick> offered_;  ///< for when; until then not again
  /// Of another worker's group that may come: nobody else gets that room.
  struct Promised {
    std::size_t players = 0, things = 0;
    Tick until;
  };
  std::map<handoff::GroupId, Promised> promised_;
  std::map<handoff::GroupId, Tick> due_;  ///< OUT is said
  std::map<handoff::GroupId, Tick> moved_;
  std::map<SessionId, Gone> gone_;
  std::vector<Newcomer> newcomers_;            ///< their gateways are told, again and again
  std::map<SessionId, Tick> told_of_detours_;  ///< their gateways, lately
  std::vector<Message> waiting_;               ///< FINALs, for their tick
  /// FINALs of groups that have sent or read letters, until these are durable: of each, the note
  /// that the buddy must have.
  std::map<handoff::GroupId, std::uint64_t> held_until_;
  std::vector<Message> held_;
};

}  // namespace perigee::worker
