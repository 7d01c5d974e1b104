/// A region's owner: lets groups go to other regions and takes theirs, so that whatever is lost,
/// late, doubled, or fails, each group is owned once and no told outcome is contradicted.
///
/// A pure state machine over (event, effects). Everything that leaves can be said again: poll()
/// says what still waits for an answer.
#pragma once

#include <optional>
#include <set>

#include "perigee/handoff/message.hpp"
#include "perigee/handoff/record.hpp"
#include "perigee/handoff/rules.hpp"
#include "perigee/netcode/assert.hpp"

namespace perigee::handoff {

/// What a region's owner does to the world.
template <class Traits>
struct Effects {
  virtual ~Effects() = default;
  virtual void send(const Message<Traits>& message) = 0;
  /// Entry `index` of the region's log, in order: to the buddy, if there is one.
  virtual void replicate(LogIndex index, const Entry<Traits>& entry) = 0;
  /// To the journal, which refuses what an older epoch says, and has each id once. Its word comes
  /// back as on_committed().
  virtual void journal(Epoch epoch, GroupId group, const typename Traits::Outcome& outcome) = 0;
  /// The players may hear of it.
  virtual void tell(GroupId group, const typename Traits::Outcome& outcome) = 0;
  /// The directory shall record this of the buddy, by set_buddy().
  virtual void record(BuddyState state) = 0;
};

/// A group in the last consistent cut.
template <class Traits>
struct LastCut {
  typename Traits::State state{};
  bool here = false;  ///< it was the lost region's
  Gver gver = 0;
};

template <class Traits, const Rules& rules = all_rules>
class Region {
 public:
  using State = typename Traits::State;
  using Outcome = typename Traits::Outcome;
  using Fx = Effects<Traits>;

  /// A new region, or one taken over by its buddy with `ledger`: an owner that acts alone.
  /// `finals`: what the former owner may have sent of groups that left; it is not sent again.
  Region(RegionId region, Epoch epoch, Ledger<Traits> ledger = {},
         std::map<GroupId, State> finals = {});
  /// A lost one: takes nothing and answers nothing until open(). `floors`: the directory's epochs.
  static Region lost(RegionId region, Epoch epoch, const std::map<RegionId, Epoch>& floors);

  // What the game wants.
  /// A group begins to exist here, or came along with another one. `gver`: not below any attempt to
  /// move it anywhere.
  void admit(GroupId group, const State& state, Fx& fx, Gver gver = 1);
  /// It went along with another group.
  void went_along(GroupId group, Fx& fx);
  /// It shall go to `to`, from `effect` on. Ignored while it is under way, or not here.
  void move(GroupId group, RegionId to, Tick effect, Fx& fx);
  /// Not now: the attempt is over, unless OUT is said.
  void give_up(GroupId group);
  /// It has been simulated up to the tick at which it leaves, and no further.
  void arrived_at_border(GroupId group, const State& state, Fx& fx);
  /// It turned out that it cannot leave at its tick, and goes on here: nobody gets its state.
  void stay(GroupId group, Fx& fx);
  void decide(GroupId group, const Outcome& outcome, Fx& fx);

  // What comes in.
  /// `wanted`: whether the group that a FINAL brings can be taken (its hash is right, there is
  /// room).
  void on_message(const Message<Traits>& message, bool wanted, Fx& fx);
  void on_committed(GroupId group, const Outcome& outcome, Fx& fx);
  /// The buddy has all entries up to this one.
  void on_replicated(LogIndex index, Fx& fx);
  void on_buddy_lost(Fx& fx);
  /// A buddy is there and gets the ledger as it is, and every entry from now on.
  void on_buddy_joined();
  void on_recorded(BuddyState state, Fx& fx);
  /// Says again whatever has not been answered.
  void poll(Fx& fx);

  // A lost region.
  /// Asks `region` what it knows of `group`.
  void take_census(GroupId group, RegionId region, Fx& fx);
  std::size_t census_answers(GroupId group) const;
  /// Every other region has answered, and only then the journal was read: `journalled` is all that
  /// was decided about the group since the last cut.
  void restore(GroupId group, const LastCut<Traits>& cut, const std::vector<Outcome>& journalled,
               Fx& fx);
  /// All groups of the last cut are restored, or known to be elsewhere.
  void open() { lost_ = false; }
  bool lost() const { return lost_; }

  /// It is simulated here.
  bool owns(GroupId group) const;
  /// What was sent as its FINAL, while there is no answer; null: nothing was.
  const State* final_of(GroupId group) const {
    const auto found = finals_.find(group);
    return found == finals_.end() ? nullptr : &found->second;
  }
  /// Calls visit(GroupId, const State&) for what was so sent.
  template <class Visit>
  void for_each_final(Visit&& visit) const {
    for (const auto& [id, state] : finals_) visit(id, state);
  }
  /// Calls visit(GroupId, const Group<Traits>&) for all of whom OUT is said, and who have no
  /// answer.
  template <class Visit>
  void for_each_leaving(Visit&& visit) const {
    for (const GroupId id : ledger_.open) {
      const Group<Traits>& group = ledger_.groups.at(id);
      if (group.place == Place::Leaving) visit(id, group);
    }
  }
  /// It would like to leave, and has not said OUT.
  bool moving(GroupId group) const { return attempts_.contains(group); }
  bool alone() const { return mode_ == Mode::Alone; }
  /// Whether a FINAL or ASK has its answer already, or is out of date.
  bool answered(const Message<Traits>& message) const { return verdict_on(message).has_value(); }
  /// A group that leaves is still simulated here, up to the tick at which it does.
  bool leaving(GroupId group) const;
  RegionId id() const { return region_; }
  Epoch epoch() const { return epoch_; }
  const Ledger<Traits>& ledger() const { return ledger_; }
  LogIndex appended() const { return ledger_.entries; }
  /// All that it remembers: two that say the same here will do the same.
  template <class Visitor>
  void visit(Visitor&& visitor) const;

 private:
  enum class Mode : std::uint8_t {
    Alone,    ///< so it is recorded: what is appended is durable
    Filling,  ///< a buddy is there: what is appended from here on waits for its word
    Joining,  ///< the buddy has all that was ever durable: the record shall say in sync
    InSync,
    Losing  ///< the record shall say none: until it does, nothing more is durable
  };
  struct Attempt {
    Gver gver = 0;
    RegionId to = 0;
    Tick effect;
  };
  /// What was said to an attempt, once `index` is durable; nothing: the question is out of date.
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
  LogIndex durable_ = 0;    ///< while the buddy's word counts
  LogIndex filled_at_ = 0;  ///< what was durable without the buddy: it is to have all of that
  std::map<LogIndex, Entry<Traits>> waiting_;  ///< appended, not durable
  std::map<GroupId, Attempt> attempts_;        ///< before OUT
  std::map<GroupId, Gver> used_;               ///< of attempts that were given up
  std::map<GroupId, State> finals_;            ///< at the border, until the answer
  std::set<GroupId> in_doubt_;                 ///< OUT was a former owner's
  std::set<GroupId> staying_;                  ///< OUT is said, FINAL never will be
  std::map<GroupId, std::map<RegionId, Answer>> census_;
  bool lost_ = false;
};

}  // namespace perigee::handoff

#include "perigee/handoff/region_log.hpp"
#include "perigee/handoff/region_lost.hpp"
#include "perigee/handoff/region_moves.hpp"
