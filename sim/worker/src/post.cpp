#include "post.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "buddies.hpp"
#include "ghosts.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t word_bytes_max = 96;

}  // namespace

// ---- sending

/// A group that is about to leave carries the effects of messages that it has processed, but no
/// worker would know whether these are durable here. So it processes none any more.
bool Core::Post::leaving(Handle addressee) const {
  const world::Group group = core_.world_->group_of(addressee);
  return std::any_of(group.members.begin(), group.members.end(),
                     [&](Handle member) { return core_.handoffs_->leaves(member); });
}

const world::Entity* Core::Post::own(Handle handle) const {
  const world::Entity* entity = core_.world_->find(handle);
  return entity != nullptr && !entity->remote ? entity : nullptr;
}

bool Core::Post::takes_letters(Handle addressee) const {
  if (own(addressee) == nullptr || leaving(addressee)) return false;
  const Player* player = core_.find_avatar(addressee);
  return player == nullptr || player->events.size() + events_per_letter <= world::events_max;
}

bool Core::Post::send(const world::Letter& letter) {
  if (state_.open.size() >= open_max && !takes_letters(letter.to)) {
    core_.counts_.add(Count::LettersRefused);
    return false;
  }
  enter({reading_, letter, false});
  return true;
}

void Core::Post::enter(const CutLetter& letter) {
  if (takes_letters(letter.returned ? letter.letter.from : letter.letter.to)) return read(letter);
  core_.counts_.add(Count::LettersSent);
  OpenLetter& open = state_.open[{core_.spawner_, ++numbers_}];
  open = {.letter = letter.letter, .returned = letter.returned, .since = core_.next_};
  address({core_.spawner_, numbers_}, open, core_.next_);
}

void Core::Post::address(const LetterName& name, OpenLetter& open, Tick not_before) {
  open.asked = next_to_ask(open);
  ++open.attempt;
  const PostNote note{.kind = PostRecord::Open, .name = name, .open = open};
  letters_[name] = {core_.buddies_->note(note), std::nullopt, not_before};
}

/// Alternates between the worker that seems to own the addressee and all other workers in turn.
auto Core::Post::next_to_ask(const OpenLetter& open) const -> Life {
  if (own(open.addressee()) != nullptr) return core_.spawner_;
  if (open.attempt % 2 == 0) {
    const auto owner = core_.ghosts_->owner_of(open.addressee());
    if (const auto life = owner ? core_.handoffs_->life_of(*owner) : std::nullopt) return *life;
  }
  std::optional<Life> first, next;
  for (const WorkerEntry& worker : core_.map_.workers) {
    const auto life = core_.handoffs_->life_of(worker.slot);
    if (!life || worker.slot == core_.slot_) continue;
    if (!first || *life < *first) first = life;
    if (*life > open.asked && (!next || *life < *next)) next = life;
  }
  return next ? *next : first.value_or(core_.spawner_);
}

PostWord Core::Post::word(PostKind kind, const LetterName& name, std::uint32_t attempt,
                          Life asked) const {
  return {.incarnation = core_.map_.incarnation,
          .kind = kind,
          .name = name,
          .attempt = attempt,
          .asked = asked,
          .flag = false,
          .tick = core_.next_,
          .letter = {}};
}

bool Core::Post::say(Life to, const PostWord& word) {
  const auto slot = core_.handoffs_->worker_of(to);
  if (!slot) return false;
  if (*slot == core_.slot_) {
    to_ourselves_.push_back(word);
    return true;
  }
  std::array<std::byte, word_bytes_max> buffer;
  ByteWriter writer(buffer);
  const bool fits = put(writer, PeerKind::Post) && walk_post_word(writer, word);
  PERIGEE_ASSERT(fits, "word_bytes_max is too small for the message");
  core_.to_peer(*slot, writer.written());
  return true;
}

