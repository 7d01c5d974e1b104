#include "post.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ghost_wire.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t word_bytes_max = 96;

}  // namespace

// ---- sending

/// A group that is about to leave carries the effects of messages that it has processed, but no
/// worker would know whether these are durable here. So it processes none any more.
bool Post::leaving(Handle addressee) const {
  const world::Group group = needs_.world.group_of(addressee);
  return std::any_of(group.members.begin(), group.members.end(),
                     [&](Handle member) { return needs_.ownership.leaves(member); });
}

const world::Entity* Post::own(Handle handle) const {
  const world::Entity* entity = needs_.world.find(handle);
  return entity != nullptr && !entity->remote ? entity : nullptr;
}

bool Post::takes_letters(Handle addressee) const {
  if (own(addressee) == nullptr || leaving(addressee)) return false;
  const Player* player = needs_.players.find_avatar(addressee);
  return player == nullptr || player->events.size() + events_per_letter <= world::events_max;
}

bool Post::send(const world::Letter& letter) {
  if (state_.open.size() >= open_max && !takes_letters(letter.to)) {
    needs_.counts.add(metric.letters_refused);
    return false;
  }
  enter({reading_, letter, false});
  return true;
}

void Post::enter(const CutLetter& letter) {
  if (takes_letters(letter.returned ? letter.letter.from : letter.letter.to)) return read(letter);
  needs_.counts.add(metric.letters_sent);
  OpenLetter& open = state_.open[{needs_.self, ++numbers_}];
  open = {.letter = letter.letter, .returned = letter.returned, .since = needs_.next};
  address({needs_.self, numbers_}, open, needs_.next);
}

void Post::address(const LetterName& name, OpenLetter& open, Tick not_before) {
  open.asked = next_to_ask(open);
  ++open.attempt;
  const PostNote note{.kind = PostRecord::Open, .name = name, .open = open};
  letters_[name] = {needs_.durability.append(note), std::nullopt, not_before};
}

/// Alternates between the worker that seems to own the addressee and all other workers in turn.
auto Post::next_to_ask(const OpenLetter& open) const -> Life {
  if (own(open.addressee()) != nullptr) return needs_.self;
  if (open.attempt % 2 == 0) {
    const auto owner = needs_.ownership.owner_of(open.addressee());
    if (const auto life = owner ? needs_.ownership.life_of(*owner) : std::nullopt) return *life;
  }
  std::optional<Life> first, next;
  for (const WorkerEntry& worker : needs_.cluster.map().workers) {
    const auto life = needs_.ownership.life_of(worker.slot);
    if (!life || worker.slot == needs_.cluster.self()) continue;
    if (!first || *life < *first) first = life;
    if (*life > open.asked && (!next || *life < *next)) next = life;
  }
  return next ? *next : first.value_or(needs_.self);
}

PostWord Post::word(PostKind kind, const LetterName& name, std::uint32_t attempt,
                    Life asked) const {
  return {.incarnation = needs_.cluster.map().incarnation,
          .kind = kind,
          .name = name,
          .attempt = attempt,
          .asked = asked,
          .flag = false,
          .tick = needs_.next,
          .letter = {}};
}

bool Post::say(Life to, const PostWord& word) {
  const auto slot = needs_.ownership.worker_of(to);
  if (!slot) return false;
  if (*slot == needs_.cluster.self()) {
    to_ourselves_.push_back(word);
    return true;
  }
  std::array<std::byte, word_bytes_max> buffer;
  ByteWriter writer(buffer);
  const bool fits = put(writer, PeerKind::Post) && walk_post_word(writer, word);
  PERIGEE_ASSERT(fits, "word_bytes_max is too small for the message");
  needs_.outputs.to_peer(*slot, writer.written());
  return true;
}

bool Post::due(const Saying& saying) const {
  if (needs_.durability.durable() < saying.note) return false;
  if (before(needs_.next, saying.not_before)) return false;
  return !saying.said || ticks_between(*saying.said, needs_.next) >= again_ticks;
}

// The entity stays until its removal is durable: a successor that knew only of the removal, and not
// of the actor that took it, would lose it.
bool Post::take(Handle thing, world::TypeId type) {
  const world::Entity* entity = own(thing);
  const bool here = entity != nullptr && entity->type == type &&
                    needs_.world.type_of(*entity).kind == world::EntityKind::Body;
  if (!here || taken(thing) || leaving(thing)) return false;
  mark(thing);
  return true;
}

