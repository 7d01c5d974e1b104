/// Restoring a region that has lost its owner and its standby. Included by region.hpp.
#pragma once

#include "perigee/migration/region.hpp"

namespace perigee::migration {

/// The last attempts of a lost region are unknown: numbers of restored groups start well above
/// them.
inline constexpr Gver restored_gver_step = 1U << 16;

template <class Traits, const Rules& rules>
void Region<Traits, rules>::take_census(GroupId group, RegionId region, Fx& fx) {
  PERIGEE_ASSERT(lost_, "only a lost region is restored");
  fx.send(about(MessageKind::Census, region, group, 0));
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::on_census(const Message<Traits>& message, Fx& fx) {
  const auto floor = ledger_.floors.find(message.from);
  const bool again = floor != ledger_.floors.end() && floor->second >= message.epoch;
  if (!rules.floors || (again && waiting_.empty())) {
    return say_known(message.from, message.group, message.epoch, fx);
  }
  if (again) return;
  append({.kind = EntryKind::Floor,
          .group = message.group,
          .peer = message.from,
          .epoch = message.epoch},
         fx);
}

template <class Traits, const Rules& rules>
std::size_t Region<Traits, rules>::census_answers(GroupId group) const {
  const auto found = census_.find(group);
  return found == census_.end() ? 0 : found->second.size();
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::restore(GroupId group, const LastCheckpoint<Traits>& checkpoint,
                                    const std::vector<Outcome>& journalled, Fx& fx) {
  PERIGEE_ASSERT(lost_, "only a lost region is restored");
  if (rules.journal_is_read) ledger_.journalled[group] = journalled;
  Answer newest{.gver = checkpoint.gver, .left_for = checkpoint.here ? region_ : RegionId{0}};
  bool here = checkpoint.here;
  for (const auto& [region, answer] : census_[group]) {
    if (answer.gver < newest.gver || (answer.gver == newest.gver && here)) continue;
    newest = answer;
    here = answer.place == Place::Elsewhere && answer.left_for == region_;
  }
  // Attempts up to the newest known one are closed; only one that is on its way here stays open.
  const bool open = newest.place == Place::Leaving && newest.left_for == region_;
  append({.kind = EntryKind::Close, .group = group, .gver = newest.gver - (open ? 1 : 0)}, fx);
  if (!here) return;
  Entry<Traits> entry{.kind = EntryKind::Restore,
                      .group = group,
                      .gver = newest.gver + restored_gver_step,
                      .state = checkpoint.state,
                      .outcomes = newest.pending};
  for (const Outcome& outcome : this->journalled(group)) Traits::adopt(entry.state, outcome);
  append(entry, fx);
}

}  // namespace perigee::migration
