/// The owner of a region: sends groups to other regions and receives theirs, such that each group
/// has one owner and no reported outcome is contradicted, whichever messages are lost, late or
/// duplicated, and whichever processes fail.
///
/// A pure state machine over (event, effects). Every message can be repeated: poll() repeats those
/// that are not answered.
#pragma once

#include <optional>
#include <set>

#include "perigee/base/assert.hpp"
#include "perigee/migration/message.hpp"
#include "perigee/migration/record.hpp"
#include "perigee/migration/rules.hpp"

namespace perigee::migration {

/// Effects of a region's owner on its surroundings.
template <class Traits>
struct Effects {
  virtual ~Effects() = default;
  virtual void send(const Message<Traits>& message) = 0;
  /// Entry `index` of the region's log, in order: to the standby, if there is one.
  virtual void replicate(LogIndex index, const Entry<Traits>& entry) = 0;
  /// Passes the outcome to the journal, which refuses older epochs and stores each id once. Its
  /// confirmation comes as on_committed().
  virtual void journal(Epoch epoch, GroupId group, const typename Traits::Outcome& outcome) = 0;
  /// The outcome may be reported to players.
  virtual void tell(GroupId group, const typename Traits::Outcome& outcome) = 0;
  /// Asks the directory to record this state of the standby, with set_standby().
  virtual void record(StandbyStatus state) = 0;
};

/// A group in the last checkpoint.
template <class Traits>
struct LastCheckpoint {
  typename Traits::State state{};
  bool here = false;  ///< the lost region owned it
  Gver gver = 0;
};

template <class Traits, const Rules& rules = all_rules>
class Region {
 public:
  using State = typename Traits::State;
  using Outcome = typename Traits::Outcome;
  using Fx = Effects<Traits>;

  /// A new region, or one taken over by its standby with `ledger`: an owner that acts alone.
  /// `finals`: states that the former owner may have sent of groups that left; these are not sent
  /// again.
  Region(RegionId region, Epoch epoch, Ledger<Traits> ledger = {},
         std::map<GroupId, State> finals = {});
  /// A lost region: ignores all messages until open(). `floors`: the epochs that the directory has.
  static Region lost(RegionId region, Epoch epoch, const std::map<RegionId, Epoch>& floors);

  // Requests of the game.
  /// A group begins to exist here, or came as a part of another one. `gver`: not below the number
  /// of any attempt to move it, anywhere.
  void admit(GroupId group, const State& state, Fx& fx, Gver gver = 1);
  /// The group left as a part of another one.
  void went_along(GroupId group, Fx& fx);
  /// Moves the group to `to`, from `effect` on. Ignored while it is being moved, or not here.
  void move(GroupId group, RegionId to, Tick effect, Fx& fx);
  /// Ends the attempt, unless OUT is logged.
  void give_up(GroupId group);
  /// The group has been simulated up to the tick at which it leaves, and no further.
  void arrived_at_border(GroupId group, const State& state, Fx& fx);
  /// The group cannot leave at its tick and continues here: its state is not sent.
  void stay(GroupId group, Fx& fx);
  void decide(GroupId group, const Outcome& outcome, Fx& fx);

  // Events.
  /// `wanted`: whether the group of a FINAL can be accepted (its hash is right, there is room).
  void on_message(const Message<Traits>& message, bool wanted, Fx& fx);
  void on_committed(GroupId group, const Outcome& outcome, Fx& fx);
  /// The standby has all entries up to this one.
  void on_replicated(LogIndex index, Fx& fx);
  void on_standby_lost(Fx& fx);
  /// A standby starts to replicate: it gets the present ledger, and every further entry.
  void on_standby_joined();
  void on_recorded(StandbyStatus state, Fx& fx);
  /// Repeats everything that has not been answered.
  void poll(Fx& fx);

  // Restoring a lost region.
  /// Asks `region` for its knowledge of `group`.
  void take_census(GroupId group, RegionId region, Fx& fx);
  std::size_t census_answers(GroupId group) const;
  /// Called when every other region has answered and the journal has been read after that:
  /// `journalled` has all outcomes of the group decided since the last checkpoint.
  void restore(GroupId group, const LastCheckpoint<Traits>& checkpoint,
               const std::vector<Outcome>& journalled, Fx& fx);
  /// All groups of the last checkpoint are restored, or known to be elsewhere.
  void open() { lost_ = false; }
  bool lost() const { return lost_; }

