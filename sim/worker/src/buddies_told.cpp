// The owner's half: the replication stream to the standby, and which state counts as durable.
#include <algorithm>
#include <utility>

#include "buddies.hpp"
#include "ghosts.hpp"
#include "perigee/netcode/kept_tick.hpp"
#include "perigee/world/codec.hpp"
#include "player_codec.hpp"
#include "post.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t hinge_bytes_max = 256;

std::optional<AppliedInput> applied(const Player& player) {
  const auto name = player.inputs.last_applied();
  return name ? std::optional(AppliedInput{*name, player.inputs.last_applied_at()}) : std::nullopt;
}

}  // namespace

Core::Buddies::Buddies(Core& core)
    : core_(core),
      begun_(core.next_),
      words_(core.settings_.replica_word_bytes, [&core, this](std::span<const std::byte> word) {
        core.counts_.add(Count::ReplicaBytes, word.size());
        core.outputs.to_peer(telling_->to, word);
      }) {}

std::optional<WorkerSlot> Core::Buddies::standby() const {
  return telling_ ? std::optional(telling_->to) : std::nullopt;
}

std::optional<WorkerLife> Core::Buddies::in_sync_with() const {
  if (mode_ != Mode::Joining && mode_ != Mode::InSync) return std::nullopt;
  return WorkerLife{telling_->to, telling_->life};
}

bool Core::Buddies::may_take() const {
  return buddy_by_map() == nullptr || core_.map_.worker(core_.slot_)->buddy_word != 0;
}

/// Ends the waiting time of a new incarnation: the first change of `word_` tells the directory that
/// groups are accepted here from now on.
void Core::Buddies::say_that_it_takes_alone() {
  if (word_ != 0 || (is_new() && buddy_by_map() != nullptr)) return;
  ++word_;
  if (core_.outputs.report_now) core_.outputs.report_now();
}

std::uint64_t Core::Buddies::durable_outcomes() const {
  return mode_ == Mode::Alone ? written_ : durable_;
}

bool Core::Buddies::may_be_contradicted(std::uint64_t outcome) const {
  return mode_ == Mode::Losing && outcome > durable_;
}

std::optional<AppliedInput> Core::Buddies::durable_input(const Player& player) const {
  const auto newest = applied(player);
  if (mode_ == Mode::Alone || !newest) return newest;
  const auto found =
      std::lower_bound(durable_inputs_.begin(), durable_inputs_.end(), player.session,
                       [](const auto& each, SessionId session) { return each.first < session; });
  if (found == durable_inputs_.end() || found->first != player.session) return std::nullopt;
  return found->second;
}

auto Core::Buddies::applied_inputs() const -> std::vector<std::pair<SessionId, AppliedInput>> {
  std::vector<std::pair<SessionId, AppliedInput>> out;
  out.reserve(core_.players_.size());
  for (const Player& player : core_.players_) {
    if (const auto newest = applied(player)) out.emplace_back(player.session, *newest);
  }
  return out;
}

void Core::Buddies::change(Mode mode) {
  mode_ = mode;
  ++word_;
  if (core_.outputs.report_now) core_.outputs.report_now();
}

const WorkerEntry* Core::Buddies::buddy_by_map() const {
  const WorkerEntry* self = core_.map_.worker(core_.slot_);
  const WorkerEntry* buddy =
      self != nullptr && self->buddy ? core_.map_.worker(*self->buddy) : nullptr;
  const bool lives = buddy != nullptr && buddy->alive && buddy->slot != core_.slot_;
  return lives ? buddy : nullptr;
}

void Core::Buddies::on_map() {
  const WorkerEntry* self = core_.map_.worker(core_.slot_);
  if (self == nullptr) return;
  const WorkerEntry* buddy = buddy_by_map();
  const bool same =
      telling_ && buddy != nullptr && telling_->to == buddy->slot && telling_->life == buddy->life;
  const bool revoked = mode_ == Mode::InSync && !self->buddy_in_sync;
  if (telling_ && (!same || revoked)) lose();
  if (!telling_ && !rests_until_ && buddy != nullptr && core_.outputs.to_peer)
    begin_telling(*buddy);
  if (self->buddy_word != word_) return;  // the directory does not know our newest word
  if (mode_ == Mode::Losing && !self->buddy_in_sync) act_alone();
  if (mode_ == Mode::Joining && self->buddy_in_sync) {
    mode_ = Mode::InSync;
    core_.handoffs_->each_log(
        [](auto& log, auto& effects) { log.on_recorded(handoff::BuddyState::InSync, effects); });
  }
}

