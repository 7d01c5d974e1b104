#include "outcomes/outcome_journal.hpp"

#include <algorithm>
#include <utility>

#include "perigee/worker/core.hpp"

namespace perigee::worker {

auto OutcomeJournal::named(const world::JournalEntry& entry) const -> Waiting {
  Waiting out{.row = {.entry = entry}, .since = needs_.next};
  if (const Player* actor = needs_.players.find_avatar(entry.actor)) out.actor = actor->session;
  if (const Player* target = needs_.players.find_avatar(entry.target)) out.target = target->session;
  return out;
}

void OutcomeJournal::write(const world::JournalEntry& entry) {
  Waiting out = named(entry);
  std::uint32_t ordinal = 0;
  for (const OutcomeRow& other : of_tick_) {
    ordinal += other.about() == out.row.about() && other.entry.tick == entry.tick &&
               other.entry.kind == entry.kind;
  }
  if (ordinal > ordinal_max) return drop(out);
  out.row.ordinal = static_cast<std::uint8_t>(ordinal);
  out.row.message = needs_.reading();
  of_tick_.push_back(out.row);
  add(out);
}

void OutcomeJournal::write_again(const OutcomeRow& row) {
  Waiting out = named(row.entry);
  out.row.ordinal = row.ordinal;
  out.row.message = row.message;
  add(out);
}

void OutcomeJournal::add(Waiting outcome) {
  if (waiting_.size() >= Core::outcomes_waiting_max) return drop(outcome);
  outcome.row.number = ++written_;
  if (waiting_.size() >= waiting_max && !needs_.replication.may_be_contradicted(written_)) {
    needs_.counts.add(metric.outcomes_sent_unstored);
    outcome.sent = true;
    send(outcome);
  }
  waiting_.push_back(outcome);
  needs_.replication.wrote(outcome.row);
  go_on();
}

/// Neither the journal nor the standby will have it.
void OutcomeJournal::drop(const Waiting& outcome) {
  needs_.counts.add(metric.outcomes_dropped);
  if (!needs_.replication.may_be_contradicted(written_ + 1)) send(outcome);
}

void OutcomeJournal::go_on() {
  const std::uint64_t durable = needs_.replication.durable_outcomes();
  for (auto next = after(sent_); next != waiting_.end() && next->row.number <= durable; ++next) {
    sent_ = next->row.number;
    next->since = needs_.next;  // the timeout for the journal starts here
    if (needs_.outputs.to_store) {
      needs_.outputs.to_store(next->row);
    } else if (!std::exchange(next->sent, true)) {
      send(*next);
    }
  }
  if (needs_.outputs.to_store) return;
  while (!waiting_.empty() && waiting_.front().row.number <= sent_) {
    needs_.replication.stored(waiting_.front().row.number);
    waiting_.pop_front();
  }
}

auto OutcomeJournal::after(std::uint64_t number) -> std::deque<Waiting>::iterator {
  return std::upper_bound(
      waiting_.begin(), waiting_.end(), number,
      [](std::uint64_t n, const Waiting& waiting) { return n < waiting.row.number; });
}

void OutcomeJournal::for_each_waiting(const std::function<void(const OutcomeRow&)>& visit) const {
  for (const Waiting& outcome : waiting_) visit(outcome.row);
}

void OutcomeJournal::send(const Waiting& outcome) {
  const world::JournalEntry& entry = outcome.row.entry;
  const OutcomeEvent event{entry.tick,  entry.index,  entry.kind,
                           entry.actor, entry.target, entry.amount};
  send_to_player(entry.actor, outcome.actor, event);
  if (entry.target != entry.actor) send_to_player(entry.target, outcome.target, event);
}

// A player that has crossed a border meanwhile still has a stream here, as an observer.
void OutcomeJournal::send_to_player(Handle avatar, SessionId session, const OutcomeEvent& event) {
  if (const Player* player = needs_.players.find_avatar(avatar)) {
    if (player->lost) return;
    session = player->session;
  }
  if (needs_.observers.find(session) != nullptr) needs_.observers.send(session, event, true);
}

void OutcomeJournal::on_stored(std::uint64_t number, Journalled became) {
  const auto found = after(number - 1);
  if (found == waiting_.end() || found->row.number != number) return;
  const Waiting outcome = *found;
  waiting_.erase(found);
  needs_.replication.stored(number);
  if (became == Journalled::Fenced) return needs_.counts.add(metric.outcomes_fenced);
  if (outcome.sent) return;
  if (became == Journalled::Unnamed) needs_.counts.add(metric.outcomes_sent_unstored);
  send(outcome);
}

void OutcomeJournal::after_tick() {
  const Tick now = needs_.next;
  of_tick_.clear();
  for (auto next = after(late_); next != waiting_.end(); ++next) {
    if (ticks_between(next->since, now) < wait_ticks_max) break;
    if (needs_.replication.may_be_contradicted(next->row.number))
      break;  // and so for all later ones
    late_ = next->row.number;
    if (std::exchange(next->sent, true)) continue;
    needs_.counts.add(metric.outcomes_sent_unstored);
    send(*next);
  }
}

}  // namespace perigee::worker