void Post::mark(Handle thing) {
  state_.taken.insert(thing);
  taken_[thing] = needs_.durability.append({.kind = PostRecord::Taken, .thing = thing});
}

void Post::remove_what_is_taken() {
  std::erase_if(taken_, [&](const auto& each) {
    if (needs_.durability.durable() < each.second) return false;
    if (own(each.first) != nullptr) {
      needs_.world.despawn(each.first);
      return false;  // the standby removes the entity before it forgets that an actor took it
    }
    state_.taken.erase(each.first);
    needs_.durability.append({.kind = PostRecord::Gone, .thing = each.first});
    return true;
  });
}

void Post::say_letters() {
  std::vector<LetterName> nobodys;
  for (auto& [name, saying] : letters_) {
    if (!due(saying)) continue;
    saying.said = needs_.next;
    const OpenLetter& open = state_.open.at(name);
    PostWord said = word(PostKind::Letter, name, open.attempt, open.asked);
    said.flag = open.returned;
    said.letter = open.letter;
    if (!say(open.asked, said)) nobodys.push_back(name);
  }
  // Messages that it had processed ended with it.
  for (const LetterName& name : nobodys) not_there(name);
}

void Post::say_answers() {
  std::vector<LetterName> nobodys;
  for (auto& [name, saying] : answers_) {
    if (!due(saying)) continue;
    saying.said = needs_.next;
    const LetterAnswer& answer = state_.answers.at(name);
    PostWord said = word(PostKind::Answer, name, answer.attempt, needs_.self);
    said.flag = answer.here;
    if (!say(name.life, said)) nobodys.push_back(name);
  }
  for (const LetterName& name : nobodys) forget(name);
}

void Post::say_settled() {
  std::erase_if(settled_, [&](const auto& each) {
    const auto& [name, settled] = each;
    if (needs_.durability.durable() < settled.note) return false;
    say(settled.asked, word(PostKind::Settled, name, settled.attempt, settled.asked));
    return true;
  });
}

void Post::after_tick() {
  for (const auto& [from, word] : std::exchange(early_, {})) hear(from, word);
  remove_what_is_taken();
  say_settled();
  say_letters();
  read_what_arrived();
  say_answers();
  for (const PostWord& word : std::exchange(to_ourselves_, {})) hear(needs_.cluster.self(), word);
}

// ---- receiving

void Post::on_word(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  PostWord word;
  if (!walk_post_word(reader, word) || !reader.at_end())
    return needs_.counts.add(metric.drop_malformed);
  // The answering worker may be a successor of the incarnation that was asked.
  const Life says = word.kind == PostKind::Answer ? word.asked : word.name.life;
  const bool known = from != needs_.cluster.self() &&
                     word.incarnation == needs_.cluster.map().incarnation &&
                     needs_.ownership.worker_of(says) == from;
  if (!known) return needs_.counts.add(metric.drop_unknown_sender);
  hear(from, word);
}

// Messages are not processed before the tick in which they were sent: otherwise a checkpoint of one
// tick could have the effects here without their cause.
void Post::hear(WorkerSlot from, const PostWord& word) {
  if (before(needs_.next, word.tick)) {
    if (early_.size() < arrived_max) early_.emplace_back(from, word);
    return;
  }
  switch (word.kind) {
    case PostKind::Letter:
      return on_letter(word);
    case PostKind::Answer:
      return on_answer(from, word);
    case PostKind::Settled:
      return on_settled(word);
  }
}

void Post::on_letter(const PostWord& word) {
  if (needs_.ownership.worker_of(word.asked) != needs_.cluster.self()) return;
  if (arrived_.size() < arrived_max || arrived_.contains(word.name)) arrived_[word.name] = word;
}

