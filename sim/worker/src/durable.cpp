// Outcomes on their way into the journal.
#include "durable.hpp"

#include <algorithm>
#include <utility>

#include "buddies.hpp"
#include "perigee/netcode/kept_tick.hpp"
#include "post.hpp"

namespace perigee::worker {

auto Core::Durable::named(const world::JournalEntry& entry) const -> Waiting {
  Waiting out{.row = {.entry = entry}, .since = core_.next_};
  if (const Player* actor = core_.players_.find_avatar(entry.actor)) out.actor = actor->session;
  if (const Player* target = core_.players_.find_avatar(entry.target)) out.target = target->session;
  return out;
}

void Core::Durable::write(const world::JournalEntry& entry) {
  Waiting out = named(entry);
  std::uint32_t ordinal = 0;
  for (const OutcomeRow& other : of_tick_) {
    ordinal += other.about() == out.row.about() && other.entry.tick == entry.tick &&
               other.entry.kind == entry.kind;
  }
  if (ordinal > ordinal_max) return drop(out);
  out.row.ordinal = static_cast<std::uint8_t>(ordinal);
  out.row.letter = core_.post_->reading();
  of_tick_.push_back(out.row);
  add(out);
}

void Core::Durable::write_again(const OutcomeRow& row) {
  Waiting out = named(row.entry);
  out.row.ordinal = row.ordinal;
  out.row.letter = row.letter;
  add(out);
}

void Core::Durable::add(Waiting outcome) {
  if (waiting_.size() >= outcomes_waiting_max) return drop(outcome);
  outcome.row.number = ++written_;
  if (waiting_.size() >= waiting_max && !core_.buddies_->may_be_contradicted(written_)) {
    core_.counts_.add(Count::OutcomesToldUnstored);
    outcome.told = true;
    tell(outcome);
  }
  waiting_.push_back(outcome);
  core_.buddies_->wrote(outcome.row);
  go_on();
}

/// Neither the journal nor the standby will have it.
void Core::Durable::drop(const Waiting& outcome) {
  core_.counts_.add(Count::OutcomesDropped);
  if (!core_.buddies_->may_be_contradicted(written_ + 1)) tell(outcome);
}

// Order: standby, journal, players. (R5)
void Core::Durable::go_on() {
  const std::uint64_t durable = core_.buddies_->durable_outcomes();
  for (auto next = after(sent_); next != waiting_.end() && next->row.number <= durable; ++next) {
    sent_ = next->row.number;
    next->since = core_.next_;  // the timeout for the journal starts here
    if (core_.outputs.to_store) {
      core_.outputs.to_store(next->row);
    } else if (!std::exchange(next->told, true)) {
      tell(*next);
    }
  }
  if (core_.outputs.to_store) return;
  while (!waiting_.empty() && waiting_.front().row.number <= sent_) {
    core_.buddies_->stored(waiting_.front().row.number);
    waiting_.pop_front();
  }
}

auto Core::Durable::after(std::uint64_t number) -> std::deque<Waiting>::iterator {
  return std::upper_bound(
      waiting_.begin(), waiting_.end(), number,
      [](std::uint64_t n, const Waiting& waiting) { return n < waiting.row.number; });
}

void Core::Durable::for_each_waiting(const std::function<void(const OutcomeRow&)>& visit) const {
  for (const Waiting& outcome : waiting_) visit(outcome.row);
}

void Core::Durable::tell(const Waiting& outcome) {
  const world::JournalEntry& entry = outcome.row.entry;
  const OutcomeEvent event{entry.tick,  entry.index,  entry.kind,
                           entry.actor, entry.target, entry.amount};
  tell_player(entry.actor, outcome.actor, event);
  if (entry.target != entry.actor) tell_player(entry.target, outcome.target, event);
}

// A player that has crossed a border meanwhile still has a stream here, as an observer.
void Core::Durable::tell_player(Handle avatar, SessionId session, const OutcomeEvent& event) {
  if (const Player* player = core_.players_.find_avatar(avatar)) {
    if (player->lost) return;
    session = player->session;
  }
  if (core_.observers_.find(session) != nullptr) core_.observers_.tell(session, event, true);
}

void Core::Durable::on_stored(std::uint64_t number, Journalled became) {
  const auto found = after(number - 1);
  if (found == waiting_.end() || found->row.number != number) return;
  const Waiting outcome = *found;
  waiting_.erase(found);
  core_.buddies_->stored(number);
  if (became == Journalled::Fenced) return core_.counts_.add(Count::OutcomesFenced);
  if (outcome.told) return;
  if (became == Journalled::Unnamed) core_.counts_.add(Count::OutcomesToldUnstored);
  tell(outcome);
}

void Core::Durable::after_tick() {
  const Tick now = core_.next_;
  if (kept_ticks_turn(now)) {
    if (same_since_) move_along(*same_since_, now);
    if (restored_) move_along(*restored_, now);
  }
  of_tick_.clear();
  for (auto next = after(late_); next != waiting_.end(); ++next) {
    if (ticks_between(next->since, now) < wait_ticks_max) break;
    if (core_.buddies_->may_be_contradicted(next->row.number)) break;  // and so for all later ones
    late_ = next->row.number;
    if (std::exchange(next->told, true)) continue;
    core_.counts_.add(Count::OutcomesToldUnstored);
    tell(*next);
  }
  if (!core_.outputs.to_cut) return;
  if (may_cut(now)) cut();
  if (open_ && ticks_between(open_->tick(), now) >= late_ticks_max) hand_in();
}

}  // namespace perigee::worker
