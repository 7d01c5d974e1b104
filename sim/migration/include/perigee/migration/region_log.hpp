/// A region's log, and the durability of its entries. Included by region.hpp.
#pragma once

#include <algorithm>
#include <utility>

#include "perigee/migration/region.hpp"

namespace perigee::migration {

template <class Traits, const Rules& rules>
Region<Traits, rules>::Region(LogId region, Epoch epoch, Ledger<Traits> ledger,
                              std::map<GroupId, State> finals)
    : region_(region), epoch_(epoch), ledger_(std::move(ledger)), finals_(std::move(finals)) {
  for (auto& [id, group] : ledger_.groups) {
    if (group.place != Place::Leaving) continue;
    if (rules.frozen_in_doubt) {
      in_doubt_.insert(id);
    } else {
      ledger_.open.erase(id);
      group.place = Place::Here;
    }
  }
}

template <class Traits, const Rules& rules>
const Group* Region<Traits, rules>::find(GroupId group) const {
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
void Region<Traits, rules>::append(const Entry& entry, Fx& fx) {
  ledger_.apply(entry);
  const LogIndex index = ledger_.entries;
  fx.replicate(index, entry);
  if (durable(index)) return now_durable(entry, fx);
  waiting_.emplace(index, entry);
  if (entry.kind == EntryKind::Take && !rules.durable_take) {
    answer(MessageKind::Taken, entry.peer, entry.group, entry.gver, fx);
  }
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::now_durable(const Entry& entry, Fx& fx) {
  switch (entry.kind) {
    case EntryKind::Out:
      send_final(entry.group, fx);
      break;
    case EntryKind::Take:
      answer(MessageKind::Taken, entry.peer, entry.group, entry.gver, fx);
      break;
    case EntryKind::Refuse:
      answer(MessageKind::Refused, entry.peer, entry.group, entry.gver, fx);
      break;
    case EntryKind::Gone:
    case EntryKind::Resume:
    case EntryKind::Admit:
      break;
  }
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::release(LogIndex up_to, Fx& fx) {
  while (!waiting_.empty() && waiting_.begin()->first <= up_to) {
    const Entry entry = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    now_durable(entry, fx);
  }
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::wait_for_standby() {
  alone_ = false;
  durable_ = ledger_.entries;  // they were durable without it
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::on_replicated(LogIndex index, Fx& fx) {
  if (alone_ || index <= durable_) return;
  durable_ = index;
  release(durable_, fx);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::act_alone(Fx& fx) {
  alone_ = true;
  release(ledger_.entries, fx);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::poll(Fx& fx) {
  for (const auto& [group, attempt] : attempts_) prepare(group, attempt, fx);
  for (const GroupId id : ledger_.open) {
    in_doubt_.contains(id) || staying_.contains(id) ? ask(id, fx) : send_final(id, fx);
  }
}

}  // namespace perigee::migration
