#include "outcomes/mailbox.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ghosts/ghost_wire.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t mailbox_frame_bytes_max = 96;

}  // namespace

// ---- sending

/// A group that is about to leave carries the effects of messages that it has processed. But no
/// worker would know whether these effects are durable here. So the group processes no more
/// messages.
bool Mailbox::leaving(Handle addressee) const {
  const world::Group group = needs_.world.group_of(addressee);
  return std::any_of(group.members.begin(), group.members.end(),
                     [&](Handle member) { return needs_.ownership.leaves(member); });
}

const world::Entity* Mailbox::own(Handle handle) const {
  const world::Entity* entity = needs_.world.find(handle);
  return entity != nullptr && !entity->remote ? entity : nullptr;
}

bool Mailbox::takes_messages(Handle addressee) const {
  if (own(addressee) == nullptr || leaving(addressee)) return false;
  const Player* player = needs_.players.find_avatar(addressee);
  return player == nullptr || player->events.size() + events_per_message <= world::events_max;
}

bool Mailbox::send(const world::Message& message) {
  if (state_.open.size() >= open_max && !reads_at_once(message.to)) {
    needs_.counts.add(metric.messages_refused);
    return false;
  }
  enter({reading_, message, false});
  return true;
}

// Two entities that answer each other are interrupted: the rest is read in the next tick.
bool Mailbox::reads_at_once(Handle addressee) const {
  return nested_ < nested_max && takes_messages(addressee);
}

void Mailbox::enter(const CheckpointMessage& message) {
  if (reads_at_once(message.returned ? message.message.from : message.message.to)) {
    ++nested_;
    read(message);
    --nested_;
    return;
  }
  needs_.counts.add(metric.messages_sent);
  OpenMessage& open = state_.open[{needs_.self, ++numbers_}];
  open = {.message = message.message, .returned = message.returned, .since = needs_.next};
  address({needs_.self, numbers_}, open, needs_.next);
}

void Mailbox::address(const MessageId& name, OpenMessage& open, Tick not_before) {
  open.asked = next_to_ask(open);
  ++open.attempt;
  const MailboxEntry note{.kind = MailboxRecord::Open, .name = name, .open = open};
  messages_[name] = {needs_.durability.append(note), std::nullopt, not_before};
}

/// Alternates between the worker that seems to own the addressee and all other workers in turn.
HandleBlock Mailbox::next_to_ask(const OpenMessage& open) const {
  if (own(open.addressee()) != nullptr) return needs_.self;
  if (open.attempt % 2 == 0) {
    const auto owner = needs_.ownership.owner_of(open.addressee());
    if (const auto incarnation = owner ? needs_.ownership.block_of(*owner) : std::nullopt)
      return *incarnation;
  }
  std::optional<HandleBlock> first, next;
  for (const WorkerEntry& worker : needs_.cluster.map().workers) {
    const auto incarnation = needs_.ownership.block_of(worker.slot);
    if (!incarnation || worker.slot == needs_.cluster.self()) continue;
    if (!first || *incarnation < *first) first = incarnation;
    if (*incarnation > open.asked && (!next || *incarnation < *next)) next = incarnation;
  }
  return next ? *next : first.value_or(needs_.self);
}

MailboxFrame Mailbox::make_frame(MailboxFrameKind kind, const MessageId& name,
                                 std::uint32_t attempt, HandleBlock asked) const {
  return {.cluster_id = needs_.cluster.map().cluster_id,
          .kind = kind,
          .name = name,
          .attempt = attempt,
          .asked = asked,
          .flag = false,
          .tick = needs_.next,
          .message = {}};
}

bool Mailbox::send_frame(HandleBlock to, const MailboxFrame& frame) {
  const auto slot = needs_.ownership.worker_of(to);
  if (!slot) return false;
  if (*slot == needs_.cluster.self()) {
    to_ourselves_.push_back(frame);
    return true;
  }
  std::array<std::byte, mailbox_frame_bytes_max> buffer;
  ByteWriter writer(buffer);
  const bool fits = put(writer, PeerKind::Mailbox) && walk_mailbox_frame(writer, frame);
  PERIGEE_ASSERT(fits, "mailbox_frame_bytes_max is too small for the message");
  needs_.outputs.to_peer(*slot, writer.written());
  return true;
}

bool Mailbox::due(const Transmission& transmission) const {
  if (needs_.durability.durable() < transmission.note) return false;
  if (before(needs_.next, transmission.not_before)) return false;
  return !transmission.sent || ticks_between(*transmission.sent, needs_.next) >= resend_ticks;
}