/// Replicates everything, from the beginning.
void Core::Buddies::begin_telling(const WorkerEntry& buddy) {
  telling_ =
      Telling{.to = buddy.slot, .life = buddy.life, .stream = ++streams_, .answered = core_.next_};
  words_.begin({core_.map_.incarnation, core_.map_.worker(core_.slot_)->life, streams_, 0});
  say_everything();
}

// Durable state stays durable. If the standby counted, new state waits until the map says that
// there is no standby.
void Core::Buddies::lose() {
  telling_.reset();
  if (mode_ == Mode::Alone || mode_ == Mode::Losing) return;
  core_.handoffs_->each_log([](auto& log, auto& effects) { log.on_buddy_lost(effects); });
  core_.counts_.add(Count::ReplicasLost);
  if (mode_ != Mode::Filling) return change(Mode::Losing);
  mode_ = Mode::Alone;
  core_.outcome_journal_->go_on();
}

/// Everything decided from now on waits for the standby's acknowledgement.
void Core::Buddies::fill() {
  mode_ = Mode::Filling;
  telling_->fills_at = words_.sequence();
  durable_ = written_;
  durable_notes_ = notes_;
  durable_inputs_ = applied_inputs();
  core_.handoffs_->each_log([](auto& log, auto&) { log.on_buddy_joined(); });
}

void Core::Buddies::act_alone() {
  mode_ = Mode::Alone;
  core_.handoffs_->each_log(
      [](auto& log, auto& effects) { log.on_recorded(handoff::BuddyState::None, effects); });
  core_.outcome_journal_->go_on();
}

// ---- replication messages

template <class Write>
void Core::Buddies::say(Write&& write) {
  if (telling_) words_.say(write);
}

void Core::Buddies::log(Life life, const Entry& entry) {
  if (!telling_) return;
  const auto came = came_.extract(entry.group);
  const bool takes = entry.kind == handoff::EntryKind::Take && came;
  const std::uint32_t size = takes ? static_cast<std::uint32_t>(came.mapped()->size()) : 0;
  say([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Entry) && writer.number(life) &&
           walk_log_entry(writer, entry) && writer.number(size);
  });
  if (takes) words_.say_bytes(*came.mapped());
}

void Core::Buddies::came(handoff::GroupId group, const State& state) {
  if (telling_) came_[group] = state;
}

void Core::Buddies::left(Life life, handoff::GroupId group, const State& state) {
  if (!telling_) return;
  say([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Left) && writer.number(life) && writer.number(group) &&
           writer.number(static_cast<std::uint32_t>(state->size()));
  });
  words_.say_bytes(*state);
  words_.flush(false);
}

void Core::Buddies::wrote(const OutcomeRow& row) {
  written_ = row.number;
  say([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Outcome) && walk_outcome_row(writer, row);
  });
}

void Core::Buddies::stored(std::uint64_t number) {
  say([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Stored) && writer.number(number);
  });
}

std::uint64_t Core::Buddies::append(const PostNote& note) {
  say([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Note) && walk_note(writer, note);
  });
  return ++notes_;
}

void Core::Buddies::say_log(Life life, const Handoffs::Region& log) {
  const auto& groups = log.ledger().groups;
  const auto matters = [](const auto& group) {
    return group.place == handoff::Place::Leaving || group.taken.gver != 0 ||
           !group.refused.empty();
  };
  const auto count = static_cast<std::uint32_t>(std::count_if(
      groups.begin(), groups.end(), [&](const auto& each) { return matters(each.second); }));
  say([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Log) && writer.number(life) && writer.number(log.epoch()) &&
           writer.number(log.appended()) && writer.number(count);
  });
  for (const auto& [root, group] : groups) {
    if (!matters(group)) continue;
    words_.say([&, id = root, &known = group](ByteWriter& writer) {
      return writer.number(id) && walk_log_group(writer, known);
    });
  }
  log.for_each_final([&](handoff::GroupId root, const State& final) { left(life, root, final); });
}

void Core::Buddies::say_everything() {
  core_.handoffs_->each_log([&](auto& log, auto&) { say_log(log.id(), log); });
  core_.outcome_journal_->for_each_waiting([&](const OutcomeRow& row) { wrote(row); });
  core_.post_->for_each_note([&](const PostNote& each) { append(each); });
}

void Core::Buddies::say_players() {
  const auto shapes = shapes_of(core_.game_);
  const Tick settled = core_.outcomes_->settled();
  for (const Player& player : core_.players_) {
    std::vector<std::byte>& out = words_.word();
    const std::size_t at = out.size();
    out.resize(at + sizeof(std::uint32_t));
    append_replica(out, player, core_.next_, settled, shapes);
    const auto size = static_cast<std::uint32_t>(out.size() - at - sizeof(std::uint32_t));
    std::memcpy(out.data() + at, &size, sizeof size);
  }
}

