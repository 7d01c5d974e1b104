/// Buddies: each worker tells another one of all that it has and does, and goes on with what was a
/// third one's once that one's life has ended. What is near a border all neighbours hear of as
/// ghosts; the buddy hears of everything so, and here of what is nobody else's to know: players,
/// logs, outcomes. (decision 0033)
///
/// Tick n of an owner is its buddy's when the buddy has answered it: then whatever was logged and
/// decided up to n is durable. Only the map's word says whether the buddy counts (rule R4).
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "handoffs.hpp"
#include "perigee/netcode/worker_report.hpp"
#include "post_codec.hpp"
#include "replica_codec.hpp"
#include "replica_words.hpp"
#include "sent_inputs.hpp"

namespace perigee::worker {

/// An input as it names itself, and the tick that it was applied at.
struct AppliedInput {
  Tick name, at;
};

class Core::Buddies {
 public:
  using Life = Handoffs::Life;
  using State = Handoffs::State;
  using Entry = Handoffs::Entry;

  /// Without an answer for so long the buddy is given up, and told everything anew.
  static constexpr std::int32_t unanswered_ticks_max = 60;
  static constexpr std::int32_t again_ticks = 12;
  /// A stall is one and a half times as long as 999 of 1000 gaps between two ticks of that worker
  /// were lately, but at least and at most so long. Less: busy machines are taken for dead ones.
  static constexpr std::int32_t stall_ticks_min = 6, stall_ticks_max = 18;
  static constexpr std::int32_t suspect_again_ticks = 6;
  /// Players go on by the inputs that they sent if their worker fell silent no longer ago.
  static constexpr std::int32_t catch_up_ticks_max = 60;
  /// A life that has begun takes nothing from others before its buddy has all of it, for so long.
  /// Less: what a new worker was given dies with it; more: who has a buddy that nobody reaches
  /// waits longer for its share.
  static constexpr std::int32_t new_ticks = 300;

  /// A group that was leaving a dead worker, and that we know only as it was told of, our own buddy
  /// has not: it does not count before that is settled, for so long. Less: such a group ends with
  /// two workers; more: everything else is ours alone meanwhile.
  static constexpr std::int32_t doubtful_ticks_max = 300;

  /// More that no link has taken yet: no buddy could hold what is said here between two ticks. The
  /// worker acts alone for a while.
  static constexpr std::size_t untold_bytes_max = 256 << 20;
  /// Whoever has more to say between two ticks has given up by itself.
  static constexpr std::size_t unheard_bytes_max = 2 * untold_bytes_max;
  static constexpr std::int32_t untold_rest_ticks = 600;

  explicit Buddies(Core& core);

  void on_map();
  /// What was the life's of a worker that has died is ours. Before the ghosts hear of the map.
  void inherit_from_the_dead();
  /// The world is at the start of next_tick(), and its ghosts are told.
  void after_tick();
  /// `whole`: with these, all of a tick has been said.
  void on_words(WorkerSlot from, std::span<const std::byte> bytes, bool whole);
  void on_answer(WorkerSlot from, std::span<const std::byte> bytes);
  void on_link_lost(WorkerSlot with);
  /// From a gateway: what it has sent to the owner of the avatar.
  void on_input(WorkerSlot owner, const InputRecord& record);

