/// Groups that leave and come. Included by region.hpp.
#pragma once

#include "perigee/migration/region.hpp"

namespace perigee::migration {

template <class Traits, const Rules& rules>
void Region<Traits, rules>::admit(GroupId group, Gver gver, Fx& fx) {
  append({.kind = EntryKind::Admit, .group = group, .gver = gver}, fx);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::went_along(GroupId group, Fx& fx) {
  const auto* known = find(group);
  PERIGEE_ASSERT(known != nullptr && known->place == Place::Here, "the group must be here");
  attempts_.erase(group);
  append({.kind = EntryKind::Gone, .group = group, .gver = known->gver, .peer = known->peer}, fx);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::move(GroupId group, LogId to, Tick effect, Fx& fx) {
  const auto* known = find(group);
  if (known == nullptr || known->place != Place::Here || attempts_.contains(group)) return;
  Gver& used = used_[group];
  used = rules.versions ? std::max(used, known->gver) + 1 : known->gver;
  prepare(group, attempts_[group] = {used, to, effect}, fx);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::prepare(GroupId group, const Attempt& attempt, Fx& fx) {
  Message<Traits> message = about(MessageKind::Prepare, attempt.to, group, attempt.gver);
  message.effect = attempt.effect;
  fx.send(message);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::give_up(GroupId group) {
  attempts_.erase(group);
}

template <class Traits, const Rules& rules>
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

template <class Traits, const Rules& rules>
void Region<Traits, rules>::arrived_at_border(GroupId group, const State& state, Fx& fx) {
  PERIGEE_ASSERT(leaving(group), "only a leaving group arrives at a border");
  finals_[group] = state;
  send_final(group, fx);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::stay(GroupId group, Fx& fx) {
  PERIGEE_ASSERT(leaving(group), "only a leaving group can stay");
  staying_.insert(group);
  ask(group, fx);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::ask(GroupId group, Fx& fx) {
  const auto* known = find(group);
  if (!durable(known->index)) return;
  fx.send(about(MessageKind::Ask, known->peer, group, known->gver));
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::send_final(GroupId group, Fx& fx) {
  const auto final = finals_.find(group);
  const auto* known = find(group);
  if (final == finals_.end() || known->place != Place::Leaving) return;
  if (rules.intent && !durable(known->index)) return;
  Message<Traits> message = about(MessageKind::Final, known->peer, group, known->gver);
  message.effect = known->effect;
  message.state = final->second;
  fx.send(message);
}

// The open questions about the group are answered.
template <class Traits, const Rules& rules>
void Region<Traits, rules>::settle(GroupId group) {
  finals_.erase(group);
  in_doubt_.erase(group);
  staying_.erase(group);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::on_answer(const Message<Traits>& message, Fx& fx) {
  const auto* known = find(message.group);
  if (known == nullptr || known->place != Place::Leaving || known->gver != message.gver ||
      known->peer != message.from) {
    return;
  }
  settle(message.group);
  Entry entry{.kind = EntryKind::Gone,
              .group = message.group,
              .gver = known->gver,
              .peer = known->peer,
              .effect = known->effect};
  if (message.kind == MessageKind::Refused) {
    entry.kind = EntryKind::Resume;
    entry.gver = rules.versions ? known->gver + 1 : known->gver;
  } else {
    used_.erase(message.group);  // the ledger has that number, and no attempt was made after it
  }
  append(entry, fx);
}

template <class Traits, const Rules& rules>
Message<Traits> Region<Traits, rules>::about(MessageKind kind, LogId to, GroupId group,
                                             Gver gver) const {
  return {.kind = kind, .from = region_, .to = to, .epoch = epoch_, .group = group, .gver = gver};
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::answer(MessageKind kind, LogId to, GroupId group, Gver gver, Fx& fx) {
  fx.send(about(kind, to, group, gver));
}

template <class Traits, const Rules& rules>
auto Region<Traits, rules>::verdict_on(const Message<Traits>& message) const
    -> std::optional<Verdict> {
  const auto* known = find(message.group);
  if (known == nullptr) return std::nullopt;
  for (const Answer& refused : known->refused) {
    if (refused.gver == message.gver) return Verdict{MessageKind::Refused, refused.index};
  }
  if (rules.closed_stays_closed && message.gver <= known->closed) return Verdict{};
  if (message.gver <= known->taken.gver) return Verdict{MessageKind::Taken, known->taken.index};
  const bool old = known->place != Place::Elsewhere && message.gver <= known->gver;
  return old ? std::optional(Verdict{}) : std::nullopt;
}

// True: the answer was sent, or will be.
template <class Traits, const Rules& rules>
bool Region<Traits, rules>::answer_again(const Message<Traits>& message, Fx& fx) {
  const auto verdict = verdict_on(message);
  if (verdict && verdict->answer && durable(verdict->index)) {
    answer(*verdict->answer, message.from, message.group, message.gver, fx);
  }
  return verdict.has_value();
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::take(const Message<Traits>& message, Fx& fx) {
  attempts_.erase(message.group);
  settle(message.group);
  append({.kind = EntryKind::Take,
          .group = message.group,
          .gver = message.gver,
          .peer = message.from,
          .effect = message.effect},
         fx);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::refuse(const Message<Traits>& message, Fx& fx) {
  if (!rules.binding_answers) {
    return answer(MessageKind::Refused, message.from, message.group, message.gver, fx);
  }
  append({.kind = EntryKind::Refuse,
          .group = message.group,
          .gver = message.gver,
          .peer = message.from},
         fx);
}

template <class Traits, const Rules& rules>
void Region<Traits, rules>::on_message(const Message<Traits>& message, bool wanted, Fx& fx) {
  PERIGEE_ASSERT(message.to == region_, "the message is for another region");
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
  }
}

}  // namespace perigee::migration
