#pragma once

#include <utility>

#include "perigee/handoff/region.hpp"

namespace perigee::handoff {

/// A lost region's last attempts are not known: the numbers of restored groups start well above.
inline constexpr Gver restored_gver_step = 1U << 16;

template <class Traits, Rules rules>
Region<Traits, rules>::Region(RegionId region, Epoch epoch, Ledger<Traits> ledger)
    : region_(region), epoch_(epoch), ledger_(std::move(ledger)) {
  for (auto& [id, group] : ledger_.groups) {
    if (group.place != Place::Leaving) continue;
    if (rules.frozen_in_doubt) {
      in_doubt_.insert(id);
    } else {
      group.place = Place::Here;
    }
  }
}

template <class Traits, Rules rules>
Region<Traits, rules> Region<Traits, rules>::lost(RegionId region, Epoch epoch,
                                                  const std::map<RegionId, Epoch>& floors) {
  Region out(region, epoch);
  if (rules.floors) out.ledger_.floors = floors;
  out.lost_ = true;
  return out;
}

template <class Traits, Rules rules>
const Group<Traits>* Region<Traits, rules>::find(GroupId group) const {
  const auto found = ledger_.groups.find(group);
  return found == ledger_.groups.end() ? nullptr : &found->second;
}

template <class Traits, Rules rules>
bool Region<Traits, rules>::leaving(GroupId group) const {
  const auto* known = find(group);
  return known != nullptr && known->place == Place::Leaving && !in_doubt_.contains(group) &&
         !finals_.contains(group) && !staying_.contains(group);
}

template <class Traits, Rules rules>
bool Region<Traits, rules>::owns(GroupId group) const {
  const auto* known = find(group);
  return known != nullptr &&
         (known->place == Place::Here || leaving(group) || staying_.contains(group));
}

template <class Traits, Rules rules>
template <class Visitor>
void Region<Traits, rules>::visit(Visitor&& visitor) const {
  visitor(region_, epoch_, ledger_, mode_, durable_, waiting_, used_, finals_, in_doubt_, staying_,
          lost_);
  for (const auto& [group, attempt] : attempts_) {
    visitor(group, attempt.gver, attempt.to, attempt.effect);
  }
  for (const auto& [group, answers] : census_) {
    for (const auto& [region, answer] : answers) {
      visitor(group, region, answer.gver, answer.place, answer.left_for, answer.pending);
    }
  }
}

// ---- the log

template <class Traits, Rules rules>
bool Region<Traits, rules>::durable(LogIndex index) const {
  return mode_ == Mode::Alone || mode_ == Mode::Filling || index <= durable_;
}

template <class Traits, Rules rules>
void Region<Traits, rules>::append(const Entry<Traits>& entry, Fx& fx) {
  ledger_.apply(entry);
  const LogIndex index = ledger_.entries;
  fx.replicate(index, entry);
  if (durable(index)) return now_durable(entry, fx);
  waiting_.emplace(index, entry);
  if (entry.kind == EntryKind::Take && !rules.durable_take) {
    say(MessageKind::Taken, entry.peer, entry.group, entry.gver, fx);
  }
  if (entry.kind == EntryKind::Decide && !rules.buddy_before_journal) {
    fx.journal(epoch_, entry.group, entry.outcomes.front());
  }
}

template <class Traits, Rules rules>
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

template <class Traits, Rules rules>
void Region<Traits, rules>::release(LogIndex up_to, Fx& fx) {
  while (!waiting_.empty() && waiting_.begin()->first <= up_to) {
    const Entry<Traits> entry = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    now_durable(entry, fx);
  }
}

template <class Traits, Rules rules>
void Region<Traits, rules>::on_replicated(LogIndex index, Fx& fx) {
  if (mode_ == Mode::Alone || mode_ == Mode::Losing || index <= durable_) return;
  durable_ = index;
  if (mode_ == Mode::Filling) {
    if (durable_ < ledger_.entries) return;
    mode_ = Mode::Joining;
    fx.record(BuddyState::InSync);
  } else {
    release(durable_, fx);
  }
}

template <class Traits, Rules rules>
void Region<Traits, rules>::on_buddy_joined(Fx& fx) {
  PERIGEE_ASSERT(mode_ == Mode::Alone, "one buddy at a time");
  mode_ = Mode::Filling;
  durable_ = 0;
  if (ledger_.entries == 0) {
    mode_ = Mode::Joining;
    fx.record(BuddyState::InSync);
  }
}

template <class Traits, Rules rules>
void Region<Traits, rules>::on_buddy_lost(Fx& fx) {
  if (mode_ == Mode::Filling) mode_ = Mode::Alone;
  if (mode_ == Mode::Joining || mode_ == Mode::InSync) {
    mode_ = Mode::Losing;
    fx.record(BuddyState::None);
    if (!rules.alone_on_record) on_recorded(BuddyState::None, fx);
  }
}

template <class Traits, Rules rules>
void Region<Traits, rules>::on_recorded(BuddyState state, Fx& fx) {
  if (mode_ == Mode::Losing && state == BuddyState::None) {
    mode_ = Mode::Alone;
    release(ledger_.entries, fx);
  } else if (mode_ == Mode::Losing) {
    fx.record(BuddyState::None);
  } else if (mode_ == Mode::Joining && state == BuddyState::InSync) {
    mode_ = Mode::InSync;
  } else if (mode_ == Mode::Joining) {
    fx.record(BuddyState::InSync);
  }
}

// ---- letting go

template <class Traits, Rules rules>
void Region<Traits, rules>::admit(GroupId group, const State& state, Fx& fx) {
  append({.kind = EntryKind::Restore, .group = group, .gver = 1, .state = state}, fx);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::move(GroupId group, RegionId to, Tick effect, Fx& fx) {
  const auto* known = find(group);
  if (known == nullptr || known->place != Place::Here || attempts_.contains(group)) return;
  Gver& used = used_[group];
  used = rules.versions ? std::max(used, known->gver) + 1 : known->gver;
  attempts_[group] = {used, to, effect};
  poll(fx);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::give_up(GroupId group) {
  attempts_.erase(group);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::on_ready(const Message<Traits>& message, Fx& fx) {
  const auto found = attempts_.find(message.group);
  if (found == attempts_.end()) return;
  const Attempt attempt = found->second;
  if (attempt.gver != message.gver || attempt.to != message.from) return;
  attempts_.erase(found);
  append({.kind = EntryKind::Out,
          .group = message.group,
          .gver = attempt.gver,
          .peer = attempt.to,
          .effect = attempt.effect},
         fx);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::arrived_at_border(GroupId group, const State& state, Fx& fx) {
  PERIGEE_ASSERT(leaving(group), "only what leaves has a border to arrive at");
  finals_[group] = state;
  send_final(group, fx);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::stay(GroupId group, Fx& fx) {
  PERIGEE_ASSERT(leaving(group), "only what leaves can be kept");
  staying_.insert(group);
  poll(fx);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::send_final(GroupId group, Fx& fx) {
  const auto final = finals_.find(group);
  const auto* known = find(group);
  if (final == finals_.end() || known->place != Place::Leaving) return;
  if (rules.intent && !durable(known->index)) return;
  Message<Traits> message = about(MessageKind::Final, known->peer, group, known->gver);
  message.effect = known->effect;
  message.state = final->second;
  if (rules.pending_travels) message.outcomes = known->pending;
  fx.send(message);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::on_answer(const Message<Traits>& message, Fx& fx) {
  const auto* known = find(message.group);
  if (known == nullptr || known->place != Place::Leaving || known->gver != message.gver ||
      known->peer != message.from) {
    return;
  }
  finals_.erase(message.group);
  in_doubt_.erase(message.group);
  staying_.erase(message.group);
  Entry<Traits> entry{.kind = EntryKind::Gone,
                      .group = message.group,
                      .gver = known->gver,
                      .peer = known->peer,
                      .effect = known->effect};
  if (message.kind == MessageKind::Refused) {
    entry.kind = EntryKind::Resume;
    entry.gver = rules.versions ? known->gver + 1 : known->gver;
    entry.outcomes = message.outcomes;
  }
  append(entry, fx);
}

// ---- taking

template <class Traits, Rules rules>
Message<Traits> Region<Traits, rules>::about(MessageKind kind, RegionId to, GroupId group,
                                             Gver gver) const {
  return {.kind = kind, .from = region_, .to = to, .epoch = epoch_, .group = group, .gver = gver};
}

template <class Traits, Rules rules>
void Region<Traits, rules>::say(MessageKind kind, RegionId to, GroupId group, Gver gver, Fx& fx) {
  Message<Traits> message = about(kind, to, group, gver);
  if (kind == MessageKind::Refused) {
    const auto found = ledger_.journalled.find(group);
    if (found != ledger_.journalled.end()) message.outcomes = found->second;
  }
  fx.send(message);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::say_known(RegionId to, GroupId group, Epoch asked, Fx& fx) {
  Message<Traits> message = about(MessageKind::Known, to, group, 0);
  message.asked = asked;
  if (const auto* known = find(group)) {
    message.gver = known->gver;
    message.place = known->place;
    message.left_for = known->peer;
    message.outcomes = known->pending;
  }
  fx.send(message);
}

template <class Traits, Rules rules>
bool Region<Traits, rules>::answered(const Message<Traits>& message) const {
  const auto* known = find(message.group);
  if (known == nullptr) return false;
  const bool refused = std::any_of(known->refused.begin(), known->refused.end(),
                                   [&](const Said& said) { return said.gver == message.gver; });
  return refused || message.gver <= known->taken.gver ||
         (known->place != Place::Elsewhere && message.gver <= known->gver);
}

// True: there is an answer, or there will be one.
template <class Traits, Rules rules>
bool Region<Traits, rules>::answer_again(const Message<Traits>& message, Fx& fx) {
  const auto* known = find(message.group);
  if (known == nullptr) return false;
  const auto answer = [&](const Said& said, MessageKind kind) {
    if (durable(said.index)) say(kind, message.from, message.group, message.gver, fx);
    return true;
  };
  for (const Said& refused : known->refused) {
    if (refused.gver == message.gver) return answer(refused, MessageKind::Refused);
  }
  if (message.gver <= known->taken.gver) return answer(known->taken, MessageKind::Taken);
  return known->place != Place::Elsewhere && message.gver <= known->gver;
}

template <class Traits, Rules rules>
void Region<Traits, rules>::take(const Message<Traits>& message, Fx& fx) {
  attempts_.erase(message.group);
  finals_.erase(message.group);
  in_doubt_.erase(message.group);
  staying_.erase(message.group);
  Entry<Traits> entry{.kind = EntryKind::Take,
                      .group = message.group,
                      .gver = message.gver,
                      .peer = message.from,
                      .effect = message.effect,
                      .state = message.state,
                      .outcomes = message.outcomes};
  const auto found = ledger_.journalled.find(message.group);
  if (found != ledger_.journalled.end()) {
    for (const Outcome& outcome : found->second) Traits::adopt(entry.state, outcome);
  }
  append(entry, fx);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::refuse(const Message<Traits>& message, Fx& fx) {
  if (!rules.binding_answers) {
    return say(MessageKind::Refused, message.from, message.group, message.gver, fx);
  }
  append({.kind = EntryKind::Refuse,
          .group = message.group,
          .gver = message.gver,
          .peer = message.from},
         fx);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::on_message(const Message<Traits>& message, bool wanted, Fx& fx) {
  PERIGEE_ASSERT(message.to == region_, "routed by region");
  const auto floor = ledger_.floors.find(message.from);
  if (floor != ledger_.floors.end() && message.epoch < floor->second) return;
  if (lost_ && message.kind != MessageKind::Known) return;
  switch (message.kind) {
    case MessageKind::Prepare:
      if (wanted && !owns(message.group)) {
        Message<Traits> ready =
            about(MessageKind::Ready, message.from, message.group, message.gver);
        ready.effect = message.effect;
        fx.send(ready);
      }
      break;
    case MessageKind::Ready:
      on_ready(message, fx);
      break;
    case MessageKind::Final:
      if (answer_again(message, fx)) break;
      wanted ? take(message, fx) : refuse(message, fx);
      break;
    case MessageKind::Ask:
      if (!answer_again(message, fx)) refuse(message, fx);
      break;
    case MessageKind::Taken:
    case MessageKind::Refused:
      on_answer(message, fx);
      break;
    case MessageKind::Census:
      on_census(message, fx);
      break;
    case MessageKind::Known:
      if (lost_ && message.asked == epoch_) {
        census_[message.group][message.from] = {message.gver, message.place, message.left_for,
                                                message.outcomes};
      }
      break;
  }
}

// ---- outcomes

template <class Traits, Rules rules>
void Region<Traits, rules>::decide(GroupId group, const Outcome& outcome, Fx& fx) {
  PERIGEE_ASSERT(owns(group), "the owner decides");
  append({.kind = EntryKind::Decide, .group = group, .outcomes = {outcome}}, fx);
}

template <class Traits, Rules rules>
void Region<Traits, rules>::on_committed(GroupId group, const Outcome& outcome, Fx& fx) {
  fx.tell(group, outcome);
  const auto* known = find(group);
  if (known == nullptr ||
      std::find(known->pending.begin(), known->pending.end(), outcome) == known->pending.end()) {
    return;
  }
  append({.kind = EntryKind::Committed, .group = group, .outcomes = {outcome}}, fx);
}

template <class Traits, Rules rules>
bool Region<Traits, rules>::in_waiting(GroupId group, const Outcome& outcome) const {
  return std::any_of(waiting_.begin(), waiting_.end(), [&](const auto& waiting) {
    const auto& outcomes = waiting.second.outcomes;
    return waiting.second.group == group &&
           std::find(outcomes.begin(), outcomes.end(), outcome) != outcomes.end();
  });
}

template <class Traits, Rules rules>
void Region<Traits, rules>::poll(Fx& fx) {
  for (const auto& [group, attempt] : attempts_) {
    Message<Traits> message = about(MessageKind::Prepare, attempt.to, group, attempt.gver);
    message.effect = attempt.effect;
    fx.send(message);
  }
  for (const auto& [id, group] : ledger_.groups) {
    const bool asks = in_doubt_.contains(id) || staying_.contains(id);
    if (group.place == Place::Leaving && asks && durable(group.index)) {
      fx.send(about(MessageKind::Ask, group.peer, id, group.gver));
    } else if (group.place == Place::Leaving && !asks) {
      send_final(id, fx);
    }
    if (group.place != Place::Here) continue;
    for (const Outcome& outcome : group.pending) {
      if (!in_waiting(id, outcome)) fx.journal(epoch_, id, outcome);
    }
  }
}

// ---- a lost region

template <class Traits, Rules rules>
void Region<Traits, rules>::take_census(GroupId group, RegionId region, Fx& fx) {
  PERIGEE_ASSERT(lost_, "only a lost region is restored");
  fx.send(about(MessageKind::Census, region, group, 0));
}

template <class Traits, Rules rules>
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

template <class Traits, Rules rules>
std::size_t Region<Traits, rules>::census_answers(GroupId group) const {
  const auto found = census_.find(group);
  return found == census_.end() ? 0 : found->second.size();
}

template <class Traits, Rules rules>
void Region<Traits, rules>::restore(GroupId group, const LastCut<Traits>& cut,
                                    const std::vector<Outcome>& journalled, Fx& fx) {
  PERIGEE_ASSERT(lost_, "only a lost region is restored");
  if (rules.journal_is_read) ledger_.journalled[group] = journalled;
  Answer newest{.gver = cut.gver, .left_for = cut.here ? region_ : RegionId{0}};
  bool here = cut.here;
  for (const auto& [region, answer] : census_[group]) {
    if (answer.gver < newest.gver || (answer.gver == newest.gver && here)) continue;
    newest = answer;
    here = answer.place == Place::Elsewhere && answer.left_for == region_;
  }
  // What has been taken since, was taken; only what is on its way here is still open.
  const bool open = newest.place == Place::Leaving && newest.left_for == region_;
  append({.kind = EntryKind::Close, .group = group, .gver = newest.gver - (open ? 1 : 0)}, fx);
  if (!here) return;
  Entry<Traits> entry{.kind = EntryKind::Restore,
                      .group = group,
                      .gver = newest.gver + restored_gver_step,
                      .state = cut.state,
                      .outcomes = newest.pending};
  for (const Outcome& outcome : ledger_.journalled[group]) Traits::adopt(entry.state, outcome);
  append(entry, fx);
}

}  // namespace perigee::handoff