  // Of what is ours.
  void log(Life life, const Entry& entry);
  /// A group as it left, and as it came.
  void left(Life life, handoff::GroupId group, const State& state);
  void came(handoff::GroupId group, const State& state);
  /// A group is in doubt no more: it is back here as it was told of; or another worker's for good,
  /// or somebody has it as it left.
  void settled(Life life, handoff::GroupId group, bool back);
  void wrote(const OutcomeRow& row);
  void stored(std::uint64_t number);
  /// Of letters; answers the note's number.
  std::uint64_t note(const PostNote& note);
  std::uint64_t notes() const { return notes_; }
  /// Notes up to this number would survive us.
  std::uint64_t durable_notes() const { return mode_ == Mode::Alone ? notes_ : durable_notes_; }
  /// Outcomes up to this number would survive us.
  std::uint64_t durable_outcomes() const;
  /// Its buddy is lost, and may have been told to go on with us without having heard of it: whoever
  /// was told of it would be told otherwise.
  bool may_be_contradicted(std::uint64_t outcome) const;
  std::optional<WorkerLife> in_sync_with() const;
  /// Grows with each change of that.
  std::uint32_t word() const { return word_; }
  /// The newest input of the player that was applied and would survive us: what may be
  /// acknowledged, for then its client does not say it again.
  std::optional<AppliedInput> durable_input(const Player& player) const;
  /// What leaves now could be said to have left.
  bool may_move() const { return mode_ != Mode::Losing; }
  bool in_sync() const { return mode_ == Mode::InSync; }
  /// The directory has heard that a buddy has had all of this life, or that none could; from then
  /// on it is a worker as any. What has never said a word of its buddy that the directory has heard
  /// has taken nothing: what was to come to it, another one gets if it dies.
  bool may_take() const;
  /// All that it has goes to this worker.
  std::optional<WorkerSlot> told() const;

  // Of what is others'.
  std::vector<WorkerLife> suspects() const;
  bool everything_of(WorkerSlot slot) const { return wards_.contains(slot); }
  /// By the map: if its life ends now.
  bool goes_on_with(WorkerSlot slot) const;
  /// The client's avatar is somebody's who may be dead, and then it will be ours; or in doubt.
  bool keeps_of_the_silent(std::uint64_t client_id) const;
  /// Of a group that was leaving its owner when that one died, and that we know as it was told of.
  std::uint32_t players_in_doubt(handoff::GroupId group) const;

 private:
  enum class Mode : std::uint8_t {
    Alone,    ///< nobody else's word counts
    Filling,  ///< the buddy's word is awaited from here on; it is to have all from before
    Joining,  ///< it has, and the map shall say so
    InSync,
    Losing  ///< the map shall say that there is none: until then nothing more is durable, and
            ///< nothing is promised, for another one may be us by now
  };
  /// One tick that the buddy has been told of, and what it makes durable.
  struct Mark {
    std::uint32_t sequence = 0;
    std::map<Life, handoff::LogIndex> logs;
    std::uint64_t outcomes = 0, notes = 0;
    std::vector<std::pair<SessionId, AppliedInput>> inputs;  ///< the newest of each, by session
  };
  struct Telling {
    WorkerSlot to = 0;
    std::uint32_t life = 0;
    std::uint32_t stream = 0;
    Tick answered;
    bool begun = false;  ///< all that there was at first is on its way
    std::deque<Mark> marks;
    std::uint32_t fills_at = 0;     ///< with this message it has what was durable without it
    std::vector<std::byte> hinges;  ///< as told last
  };
  /// Another worker, whose buddy we are.
  struct Ward {
    std::uint32_t incarnation = 0, life = 0;
    std::optional<std::uint32_t> stream;
    std::uint32_t next = 0;
    std::optional<Tick> asked;
    std::map<Life, Handoffs::Inheritance> logs;
    std::deque<OutcomeRow> outcomes;  ///< not in the journal yet; by number
    PostState post;
    std::vector<std::byte> unheard;  ///< records since the newest tick
    bool anew = false;               ///< of a stream of which no whole tick has been heard
    std::vector<world::HingeDrive> hinges;
    std::optional<ReplicaTick> tick;       ///< the newest
    std::vector<std::byte> players;        ///< of that
    std::map<SessionId, SentInputs> sent;  ///< at most players_max
    Tick heard;                            ///< by our ticks
    bool link_lost = false;
    std::optional<Tick> suspected;
    /// How many ticks passed between two of its words; halved each minute.
    std::array<std::uint32_t, 64> gaps{};
    std::uint32_t gaps_since_halved = 0;
  };
  /// A group that was leaving when its worker died, as far as we know of it.
  struct Doubtful {
    Life life = 0;
    handoff::GroupId group = 0;
    Tick since;
    bool as_it_left = false;  ///< known so: then the log tells of it, too
    std::vector<Handle> members;
    std::vector<ReplicaPlayer> players;
    std::vector<world::HingeDrive> hinges;
  };