void Post::read_what_arrived() {
  std::erase_if(arrived_, [&](const auto& each) {
    const auto& [name, word] = each;
    const auto known = state_.answers.find(name);
    if (known != state_.answers.end() && known->second.attempt >= word.attempt) {
      answers_[name].said.reset();  // the answer was lost
      return true;
    }
    if (state_.answers.size() >= answers_max) return true;  // it is sent again
    const Handle addressee = word.flag ? word.letter.from : word.letter.to;
    const bool here = own(addressee) != nullptr;
    if (here && !takes_letters(addressee)) return false;
    if (here) read({name, word.letter, word.flag});
    const LetterAnswer answer{word.attempt, here};
    state_.answers[name] = answer;
    const PostNote note{.kind = PostRecord::Answer, .name = name, .answer = answer};
    answers_[name] = {needs_.durability.append(note), std::nullopt, needs_.next};
    return true;
  });
}

void Post::read(const CutLetter& letter) {
  needs_.counts.add(letter.returned ? metric.letters_returned : metric.letters_read);
  const LetterName outer = std::exchange(reading_, letter.name);
  needs_.receive(letter.letter, letter.returned);
  reading_ = outer;
}

void Post::on_answer(WorkerSlot from, const PostWord& word) {
  if (needs_.ownership.worker_of(word.name.life) != needs_.cluster.self()) return;
  const auto open = state_.open.find(word.name);
  const bool asked = open != state_.open.end() && open->second.attempt == word.attempt &&
                     needs_.ownership.worker_of(open->second.asked) == from;
  if (asked) {
    if (word.flag) return settle(word.name);
    say(word.asked, this->word(PostKind::Settled, word.name, word.attempt, word.asked));
    return not_there(word.name);
  }
  // The sender of the answer is notified once that is durable.
  if (settled_.contains(word.name)) return;
  say(word.asked, this->word(PostKind::Settled, word.name, word.attempt, word.asked));
}

void Post::settle(const LetterName& name) {
  const OpenLetter& open = state_.open.at(name);
  const PostNote note{.kind = PostRecord::Settled, .name = name};
  settled_[name] = {open.attempt, open.asked, needs_.durability.append(note)};
  state_.open.erase(name);
  letters_.erase(name);
}

void Post::not_there(const LetterName& name) {
  OpenLetter& open = state_.open.at(name);
  if (ticks_between(open.since, needs_.next) < patience_ticks) {
    return address(name, open, needs_.next + next_ticks);
  }
  if (!open.returned) {
    open.returned = true;
    open.since = needs_.next;
    return address(name, open, needs_.next);
  }
  needs_.counts.add(metric.letters_lost);
  settle(name);
}

// An older copy of the message for this attempt is a repetition: drop it.
void Post::on_settled(const PostWord& word) {
  const auto again = arrived_.find(word.name);
  if (again != arrived_.end() && again->second.attempt <= word.attempt) arrived_.erase(again);
  const auto answer = state_.answers.find(word.name);
  if (answer != state_.answers.end() && answer->second.attempt == word.attempt) forget(word.name);
}

void Post::forget(const LetterName& name) {
  needs_.durability.append({.kind = PostRecord::Forgotten, .name = name});
  state_.answers.erase(name);
  answers_.erase(name);
}

// ---- ended incarnations

void Post::inherit(const PostState& of) {
  for (const auto& [name, open] : of.open) {
    const PostNote note{.kind = PostRecord::Open, .name = name, .open = open};
    state_.open[name] = open;
    letters_[name] = {needs_.durability.append(note), std::nullopt, needs_.next};
  }
  for (const auto& [name, answer] : of.answers) {
    const auto known = state_.answers.find(name);
    if (known != state_.answers.end() && known->second.attempt > answer.attempt) continue;
    const PostNote note{.kind = PostRecord::Answer, .name = name, .answer = answer};
    state_.answers[name] = answer;
    answers_[name] = {needs_.durability.append(note), std::nullopt, needs_.next};
  }
  for (const Handle thing : of.taken) mark(thing);
}

void Post::for_each_note(const std::function<void(const PostNote&)>& visit) const {
  for (const auto& [name, open] : state_.open) {
    visit({.kind = PostRecord::Open, .name = name, .open = open});
  }
  for (const auto& [name, answer] : state_.answers) {
    visit({.kind = PostRecord::Answer, .name = name, .answer = answer});
  }
  for (const Handle thing : state_.taken) {
    visit({.kind = PostRecord::Taken, .thing = thing});
  }
}

bool Post::empty() const {
  return state_.open.empty() && state_.answers.empty() && settled_.empty() && taken_.empty();
}

}  // namespace perigee::worker
