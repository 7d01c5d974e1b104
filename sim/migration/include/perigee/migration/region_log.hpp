/// A region's log: durability of entries, and the outcomes that wait for it. Included by
/// region.hpp.
#pragma once

#include <algorithm>
#include <utility>

#include "perigee/migration/region.hpp"

namespace perigee::migration {

template <class Traits, const Rules& rules>
Region<Traits, rules>::Region(RegionId region, Epoch epoch, Ledger<Traits> ledger,
                              std::map<GroupId, State> finals)
    : region_(region), epoch_(epoch), ledger_(std::move(ledger)), finals_(std::move(finals)) {
  for (auto& [id, group] : ledger_.groups) {
    if (group.place != Place::Leaving) continue;
    if (rules.frozen_in_doubt) {
      in_doubt_.insert(id);
    } else {
      group.place = Place::Here;
    }
  }
}

template <class Traits, const Rules& rules>
Region<Traits, rules> Region<Traits, rules>::lost(RegionId region, Epoch epoch,
                                                  const std::map<RegionId, Epoch>& floors) {
  Region out(region, epoch);
  if (rules.floors) out.ledger_.floors = floors;
  out.lost_ = true;
  return out;
}

template <class Traits, const Rules& rules>
const Group<Traits>* Region<Traits, rules>::find(GroupId group) const {
  const auto found = ledger_.groups.find(group);
  return found == ledger_.groups.end() ? nullptr : &found->second;
}

template <class Traits, const Rules& rules>
bool Region<Traits, rules>::leaving(GroupId group) const {
  const auto* known = find(group);
  return known != nullptr && known->place == Place::Leaving && !in_doubt_.contains(group) &&
         !finals_.contains(group) && !staying_.contains(group);
}

template <class Traits, const Rules& rules>
bool Region<Traits, rules>::owns(GroupId group) const {
  const auto* known = find(group);
  return known != nullptr &&
         (known->place == Place::Here || leaving(group) || staying_.contains(group));
}

template <class Traits, const Rules& rules>
template <class Visitor>
void Region<Traits, rules>::visit(Visitor&& visitor) const {
  visitor(region_, epoch_, ledger_, mode_, durable_, filled_at_, waiting_, used_, finals_,
          in_doubt_, staying_, lost_);
  for (const auto& [group, attempt] : attempts_) {
    visitor(group, attempt.gver, attempt.to, attempt.effect);
  }
  for (const auto& [group, answers] : census_) {
    for (const auto& [region, answer] : answers) {
      visitor(group, region, answer.gver, answer.place, answer.left_for, answer.pending);
    }
  }
}

template <class Traits, const Rules& rules>
bool Region<Traits, rules>::durable(LogIndex index) const {
  return mode_ == Mode::Alone || index <= std::max(durable_, filled_at_);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::append(const Entry<Traits>& entry, Fx& fx) {
  ledger_.apply(entry);
  const LogIndex index = ledger_.entries;
  fx.replicate(index, entry);
  if (durable(index)) return now_durable(entry, fx);
  waiting_.emplace(index, entry);
  if (entry.kind == EntryKind::Take && !rules.durable_take) {
    say(MessageKind::Taken, entry.peer, entry.group, entry.gver, fx);
  }
  if (entry.kind == EntryKind::Decide && !rules.standby_before_journal) {
    fx.journal(epoch_, entry.group, entry.outcomes.front());
  }
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::now_durable(const Entry<Traits>& entry, Fx& fx) {
  switch (entry.kind) {
    case EntryKind::Out:
      send_final(entry.group, fx);
      break;
    case EntryKind::Take:
      say(MessageKind::Taken, entry.peer, entry.group, entry.gver, fx);
      [[fallthrough]];
    case EntryKind::Decide:
    case EntryKind::Restore:
      for (const Outcome& outcome : entry.outcomes) fx.journal(epoch_, entry.group, outcome);
      break;
    case EntryKind::Refuse:
      say(MessageKind::Refused, entry.peer, entry.group, entry.gver, fx);
      break;
    case EntryKind::Floor:
      say_known(entry.peer, entry.group, entry.epoch, fx);
      break;
    case EntryKind::Gone:
    case EntryKind::Resume:
    case EntryKind::Committed:
    case EntryKind::Close:
      break;
  }
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::release(LogIndex up_to, Fx& fx) {
  while (!waiting_.empty() && waiting_.begin()->first <= up_to) {
    const Entry<Traits> entry = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    now_durable(entry, fx);
  }
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::on_replicated(LogIndex index, Fx& fx) {
  if (mode_ == Mode::Alone || mode_ == Mode::Losing) return;
  if (index > durable_) {
    durable_ = index;
    release(durable_, fx);
  }
  if (mode_ != Mode::Filling || durable_ < filled_at_) return;
  mode_ = Mode::Joining;
  filled_at_ = 0;
  fx.record(StandbyStatus::InSync);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::on_standby_joined() {
  PERIGEE_ASSERT(mode_ == Mode::Alone, "only one standby at a time");
  mode_ = Mode::Filling;
  durable_ = 0;
  filled_at_ = ledger_.entries;
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::on_standby_lost(Fx& fx) {
  if (mode_ == Mode::Filling) {  // the record never said that there is a standby
    mode_ = Mode::Alone;
    filled_at_ = 0;
    release(ledger_.entries, fx);
  }
  if (mode_ == Mode::Joining || mode_ == Mode::InSync) {
    mode_ = Mode::Losing;
    fx.record(StandbyStatus::None);
    if (!rules.alone_on_record) on_recorded(StandbyStatus::None, fx);
  }
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::on_recorded(StandbyStatus state, Fx& fx) {
  if (mode_ == Mode::Losing && state == StandbyStatus::None) {
    mode_ = Mode::Alone;
    release(ledger_.entries, fx);
  } else if (mode_ == Mode::Losing) {
    fx.record(StandbyStatus::None);
  } else if (mode_ == Mode::Joining && state == StandbyStatus::InSync) {
    mode_ = Mode::InSync;
  } else if (mode_ == Mode::Joining) {
    fx.record(StandbyStatus::InSync);
  }
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::decide(GroupId group, const Outcome& outcome, Fx& fx) {
  PERIGEE_ASSERT(owns(group), "only the owner of a group decides");
  append({.kind = EntryKind::Decide, .group = group, .outcomes = {outcome}}, fx);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::on_committed(GroupId group, const Outcome& outcome, Fx& fx) {
  fx.tell(group, outcome);
  const auto* known = find(group);
  if (known == nullptr ||
      std::find(known->pending.begin(), known->pending.end(), outcome) == known->pending.end()) {
    return;
  }
  append({.kind = EntryKind::Committed, .group = group, .outcomes = {outcome}}, fx);
}

template <class Traits, const Rules& rules>
bool Region<Traits, rules>::in_waiting(GroupId group, const Outcome& outcome) const {
  return std::any_of(waiting_.begin(), waiting_.end(), [&](const auto& waiting) {
    const auto& outcomes = waiting.second.outcomes;
    return waiting.second.group == group &&
           std::find(outcomes.begin(), outcomes.end(), outcome) != outcomes.end();
  });
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::poll(Fx& fx) {
  for (const auto& [group, attempt] : attempts_) prepare(group, attempt, fx);
  const std::vector<GroupId> open(ledger_.open.begin(), ledger_.open.end());
  for (const GroupId id : open) {
    const Group<Traits>& group = ledger_.groups.at(id);
    if (group.place == Place::Leaving) {
      in_doubt_.contains(id) || staying_.contains(id) ? ask(id, fx) : send_final(id, fx);
    }
    if (group.place != Place::Here) continue;
    for (const Outcome& outcome : group.pending) {
      if (!in_waiting(id, outcome)) fx.journal(epoch_, id, outcome);
    }
  }
}

}  // namespace perigee::migration