  /// The group is simulated here.
  bool owns(GroupId group) const;
  /// The state sent in its FINAL, while that is not answered; null: none was sent.
  const State* final_of(GroupId group) const {
    const auto found = finals_.find(group);
    return found == finals_.end() ? nullptr : &found->second;
  }
  /// Calls visit(GroupId, const State&) for each state sent so.
  template <class Visit>
  void for_each_final(Visit&& visit) const {
    for (const auto& [id, state] : finals_) visit(id, state);
  }
  /// Calls visit(GroupId, const Group<Traits>&) for each group with OUT logged and no answer.
  template <class Visit>
  void for_each_leaving(Visit&& visit) const {
    for (const GroupId id : ledger_.open) {
      const Group<Traits>& group = ledger_.groups.at(id);
      if (group.place == Place::Leaving) visit(id, group);
    }
  }
  /// An attempt to move it is open, and OUT is not logged.
  bool moving(GroupId group) const { return attempts_.contains(group); }
  bool alone() const { return mode_ == Mode::Alone; }
  /// Whether a FINAL or ASK has been answered already, or is outdated.
  bool answered(const Message<Traits>& message) const { return verdict_on(message).has_value(); }
  /// OUT is logged, and the group is still simulated here, up to the tick at which it leaves.
  bool leaving(GroupId group) const;
  RegionId id() const { return region_; }
  Epoch epoch() const { return epoch_; }
  const Ledger<Traits>& ledger() const { return ledger_; }
  LogIndex appended() const { return ledger_.entries; }
  /// Visits the whole state: regions with equal state behave equally.
  template <class Visitor>
  void visit(Visitor&& visitor) const;

 private:
  enum class Mode : std::uint8_t {
    Alone,    ///< recorded as having no standby: entries are durable at once
    Filling,  ///< a standby is there: new entries wait for its acknowledgement
    Joining,  ///< the standby has all durable entries: waits for the record to say in sync
    InSync,
    Losing  ///< waits for the record to say none: until then nothing new is durable
  };
  struct Attempt {
    Gver gver = 0;
    RegionId to = 0;
    Tick effect;
  };
  /// The answer to an attempt, valid once `index` is durable; none: the message is outdated.
  struct Verdict {
    std::optional<MessageKind> said;
    LogIndex index = 0;
  };
  struct Answer {
    Gver gver = 0;
    Place place = Place::Elsewhere;
    RegionId left_for = 0;
    std::vector<Outcome> pending;
  };

  bool durable(LogIndex index) const;
  void append(const Entry<Traits>& entry, Fx& fx);
  void now_durable(const Entry<Traits>& entry, Fx& fx);
  void release(LogIndex up_to, Fx& fx);
  Message<Traits> about(MessageKind kind, RegionId to, GroupId group, Gver gver) const;
  void send_final(GroupId group, Fx& fx);
  void say(MessageKind kind, RegionId to, GroupId group, Gver gver, Fx& fx);
  void say_known(RegionId to, GroupId group, Epoch asked, Fx& fx);
  void prepare(GroupId group, const Attempt& attempt, Fx& fx);
  void ask(GroupId group, Fx& fx);
  void settle(GroupId group);
  std::optional<Verdict> verdict_on(const Message<Traits>& message) const;
  const std::vector<Outcome>& journalled(GroupId group) const;
  bool answer_again(const Message<Traits>& message, Fx& fx);
  void take(const Message<Traits>& message, Fx& fx);
  void refuse(const Message<Traits>& message, Fx& fx);
  void on_ready(const Message<Traits>& message, Fx& fx);
  void on_answer(const Message<Traits>& message, Fx& fx);
  void on_census(const Message<Traits>& message, Fx& fx);
  const Group<Traits>* find(GroupId group) const;
  bool in_waiting(GroupId group, const Outcome& outcome) const;

  RegionId region_;
  Epoch epoch_;
  Ledger<Traits> ledger_;
  Mode mode_ = Mode::Alone;
  LogIndex durable_ = 0;  ///< while the standby's acknowledgements count
  /// Entries that were durable without the standby: it must have all of these.
  LogIndex filled_at_ = 0;
  std::map<LogIndex, Entry<Traits>> waiting_;  ///< appended, not durable
  std::map<GroupId, Attempt> attempts_;        ///< before OUT
  std::map<GroupId, Gver> used_;               ///< numbers of attempts that were given up
  std::map<GroupId, State> finals_;            ///< sent states, until the answer
  std::set<GroupId> in_doubt_;                 ///< OUT was logged by a former owner
  std::set<GroupId> staying_;                  ///< OUT is logged, and FINAL will not be sent
  std::map<GroupId, std::map<RegionId, Answer>> census_;
  bool lost_ = false;
};

}  // namespace perigee::migration

#include "perigee/migration/region_log.hpp"
#include "perigee/migration/region_lost.hpp"
#include "perigee/migration/region_moves.hpp"
