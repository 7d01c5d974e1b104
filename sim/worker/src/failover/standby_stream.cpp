#include "failover/standby_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ghosts/ghost_wire.hpp"
#include "perigee/base/kept_tick.hpp"
#include "perigee/world/codec.hpp"
#include "players/player_codec.hpp"
#include "put_written.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t hinge_bytes_max = 256;

std::optional<AppliedInput> applied(const Player& player) {
  const auto name = player.inputs.last_applied();
  return name ? std::optional(AppliedInput{*name, player.inputs.last_applied_at()}) : std::nullopt;
}

}  // namespace

StandbyStream::StandbyStream(Needs needs)
    : needs_(std::move(needs)),
      begun_(needs_.next),
      frames_(needs_.frame_bytes, [this](std::span<const std::byte> frame) {
        needs_.counts.add(metric.replica_bytes, frame.size());
        needs_.outputs.to_peer(sending_->to, frame);
      }) {}

void StandbyStream::fill_again() {
  if (sending_) status_.fill_again(frames_.sequence());
}

std::optional<WorkerSlot> StandbyStream::standby() const {
  return sending_ ? std::optional(sending_->to) : std::nullopt;
}

std::optional<WorkerIncarnation> StandbyStream::in_sync_with() const {
  if (!status_.complete()) return std::nullopt;
  return WorkerIncarnation{sending_->to, sending_->incarnation};
}

bool StandbyStream::may_take() const {
  return standby_by_map() == nullptr ||
         needs_.cluster.map().worker(needs_.cluster.self())->standby_word != 0;
}

/// Ends the waiting time of a new incarnation: the first change of `word_` tells the directory that
/// groups are accepted here from now on.
void StandbyStream::report_acceptance() {
  if (word_ != 0 || (is_new() && standby_by_map() != nullptr)) return;
  ++word_;
  if (needs_.outputs.report_now) needs_.outputs.report_now();
}

std::uint64_t StandbyStream::durable_outcomes() const {
  return status_.alone() ? written_ : durable_;
}

bool StandbyStream::may_be_contradicted(std::uint64_t outcome) const {
  return status_.losing() && outcome > durable_;
}

std::optional<AppliedInput> StandbyStream::durable_input(const Player& player) const {
  const auto newest = applied(player);
  if (status_.alone() || !newest) return newest;
  const auto found =
      std::lower_bound(durable_inputs_.begin(), durable_inputs_.end(), player.session,
                       [](const auto& each, SessionId session) { return each.first < session; });
  if (found == durable_inputs_.end() || found->first != player.session) return std::nullopt;
  return found->second;
}

auto StandbyStream::applied_inputs() const -> std::vector<std::pair<SessionId, AppliedInput>> {
  std::vector<std::pair<SessionId, AppliedInput>> out;
  out.reserve(needs_.players.size());
  for (const Player& player : needs_.players) {
    if (const auto newest = applied(player)) out.emplace_back(player.session, *newest);
  }
  return out;
}

void StandbyStream::report_change() {
  ++word_;
  if (needs_.outputs.report_now) needs_.outputs.report_now();
}

const WorkerEntry* StandbyStream::standby_by_map() const {
  const WorkerEntry* self = needs_.cluster.map().worker(needs_.cluster.self());
  const WorkerEntry* standby =
      self != nullptr && self->standby ? needs_.cluster.map().worker(*self->standby) : nullptr;
  const bool alive = standby != nullptr && standby->alive && standby->slot != needs_.cluster.self();
  return alive ? standby : nullptr;
}

void StandbyStream::on_map() {
  const WorkerEntry* self = needs_.cluster.map().worker(needs_.cluster.self());
  if (self == nullptr) return;
  const WorkerEntry* standby = standby_by_map();
  const bool same = sending_ && standby != nullptr && sending_->to == standby->slot &&
                    sending_->incarnation == standby->incarnation;
  const bool revoked = status_.in_sync() && !self->standby_in_sync;
  if (sending_ && (!same || revoked)) lose();
  if (!sending_ && !rests_until_ && standby != nullptr && needs_.outputs.to_peer)
    begin_sending(*standby);
  if (self->standby_word != word_) return;  // the directory does not know our newest word
  const bool waited = status_.losing();
  status_.on_record(self->standby_in_sync);
  if (waited && status_.alone()) act_alone();
}

/// Replicates everything, from the beginning.
void StandbyStream::begin_sending(const WorkerEntry& standby) {
  sending_ = Sending{.to = standby.slot,
                     .incarnation = standby.incarnation,
                     .stream = ++streams_,
                     .answered = needs_.next};
  frames_.begin({needs_.cluster.map().cluster_id,
                 needs_.cluster.map().worker(needs_.cluster.self())->incarnation, streams_, 0});
  write_everything();
}