bool Core::Post::due(const Saying& saying) const {
  if (core_.buddies_->durable_notes() < saying.note) return false;
  if (before(core_.next_, saying.not_before)) return false;
  return !saying.said || ticks_between(*saying.said, core_.next_) >= again_ticks;
}

// The entity stays until its removal is durable: a successor that knew only of the removal, and not
// of the actor that took it, would lose it.
bool Core::Post::take(Handle thing, world::TypeId type) {
  const world::Entity* entity = own(thing);
  const bool here = entity != nullptr && entity->type == type &&
                    core_.world_->type_of(*entity).kind == world::EntityKind::Body;
  if (!here || taken(thing) || leaving(thing)) return false;
  mark(thing);
  return true;
}

void Core::Post::mark(Handle thing) {
  state_.taken.insert(thing);
  taken_[thing] = core_.buddies_->note({.kind = PostRecord::Taken, .thing = thing});
}

void Core::Post::remove_what_is_taken() {
  std::erase_if(taken_, [&](const auto& each) {
    if (core_.buddies_->durable_notes() < each.second) return false;
    if (own(each.first) != nullptr) {
      core_.world_->despawn(each.first);
      return false;  // the standby removes the entity before it forgets that an actor took it
    }
    state_.taken.erase(each.first);
    core_.buddies_->note({.kind = PostRecord::Gone, .thing = each.first});
    return true;
  });
}

void Core::Post::say_letters() {
  std::vector<LetterName> nobodys;
  for (auto& [name, saying] : letters_) {
    if (!due(saying)) continue;
    saying.said = core_.next_;
    const OpenLetter& open = state_.open.at(name);
    PostWord said = word(PostKind::Letter, name, open.attempt, open.asked);
    said.flag = open.returned;
    said.letter = open.letter;
    if (!say(open.asked, said)) nobodys.push_back(name);
  }
  // Messages that it had processed ended with it.
  for (const LetterName& name : nobodys) not_there(name);
}

void Core::Post::say_answers() {
  std::vector<LetterName> nobodys;
  for (auto& [name, saying] : answers_) {
    if (!due(saying)) continue;
    saying.said = core_.next_;
    const LetterAnswer& answer = state_.answers.at(name);
    PostWord said = word(PostKind::Answer, name, answer.attempt, core_.spawner_);
    said.flag = answer.here;
    if (!say(name.life, said)) nobodys.push_back(name);
  }
  for (const LetterName& name : nobodys) forget(name);
}

void Core::Post::say_settled() {
  std::erase_if(settled_, [&](const auto& each) {
    const auto& [name, settled] = each;
    if (core_.buddies_->durable_notes() < settled.note) return false;
    say(settled.asked, word(PostKind::Settled, name, settled.attempt, settled.asked));
    return true;
  });
}

void Core::Post::after_tick() {
  for (const auto& [from, word] : std::exchange(early_, {})) hear(from, word);
  remove_what_is_taken();
  say_settled();
  say_letters();
  read_what_arrived();
  say_answers();
  for (const PostWord& word : std::exchange(to_ourselves_, {})) hear(core_.slot_, word);
}

// ---- receiving

void Core::Post::on_word(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  PostWord word;
  if (!walk_post_word(reader, word) || !reader.at_end()) return core_.drop(Count::DropMalformed);
  // The answering worker may be a successor of the incarnation that was asked.
  const Life says = word.kind == PostKind::Answer ? word.asked : word.name.life;
  const bool known = from != core_.slot_ && word.incarnation == core_.map_.incarnation &&
                     core_.handoffs_->worker_of(says) == from;
  if (!known) return core_.drop(Count::DropUnknownSender);
  hear(from, word);
}