// The entity stays until its removal is durable. A successor that knew of the removal, and not of
// the actor that took the entity, would lose the entity.
bool Mailbox::take(Handle thing, world::TypeId type) {
  const world::Entity* entity = own(thing);
  const bool here = entity != nullptr && entity->type == type &&
                    needs_.world.type_of(*entity).kind == world::EntityKind::Body;
  if (!here || taken(thing) || leaving(thing)) return false;
  mark(thing);
  return true;
}

void Mailbox::mark(Handle thing) {
  state_.taken.insert(thing);
  taken_[thing] = needs_.durability.append({.kind = MailboxRecord::Taken, .thing = thing});
}

void Mailbox::remove_what_is_taken() {
  std::erase_if(taken_, [&](const auto& each) {
    if (needs_.durability.durable() < each.second) return false;
    if (own(each.first) != nullptr) {
      needs_.world.despawn(each.first);
      return false;  // the standby removes the entity before it forgets that an actor took it
    }
    state_.taken.erase(each.first);
    needs_.durability.append({.kind = MailboxRecord::Gone, .thing = each.first});
    return true;
  });
}

template <class SendOne>
std::vector<MessageId> Mailbox::send_due(std::map<MessageId, Transmission>& transmissions,
                                         SendOne send_one) {
  std::vector<MessageId> without_receiver;
  for (auto& [name, transmission] : transmissions) {
    if (!due(transmission)) continue;
    transmission.sent = needs_.next;
    if (!send_one(name)) without_receiver.push_back(name);
  }
  return without_receiver;
}

void Mailbox::send_messages() {
  const auto gone = send_due(messages_, [this](const MessageId& name) {
    const OpenMessage& open = state_.open.at(name);
    MailboxFrame frame = make_frame(MailboxFrameKind::Message, name, open.attempt, open.asked);
    frame.flag = open.returned;
    frame.message = open.message;
    return send_frame(open.asked, frame);
  });
  // Messages that it had processed ended with it.
  for (const MessageId& name : gone) not_there(name);
}

void Mailbox::send_answers() {
  const auto gone = send_due(answers_, [this](const MessageId& name) {
    const MessageAnswer& answer = state_.answers.at(name);
    MailboxFrame frame = make_frame(MailboxFrameKind::Answer, name, answer.attempt, needs_.self);
    frame.flag = answer.here;
    return send_frame(name.incarnation, frame);
  });
  for (const MessageId& name : gone) forget(name);
}

void Mailbox::send_settled() {
  std::erase_if(settled_, [&](const auto& each) {
    const auto& [name, settled] = each;
    if (needs_.durability.durable() < settled.note) return false;
    send_frame(settled.asked,
               make_frame(MailboxFrameKind::Settled, name, settled.attempt, settled.asked));
    return true;
  });
}

void Mailbox::read_arrived() {
  for (const auto& [from, frame] : std::exchange(early_, {})) on_frame(from, frame);
  read_what_arrived();
}

void Mailbox::after_tick() {
  remove_what_is_taken();
  send_settled();
  send_messages();
  send_answers();
  for (const MailboxFrame& frame : std::exchange(to_ourselves_, {}))
    on_frame(needs_.cluster.self(), frame);
}

// ---- receiving

void Mailbox::on_peer(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  MailboxFrame frame;
  if (!walk_mailbox_frame(reader, frame) || !reader.at_end())
    return needs_.counts.add(metric.drop_malformed);
  // The answering worker may be a successor of the incarnation that was asked.
  const HandleBlock says =
      frame.kind == MailboxFrameKind::Answer ? frame.asked : frame.name.incarnation;
  const bool known = from != needs_.cluster.self() &&
                     frame.cluster_id == needs_.cluster.map().cluster_id &&
                     needs_.ownership.worker_of(says) == from;
  if (!known) return needs_.counts.add(metric.drop_unknown_sender);
  on_frame(from, frame);
}

// Messages are not processed before the tick in which they were sent: otherwise a checkpoint of one
// tick could have the effects here without their cause.
void Mailbox::on_frame(WorkerSlot from, const MailboxFrame& frame) {
  if (before(needs_.next, frame.tick)) {
    if (early_.size() < arrived_max) early_.emplace_back(from, frame);
    return;
  }
  switch (frame.kind) {
    case MailboxFrameKind::Message:
      return on_message(frame);
    case MailboxFrameKind::Answer:
      return on_answer(from, frame);
    case MailboxFrameKind::Settled:
      return on_settled(frame);
  }
}

void Mailbox::on_message(const MailboxFrame& frame) {
  if (needs_.ownership.worker_of(frame.asked) != needs_.cluster.self()) return;
  if (arrived_.size() < arrived_max || arrived_.contains(frame.name)) arrived_[frame.name] = frame;
}