// Durable state stays durable. If the standby counted as in sync, new state waits until the map
// says that there is no standby.
void StandbyStream::lose() {
  sending_.reset();
  if (status_.alone() || status_.losing()) return;
  needs_.counts.add(metric.replicas_lost);
  if (status_.lose()) return report_change();
  act_alone();
}

/// Everything decided from now on waits for the standby's acknowledgement.
void StandbyStream::fill() {
  status_.fill(frames_.sequence());
  durable_ = written_;
  durable_notes_ = notes_;
  durable_inputs_ = applied_inputs();
  needs_.each_log([](auto& log, auto&) { log.wait_for_standby(); });
}

void StandbyStream::act_alone() {
  needs_.each_log([](auto& log, auto& effects) { log.act_alone(effects); });
  needs_.outcomes_go_on();
}

// ---- replication messages

template <class Write>
void StandbyStream::append(Write&& write) {
  if (sending_) frames_.append(write);
}

void StandbyStream::log(HandleBlock incarnation, const Entry& entry) {
  if (!sending_) return;
  const auto came = came_.extract(entry.group);
  const bool takes = entry.kind == migration::EntryKind::Take && came;
  const ReplicaEntry record{incarnation, entry,
                            takes ? static_cast<std::uint32_t>(came.mapped()->size()) : 0};
  append([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Entry) && walk_replica_entry(writer, record);
  });
  if (takes) frames_.append_bytes(*came.mapped());
}

void StandbyStream::came(migration::GroupId group, const State& state) {
  if (sending_) came_[group] = state;
}

void StandbyStream::left(HandleBlock incarnation, migration::GroupId group, const State& state) {
  if (!sending_) return;
  const ReplicaLeft record{incarnation, group, static_cast<std::uint32_t>(state->size())};
  append([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Left) && walk_replica_left(writer, record);
  });
  frames_.append_bytes(*state);
  frames_.flush(false);
}

void StandbyStream::wrote(const OutcomeRow& row) {
  written_ = row.number;
  append([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Outcome) && walk_outcome_row(writer, row);
  });
}

void StandbyStream::stored(std::uint64_t number) {
  append([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Stored) && writer.number(number);
  });
}

std::uint64_t StandbyStream::append(const MailboxEntry& note) {
  append([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Note) && walk_note(writer, note);
  });
  return effects_ = ++notes_;
}

/// A note that may be long.
template <class Walk>
void StandbyStream::append_long(ReplicaRecord kind, Walk&& walk) {
  if (!sending_) return;
  std::vector<std::byte> bytes;
  put_all_written(bytes, walk);
  append([&](ByteWriter& writer) {
    return put(writer, kind) && writer.number(static_cast<std::uint32_t>(bytes.size()));
  });
  frames_.append_bytes(bytes);
}

std::uint64_t StandbyStream::append_lasting(const LastingNote& note) {
  append_long(ReplicaRecord::LastingNote,
              [&](Appender& appender) { return walk_lasting_note(appender, note); });
  ++notes_;
  if (note.kind == LastingRecord::Row) effects_ = notes_;
  return notes_;
}

std::uint64_t StandbyStream::append_message(const MessageNote& note) {
  append_long(ReplicaRecord::MessageNote,
              [&](Appender& appender) { return walk_message_note(appender, note); });
  ++notes_;
  if (note.has_effects()) effects_ = notes_;
  return notes_;
}

void StandbyStream::write_log(HandleBlock incarnation, const Migrations::Region& log) {
  const auto& groups = log.ledger().groups;
  const auto matters = [](const auto& group) {
    return group.place == migration::Place::Leaving || group.taken.gver != 0 ||
           !group.refused.empty();
  };
  const ReplicaLog record{
      .incarnation = incarnation,
      .epoch = log.epoch(),
      .entries = log.appended(),
      .groups = static_cast<std::uint32_t>(std::count_if(
          groups.begin(), groups.end(), [&](const auto& each) { return matters(each.second); }))};
  append([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Log) && walk_replica_log(writer, record);
  });
  for (const auto& [root, group] : groups) {
    if (!matters(group)) continue;
    frames_.append([&, id = root, &known = group](ByteWriter& writer) {
      return walk_replica_group(writer, id, known);
    });
  }
  log.for_each_final(
      [&](migration::GroupId root, const State& final) { left(incarnation, root, final); });
}

void StandbyStream::write_everything() {
  needs_.each_log([&](auto& log, auto&) { write_log(log.id(), log); });
  needs_.for_each_waiting([&](const OutcomeRow& row) { wrote(row); });
  needs_.for_each_note([&](const MailboxEntry& each) { append(each); });
  needs_.for_each_message_note([&](const MessageNote& each) { append_message(each); });
  needs_.for_each_lasting_note([&](const LastingNote& each) { append_lasting(each); });
}