// Messages are not processed before the tick in which they were sent: otherwise a checkpoint of one
// tick could have the effects here without their cause.
void Core::Post::hear(WorkerSlot from, const PostWord& word) {
  if (before(core_.next_, word.tick)) {
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

void Core::Post::on_letter(const PostWord& word) {
  if (core_.handoffs_->worker_of(word.asked) != core_.slot_) return;
  if (arrived_.size() < arrived_max || arrived_.contains(word.name)) arrived_[word.name] = word;
}

void Core::Post::read_what_arrived() {
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
    answers_[name] = {core_.buddies_->note(note), std::nullopt, core_.next_};
    return true;
  });
}

// Its effects may include a message that is processed at once.
void Core::Post::read(const CutLetter& letter) {
  core_.counts_.add(letter.returned ? Count::LettersReturned : Count::LettersRead);
  const LetterName outer = std::exchange(reading_, letter.name);
  core_.receive(letter.letter, letter.returned);
  reading_ = outer;
}

void Core::Post::on_answer(WorkerSlot from, const PostWord& word) {
  if (core_.handoffs_->worker_of(word.name.life) != core_.slot_) return;
  const auto open = state_.open.find(word.name);
  const bool asked = open != state_.open.end() && open->second.attempt == word.attempt &&
                     core_.handoffs_->worker_of(open->second.asked) == from;
  if (asked) {
    if (word.flag) return settle(word.name);
    say(word.asked, this->word(PostKind::Settled, word.name, word.attempt, word.asked));
    return not_there(word.name);
  }
  // The sender of the answer is notified once that is durable.
  if (settled_.contains(word.name)) return;
  say(word.asked, this->word(PostKind::Settled, word.name, word.attempt, word.asked));
}

void Core::Post::settle(const LetterName& name) {
  const OpenLetter& open = state_.open.at(name);
  const PostNote note{.kind = PostRecord::Settled, .name = name};
  settled_[name] = {open.attempt, open.asked, core_.buddies_->note(note)};
  state_.open.erase(name);
  letters_.erase(name);
}

void Core::Post::not_there(const LetterName& name) {
  OpenLetter& open = state_.open.at(name);
  if (ticks_between(open.since, core_.next_) < patience_ticks) {
    return address(name, open, core_.next_ + next_ticks);
  }
  if (!open.returned) {
    open.returned = true;
    open.since = core_.next_;
    return address(name, open, core_.next_);
  }
  core_.counts_.add(Count::LettersLost);
  settle(name);
}

// An older copy of the message for this attempt is a repetition: drop it.
void Core::Post::on_settled(const PostWord& word) {
  const auto again = arrived_.find(word.name);
  if (again != arrived_.end() && again->second.attempt <= word.attempt) arrived_.erase(again);
  const auto answer = state_.answers.find(word.name);
  if (answer != state_.answers.end() && answer->second.attempt == word.attempt) forget(word.name);
}

void Core::Post::forget(const LetterName& name) {
  core_.buddies_->note({.kind = PostRecord::Forgotten, .name = name});
  state_.answers.erase(name);
  answers_.erase(name);
}

// ---- ended incarnations

void Core::Post::inherit(const PostState& of) {
  for (const auto& [name, open] : of.open) {
    const PostNote note{.kind = PostRecord::Open, .name = name, .open = open};
    state_.open[name] = open;
    letters_[name] = {core_.buddies_->note(note), std::nullopt, core_.next_};
  }
  for (const auto& [name, answer] : of.answers) {
    const auto known = state_.answers.find(name);
    if (known != state_.answers.end() && known->second.attempt > answer.attempt) continue;
    const PostNote note{.kind = PostRecord::Answer, .name = name, .answer = answer};
    state_.answers[name] = answer;
    answers_[name] = {core_.buddies_->note(note), std::nullopt, core_.next_};
  }
  for (const Handle thing : of.taken) mark(thing);
}

void Core::Post::for_each_note(const std::function<void(const PostNote&)>& visit) const {
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

bool Core::Post::empty() const {
  return state_.open.empty() && state_.answers.empty() && settled_.empty() && taken_.empty();
}

}  // namespace perigee::worker