void Mailbox::read_what_arrived() {
  std::erase_if(arrived_, [&](const auto& each) {
    const auto& [name, frame] = each;
    const auto known = state_.answers.find(name);
    if (known != state_.answers.end() && known->second.attempt >= frame.attempt) {
      answers_[name].sent.reset();  // the answer was lost
      return true;
    }
    if (state_.answers.size() >= answers_max) return true;  // it is sent again
    const Handle addressee = frame.flag ? frame.message.from : frame.message.to;
    const bool here = own(addressee) != nullptr;
    if (here && !takes_messages(addressee)) return false;
    if (here) read({name, frame.message, frame.flag});
    const MessageAnswer answer{frame.attempt, here};
    state_.answers[name] = answer;
    const MailboxEntry note{.kind = MailboxRecord::Answer, .name = name, .answer = answer};
    answers_[name] = {needs_.durability.append(note), std::nullopt, needs_.next};
    return true;
  });
}

void Mailbox::read(const CheckpointMessage& message) {
  needs_.counts.add(message.returned ? metric.messages_returned : metric.messages_read);
  const MessageId outer = std::exchange(reading_, message.name);
  needs_.receive(message.message, message.returned);
  reading_ = outer;
}

void Mailbox::on_answer(WorkerSlot from, const MailboxFrame& frame) {
  if (needs_.ownership.worker_of(frame.name.incarnation) != needs_.cluster.self()) return;
  const auto open = state_.open.find(frame.name);
  const bool asked = open != state_.open.end() && open->second.attempt == frame.attempt &&
                     needs_.ownership.worker_of(open->second.asked) == from;
  if (asked) {
    if (frame.flag) return settle(frame.name);
    send_frame(frame.asked,
               make_frame(MailboxFrameKind::Settled, frame.name, frame.attempt, frame.asked));
    return not_there(frame.name);
  }
  // The sender of the answer is notified once that is durable.
  if (settled_.contains(frame.name)) return;
  send_frame(frame.asked,
             make_frame(MailboxFrameKind::Settled, frame.name, frame.attempt, frame.asked));
}

void Mailbox::settle(const MessageId& name) {
  const OpenMessage& open = state_.open.at(name);
  const MailboxEntry note{.kind = MailboxRecord::Settled, .name = name};
  settled_[name] = {open.attempt, open.asked, needs_.durability.append(note)};
  state_.open.erase(name);
  messages_.erase(name);
}

void Mailbox::not_there(const MessageId& name) {
  OpenMessage& open = state_.open.at(name);
  if (ticks_between(open.since, needs_.next) < patience_ticks) {
    return address(name, open, needs_.next + next_ticks);
  }
  if (!open.returned) {
    open.returned = true;
    open.since = needs_.next;
    return address(name, open, needs_.next);
  }
  needs_.counts.add(metric.messages_lost);
  settle(name);
}

// An older copy of the message for this attempt is a repetition: drop it.
void Mailbox::on_settled(const MailboxFrame& frame) {
  const auto again = arrived_.find(frame.name);
  if (again != arrived_.end() && again->second.attempt <= frame.attempt) arrived_.erase(again);
  const auto answer = state_.answers.find(frame.name);
  if (answer != state_.answers.end() && answer->second.attempt == frame.attempt) forget(frame.name);
}

void Mailbox::forget(const MessageId& name) {
  needs_.durability.append({.kind = MailboxRecord::Forgotten, .name = name});
  state_.answers.erase(name);
  answers_.erase(name);
}

// ---- ended incarnations

void Mailbox::take_over(const MailboxState& of) {
  for (const auto& [name, open] : of.open) {
    const MailboxEntry note{.kind = MailboxRecord::Open, .name = name, .open = open};
    state_.open[name] = open;
    messages_[name] = {needs_.durability.append(note), std::nullopt, needs_.next};
  }
  for (const auto& [name, answer] : of.answers) {
    const auto known = state_.answers.find(name);
    if (known != state_.answers.end() && known->second.attempt > answer.attempt) continue;
    const MailboxEntry note{.kind = MailboxRecord::Answer, .name = name, .answer = answer};
    state_.answers[name] = answer;
    answers_[name] = {needs_.durability.append(note), std::nullopt, needs_.next};
  }
  for (const Handle thing : of.taken) mark(thing);
}

void Mailbox::for_each_note(const std::function<void(const MailboxEntry&)>& visit) const {
  for (const auto& [name, open] : state_.open) {
    visit({.kind = MailboxRecord::Open, .name = name, .open = open});
  }
  for (const auto& [name, answer] : state_.answers) {
    visit({.kind = MailboxRecord::Answer, .name = name, .answer = answer});
  }
  for (const Handle thing : state_.taken) {
    visit({.kind = MailboxRecord::Taken, .thing = thing});
  }
}

bool Mailbox::empty() const {
  return state_.open.empty() && state_.answers.empty() && settled_.empty() && taken_.empty();
}

}  // namespace perigee::worker