void StandbyStream::write_players() {
  const auto shapes = shapes_of(needs_.game);
  const Tick settled = needs_.settled();
  for (const Player& player : needs_.players) {
    std::vector<std::byte>& out = frames_.frame();
    const std::size_t at = out.size();
    out.resize(at + sizeof(std::uint32_t));
    append_replica(out, player, needs_.next, settled, shapes);
    const auto size = static_cast<std::uint32_t>(out.size() - at - sizeof(std::uint32_t));
    std::memcpy(out.data() + at, &size, sizeof size);
  }
}

void StandbyStream::write_tick() {
  std::vector<std::byte> hinges;
  for (const world::HingeDrive& hinge : needs_.world.hinges()) {
    put_written<hinge_bytes_max>(
        hinges, [&](ByteWriter& writer) { return world::walk_hinge(writer, hinge); });
  }
  if (hinges != sending_->hinges) {
    append([&](ByteWriter& writer) {
      return put(writer, ReplicaRecord::Hinges) &&
             writer.number(static_cast<std::uint32_t>(hinges.size()));
    });
    frames_.append_bytes(hinges);
    sending_->hinges = std::move(hinges);
  }
  const ReplicaTick tick{needs_.next, needs_.settled(),
                         static_cast<std::uint16_t>(needs_.players.size())};
  append([&](ByteWriter& writer) {
    return put(writer, ReplicaRecord::Tick) && walk_replica_tick(writer, tick);
  });
  write_players();
}

/// The backlog is larger than a standby may buffer.
bool StandbyStream::holds_no_more() {
  if (frames_.waiting_bytes() <= unsent_bytes_max) return false;
  lose();
  rests_until_ = needs_.next + unsent_rest_ticks;
  return true;
}

void StandbyStream::after_tick() {
  if (kept_ticks_turn(needs_.next)) move_along(begun_, needs_.next);
  report_acceptance();
  came_.clear();
  if (rests_until_ && before(*rests_until_, needs_.next)) {
    rests_until_.reset();
    if (const WorkerEntry* standby = standby_by_map()) begin_sending(*standby);
  }
  if (!sending_ || holds_no_more()) return;
  frames_.next_tick();
  sending_->begun = sending_->begun || frames_.waiting_bytes() == 0;
  if (!sending_->begun) sending_->answered = needs_.next;
  if (ticks_between(sending_->answered, needs_.next) > unanswered_ticks_max) {
    const WorkerEntry standby = *needs_.cluster.map().worker(sending_->to);
    lose();
    begin_sending(standby);
  }
  write_tick();
  Mark mark{.sequence = frames_.sequence(),
            .logs = {},
            .outcomes = written_,
            .notes = notes_,
            .inputs = applied_inputs()};
  needs_.each_log([&](auto& log, auto&) { mark.logs[log.id()] = log.appended(); });
  sending_->marks.push_back(std::move(mark));
  frames_.flush(true);
}

// ---- acknowledgements

void StandbyStream::on_answer(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  ReplicaAnswer answer;
  if (!walk_replica_answer(reader, answer) || !reader.at_end()) {
    return needs_.counts.add(metric.drop_malformed);
  }
  const bool ours = sending_ && sending_->to == from && answer.stream == sending_->stream &&
                    answer.cluster_id == needs_.cluster.map().cluster_id;
  if (!ours) return;
  if (answer.again) {
    const WorkerEntry standby = *needs_.cluster.map().worker(sending_->to);
    lose();
    return begin_sending(standby);
  }
  std::optional<Mark> newest;
  while (!sending_->marks.empty() && sending_->marks.front().sequence <= answer.sequence) {
    newest = std::move(sending_->marks.front());
    sending_->marks.pop_front();
  }
  if (newest) on_whole_answer(std::move(*newest));
}

// The standby has everything up to that tick.
void StandbyStream::on_whole_answer(Mark mark) {
  sending_->answered = needs_.next;
  if (status_.alone()) fill();
  if (!status_.counts(mark.sequence)) return;
  durable_ = std::max(durable_, mark.outcomes);
  durable_notes_ = std::max(durable_notes_, mark.notes);
  durable_inputs_ = std::move(mark.inputs);
  needs_.each_log([&](auto& log, auto& effects) {
    const auto index = mark.logs.find(log.id());
    if (index != mark.logs.end()) log.on_replicated(index->second, effects);
  });
  if (!needs_.has_unreplicated() && status_.filled()) report_change();
  needs_.outcomes_go_on();
}

}  // namespace perigee::worker