  // buddies_told.cpp
  bool is_new() const { return ticks_between(begun_, core_.next_) <= new_ticks; }
  void say_that_it_takes_alone();
  void begin_telling(const WorkerEntry& buddy);
  void lose();
  void fill();
  void act_alone();
  const WorkerEntry* buddy_by_map() const;
  bool holds_no_more();
  template <class Write>
  void say(Write&& write);
  void say_everything();
  void say_log(Life life, const Handoffs::Region& log);
  void say_tick();
  void say_players();
  std::vector<std::pair<SessionId, AppliedInput>> applied_inputs() const;
  void on_whole_answer(Mark mark);
  bool has_what_cannot_be_told() const;
  void change(Mode mode);

  // buddies_heard.cpp
  void forget_all_but_inputs(Ward& ward);
  bool in_order(WorkerSlot from, Ward& ward, const ReplicaHead& head);
  bool hear(WorkerSlot from, Ward& ward, ByteReader& reader);
  static void forget_outcome(Ward& ward, std::uint64_t number);
  static bool read_state(ByteReader& reader, State& out);
  static bool hear_log(Ward& ward, ByteReader& reader);
  static bool hear_entry(Ward& ward, ByteReader& reader);
  static bool hear_hinges(Ward& ward, ByteReader& reader);
  bool hear_tick(WorkerSlot from, Ward& ward, ByteReader& reader);
  void answer(WorkerSlot to, const ReplicaAnswer& answer);
  void forget_the_silent(Ward& ward) const;
  void note_gap(Ward& ward) const;
  static std::int32_t stall_ticks(const Ward& ward);
  void watch_wards();

  // inheriting.cpp
  void inherit(WorkerSlot from, Ward ward, bool careful);
  void let_go_of_wards();
  void drop_what_waits(ReplicaPlayer& replica) const;
  std::vector<ReplicaPlayer> players_of(const Ward& ward) const;
  static bool all_here(const Arrival& arrival, const std::set<Handle>& things,
                       const std::vector<ReplicaPlayer>& players);
  void settle_taken(Ward& ward, std::set<Handle>& things,
                    std::vector<ReplicaPlayer>& players) const;
  static void hear_what_was_sent(const Ward& ward, ReplicaPlayer& replica);
  using Carried = std::multimap<Handle, Handle>;
  Carried carried(const Ward& ward, const std::set<Handle>& of) const;
  static std::vector<Handle> closure(handoff::GroupId root, const Ward& ward,
                                     const std::set<Handle>& of, const Carried& carried);
  void own(const std::vector<Handle>& things, std::span<const world::HingeDrive> hinges);
  void go_on(std::vector<ReplicaPlayer> players);

  // last_words.cpp
  void tell_last_words(WorkerSlot of, const Ward& ward, std::span<const ReplicaPlayer> players,
                       replay::Fate fate) const;

  Core& core_;
  Mode mode_ = Mode::Alone;
  Tick begun_;
  std::uint32_t word_ = 0;
  std::uint32_t streams_ = 0;
  std::optional<Telling> telling_;
  std::uint64_t written_ = 0;                    ///< the newest outcome's number
  std::uint64_t durable_ = 0;                    ///< of outcomes, while the buddy's word counts
  std::uint64_t notes_ = 0, durable_notes_ = 0;  ///< likewise
  std::vector<std::pair<SessionId, AppliedInput>> durable_inputs_;  ///< likewise
  std::map<handoff::GroupId, State> came_;  ///< for the log's next word of them
  ReplicaWords words_;
  std::optional<Tick> rests_until_;  ///< what it has said was too much
  std::map<WorkerSlot, Ward> wards_;
  std::vector<Doubtful> doubtful_;
};

}  // namespace perigee::worker
