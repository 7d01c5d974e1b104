/// The owner of a region: sends groups to other regions and receives theirs. Each group has one
/// owner, whichever messages are lost, late or duplicated, and whichever processes fail.
///
/// A pure state machine over (event, effects). Every message can be repeated: poll() repeats those
/// that are not answered.
#pragma once

#include <optional>
#include <set>

#include "perigee/base/assert.hpp"
#include "perigee/migration/message.hpp"
#include "perigee/migration/rules.hpp"
#include "perigee/migration/standby.hpp"

namespace perigee::migration {

/// Effects of a region's owner on its surroundings.
template <class Traits>
struct Effects {
  virtual ~Effects() = default;
  virtual void send(const Message<Traits>& message) = 0;
  /// Entry `index` of the region's log, in order: to the standby, if there is one.
  virtual void replicate(LogIndex index, const Entry& entry) = 0;
};

template <class Traits, const Rules& rules = all_rules>
class Region {
 public:
  using State = typename Traits::State;
  using Fx = Effects<Traits>;

  /// A new region, or one taken over by its standby with `ledger`: an owner that acts alone.
  /// `finals`: states that the former owner may have sent of groups that left; these are not sent
  /// again.
  Region(LogId region, Epoch epoch, Ledger<Traits> ledger = {},
         std::map<GroupId, State> finals = {});

  // Requests of the game.
  /// A group begins to exist here, or came as a part of another one. `gver`: not below the number
  /// of any attempt to move it, anywhere.
  void admit(GroupId group, Gver gver, Fx& fx);
  /// The group left as a part of another one.
  void went_along(GroupId group, Fx& fx);
  /// Moves the group to `to`, from `effect` on. Ignored while the group is being moved, or is not
  /// here.
  void move(GroupId group, LogId to, Tick effect, Fx& fx);
  /// Ends the attempt, unless OUT is logged.
  void give_up(GroupId group);
  /// The group has been simulated up to the tick at which it leaves, and no further.
  void arrived_at_border(GroupId group, const State& state, Fx& fx);
  /// The group cannot leave at its tick and continues here: its state is not sent.
  void stay(GroupId group, Fx& fx);

  // Events.
  /// `wanted`: whether the group of a FINAL can be accepted (its hash is right, there is room).
  void on_message(const Message<Traits>& message, bool wanted, Fx& fx);
  /// New entries wait for the standby, as Standby::fill() says.
  void wait_for_standby();
  /// The standby has all entries up to this one.
  void on_replicated(LogIndex index, Fx& fx);
  /// Every entry is durable at once, as Standby::alone() says.
  void act_alone(Fx& fx);
  /// Repeats everything that has not been answered.
  void poll(Fx& fx);

  /// The group is simulated here.
  bool owns(GroupId group) const;
  /// The state sent in the group's FINAL, while that is not answered. Null: none was sent.
  const State* final_of(GroupId group) const {
    const auto found = finals_.find(group);
    return found == finals_.end() ? nullptr : &found->second;
  }
  /// Calls visit(GroupId, const State&) for each state sent so.
  template <class Visit>
  void for_each_final(Visit&& visit) const {
    for (const auto& [id, state] : finals_) visit(id, state);
  }
  /// Calls visit(GroupId, const Group&) for each group with OUT logged and no answer.
  template <class Visit>
  void for_each_leaving(Visit&& visit) const {
    for (const GroupId id : ledger_.open) visit(id, ledger_.groups.at(id));
  }
  /// An attempt to move the group is open, and OUT is not logged.
  bool moving(GroupId group) const { return attempts_.contains(group); }
  /// Whether a FINAL or ASK has been answered already, or is outdated.
  bool answered(const Message<Traits>& message) const { return verdict_on(message).has_value(); }
  /// OUT is logged, and the group is still simulated here, up to the tick at which it leaves.
  bool leaving(GroupId group) const;
  LogId id() const { return region_; }
  Epoch epoch() const { return epoch_; }
  const Ledger<Traits>& ledger() const { return ledger_; }
  LogIndex appended() const { return ledger_.entries; }

 private:
  friend struct Inspector<Region>;
  struct Attempt {
    Gver gver = 0;
    LogId to;
    Tick effect;
  };
  /// The answer to an attempt, valid once `index` is durable; none: the message is outdated.
  struct Verdict {
    std::optional<MessageKind> answer;
    LogIndex index = 0;
  };

  bool durable(LogIndex index) const { return alone_ || index <= durable_; }
  void append(const Entry& entry, Fx& fx);
  void now_durable(const Entry& entry, Fx& fx);
  void release(LogIndex up_to, Fx& fx);
  Message<Traits> about(MessageKind kind, LogId to, GroupId group, Gver gver) const;
  void send_final(GroupId group, Fx& fx);
  void answer(MessageKind kind, LogId to, GroupId group, Gver gver, Fx& fx);
  void prepare(GroupId group, const Attempt& attempt, Fx& fx);
  void ask(GroupId group, Fx& fx);
  void settle(GroupId group);
  std::optional<Verdict> verdict_on(const Message<Traits>& message) const;
  bool answer_again(const Message<Traits>& message, Fx& fx);
  void take(const Message<Traits>& message, Fx& fx);
  void refuse(const Message<Traits>& message, Fx& fx);
  void on_ready(const Message<Traits>& message, Fx& fx);
  void on_answer(const Message<Traits>& message, Fx& fx);
  const Group* find(GroupId group) const;

  LogId region_;
  Epoch epoch_;
  Ledger<Traits> ledger_;
  bool alone_ = true;
  LogIndex durable_ = 0;                 ///< unless alone: up to this entry
  std::map<LogIndex, Entry> waiting_;    ///< appended, not durable
  std::map<GroupId, Attempt> attempts_;  ///< before OUT
  std::map<GroupId, Gver> used_;         ///< numbers of attempts that were given up
  std::map<GroupId, State> finals_;      ///< sent states, until the answer
  std::set<GroupId> in_doubt_;           ///< OUT was logged by a former owner
  std::set<GroupId> staying_;            ///< OUT is logged, and FINAL will not be sent
};

}  // namespace perigee::migration

#include "perigee/migration/region_log.hpp"
#include "perigee/migration/region_moves.hpp"