void Core::Buddies::say_tick() {
  std::vector<std::byte> hinges;
  for (const world::HingeDrive& hinge : core_.world_->hinges()) {
    put_written<hinge_bytes_max>(
        hinges, [&](ByteWriter& writer) { return world::walk_hinge(writer, hinge); });
  }
  if (hinges != telling_->hinges) {
    say([&](ByteWriter& writer) {
      return put(writer, ReplicaRecord::Hinges) &&
             writer.number(static_cast<std::uint32_t>(hinges.size()));
    });
    words_.say_bytes(hinges);
    telling_->hinges = std::move(hinges);
  }
  const ReplicaTick tick{core_.next_, core_.outcomes_->settled(),
                         static_cast<std::uint16_t>(core_.players_.size())};
  say([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Tick) && walk_replica_tick(writer, tick);
  });
  say_players();
}

/// The backlog is larger than a standby may buffer.
bool Core::Buddies::holds_no_more() {
  if (words_.waiting_bytes() <= untold_bytes_max) return false;
  lose();
  rests_until_ = core_.next_ + untold_rest_ticks;
  return true;
}

void Core::Buddies::after_tick() {
  if (kept_ticks_turn(core_.next_)) move_along(begun_, core_.next_);
  watch_wards();
  say_that_it_takes_alone();
  came_.clear();
  if (rests_until_ && before(*rests_until_, core_.next_)) {
    rests_until_.reset();
    if (const WorkerEntry* buddy = buddy_by_map()) begin_telling(*buddy);
  }
  if (!telling_ || holds_no_more()) return;
  words_.next_tick();
  telling_->begun = telling_->begun || words_.waiting_bytes() == 0;
  if (!telling_->begun) telling_->answered = core_.next_;
  if (ticks_between(telling_->answered, core_.next_) > unanswered_ticks_max) {
    const WorkerEntry buddy = *core_.map_.worker(telling_->to);
    lose();
    begin_telling(buddy);
  }
  say_tick();
  Mark mark{.sequence = words_.sequence(),
            .logs = {},
            .outcomes = written_,
            .notes = notes_,
            .inputs = applied_inputs()};
  core_.handoffs_->each_log([&](auto& log, auto&) { mark.logs[log.id()] = log.appended(); });
  telling_->marks.push_back(std::move(mark));
  words_.flush(true);
}

// ---- acknowledgements

void Core::Buddies::on_answer(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  ReplicaAnswer answer;
  if (!walk_replica_answer(reader, answer) || !reader.at_end()) {
    return core_.drop(Count::DropMalformed);
  }
  const bool ours = telling_ && telling_->to == from && answer.stream == telling_->stream &&
                    answer.incarnation == core_.map_.incarnation;
  if (!ours) return;
  if (answer.again) {
    const WorkerEntry buddy = *core_.map_.worker(telling_->to);
    lose();
    return begin_telling(buddy);
  }
  std::optional<Mark> newest;
  while (!telling_->marks.empty() && telling_->marks.front().sequence <= answer.sequence) {
    newest = std::move(telling_->marks.front());
    telling_->marks.pop_front();
  }
  if (newest) on_whole_answer(std::move(*newest));
}

// The standby has everything up to that tick.
void Core::Buddies::on_whole_answer(Mark mark) {
  telling_->answered = core_.next_;
  if (mode_ == Mode::Losing) return;
  if (mode_ == Mode::Alone) fill();
  const bool filled = mark.sequence >= telling_->fills_at;
  if (mode_ == Mode::Filling && !filled) return;
  durable_ = std::max(durable_, mark.outcomes);
  durable_notes_ = std::max(durable_notes_, mark.notes);
  durable_inputs_ = std::move(mark.inputs);
  core_.handoffs_->each_log([&](auto& log, auto& effects) {
    const auto index = mark.logs.find(log.id());
    if (index != mark.logs.end()) log.on_replicated(index->second, effects);
  });
  if (mode_ == Mode::Filling && !has_what_cannot_be_told()) change(Mode::Joining);
  core_.outcome_journal_->go_on();
}

/// A group in doubt is a ghost here, so no worker replicates it to our standby.
bool Core::Buddies::has_what_cannot_be_told() const {
  return std::any_of(doubtful_.begin(), doubtful_.end(), [&](const Doubtful& each) {
    return !each.as_it_left && ticks_between(each.since, core_.next_) <= doubtful_ticks_max;
  });
}

}  // namespace perigee::worker
