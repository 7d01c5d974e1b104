#include "failover/replicas.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ghosts/ghost_wire.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/world/codec.hpp"
#include "players/player_codec.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t hinges_max = 4096;

}  // namespace

// Records between two ticks take effect with the second tick. Otherwise the replica could have the
// loss of one player without the gain of another player from the same outcome.
void Replicas::on_frame(WorkerSlot from, std::span<const std::byte> bytes, bool whole) {
  ByteReader reader(bytes);
  ReplicaHead head;
  if (!walk_replica_head(reader, head)) return needs_.counts.add(metric.drop_malformed);
  if (!needs_.cluster.is_peer(from, head.incarnation, head.cluster_id))
    return needs_.counts.add(metric.drop_unknown_sender);
  ReplicaState& replica_state = replica_states_[from];
  if (replica_state.incarnation != head.incarnation ||
      replica_state.cluster_id != head.cluster_id) {
    replica_state = {
        .cluster_id = head.cluster_id, .incarnation = head.incarnation, .received = needs_.next};
  }
  if (!in_order(from, replica_state, head)) return;
  const auto records = bytes.subspan(reader.position());
  replica_state.unheard.insert(replica_state.unheard.end(), records.begin(), records.end());
  if (!whole && replica_state.unheard.size() <= unheard_bytes_max) return;
  const std::vector<std::byte> all = std::exchange(replica_state.unheard, {});
  ByteReader of_tick(all);
  // Until the new stream is complete, the state of the former one is the durable state (rule R4).
  if (whole && std::exchange(replica_state.anew, false)) forget_all_but_inputs(replica_state);
  if (whole && receive(from, replica_state, of_tick)) return;
  needs_.counts.add(metric.drop_malformed);
  replica_state.stream.reset();
  answer(from, {head.cluster_id, head.stream, head.sequence, true});
}

bool Replicas::in_order(WorkerSlot from, ReplicaState& replica_state, const ReplicaHead& head) {
  if (head.sequence == 0 && replica_state.stream != head.stream) {
    replica_state.stream = head.stream;
    replica_state.next = 0;
    replica_state.asked.reset();
    replica_state.unheard.clear();
    replica_state.anew = true;
  }
  if (replica_state.stream == head.stream && head.sequence == replica_state.next) {
    ++replica_state.next;
    return true;
  }
  const bool patient =
      replica_state.asked && ticks_between(*replica_state.asked, needs_.next) < again_ticks;
  if (!patient) {
    replica_state.asked = needs_.next;
    answer(from, {head.cluster_id, head.stream, head.sequence, true});
  }
  return false;
}

void Replicas::forget_all_but_inputs(ReplicaState& replica_state) {
  ReplicaState anew{.cluster_id = replica_state.cluster_id,
                    .incarnation = replica_state.incarnation,
                    .stream = replica_state.stream,
                    .next = replica_state.next,
                    .received = needs_.next,
                    .detector = replica_state.detector};
  anew.sent = std::move(replica_state.sent);
  replica_state = std::move(anew);
}

void Replicas::answer(WorkerSlot to, const ReplicaAnswer& answer) {
  std::array<std::byte, 32> bytes;
  ByteWriter writer(bytes);
  const bool fits = put(writer, PeerKind::ReplicaAnswer) && walk_replica_answer(writer, answer);
  PERIGEE_ASSERT(fits, "the buffer is too small for the message");
  if (needs_.outputs.to_peer) needs_.outputs.to_peer(to, writer.written());
}

bool Replicas::receive(WorkerSlot from, ReplicaState& replica_state, ByteReader& reader) {
  while (!reader.at_end()) {
    ReplicaRecord kind{};
    if (!reader.enumerator(kind, ReplicaRecord::last)) return false;
    bool ok = false;
    switch (kind) {
      case ReplicaRecord::Log:
        ok = receive_log(replica_state, reader);
        break;
      case ReplicaRecord::Entry:
        ok = receive_entry(replica_state, reader);
        break;
      case ReplicaRecord::Left: {
        ReplicaLeft left;
        State state;
        ok = walk_replica_left(reader, left) && read_state(reader, left.state_bytes, state) &&
             state != nullptr && replica_state.logs.contains(left.incarnation);
        if (ok) replica_state.logs[left.incarnation].finals[left.group] = state;
        break;
      }
      case ReplicaRecord::Outcome: {
        OutcomeRow row;
        ok = walk_outcome_row(reader, row) &&
             replica_state.outcomes.size() < Core::outcomes_waiting_max &&
             (replica_state.outcomes.empty() || replica_state.outcomes.back().number < row.number);
        if (ok) replica_state.outcomes.push_back(row);
        break;
      }
      case ReplicaRecord::Note: {
        MailboxEntry note;
        ok = walk_note(reader, note);
        if (ok) note.apply(replica_state.mailbox);
        break;
      }
      case ReplicaRecord::Stored: {
        std::uint64_t number = 0;
        ok = reader.number(number);
        forget_outcome(replica_state, number);
        break;
      }
      case ReplicaRecord::Hinges:
        ok = receive_hinges(replica_state, reader);
        break;
      case ReplicaRecord::MessageNote:
        ok = receive_message_note(replica_state, reader);
        break;
      case ReplicaRecord::LastingNote:
        ok = receive_lasting_note(replica_state, reader);
        break;
      case ReplicaRecord::Tick:
        ok = receive_tick(from, replica_state, reader);
        break;
    }
    if (!ok) return false;
  }
  return true;
}

void Replicas::forget_outcome(ReplicaState& replica_state, std::uint64_t number) {
  const auto found =
      std::lower_bound(replica_state.outcomes.begin(), replica_state.outcomes.end(), number,
                       [](const OutcomeRow& row, std::uint64_t n) { return row.number < n; });
  if (found != replica_state.outcomes.end() && found->number == number)
    replica_state.outcomes.erase(found);
}

bool Replicas::read_state(ByteReader& reader, std::uint32_t size, State& out) {
  std::span<const std::byte> bytes;
  if (!reader.view(bytes, size)) return false;
  out = size == 0 ? nullptr
                  : std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  return true;
}

bool Replicas::receive_log(ReplicaState& replica_state, ByteReader& reader) {
  ReplicaLog head;
  if (!walk_replica_log(reader, head)) return false;
  Migrations::TakenOverLog log{.epoch = head.epoch, .ledger = {}, .finals = {}, .taken = {}};
  log.ledger.entries = head.entries;
  for (std::uint32_t i = 0; i < head.groups; ++i) {
    migration::GroupId root = 0;
    migration::Group group;
    if (!walk_replica_group(reader, root, group)) return false;
    log.ledger.put(root, std::move(group));
  }
  replica_state.logs[head.incarnation] = std::move(log);
  return true;
}

bool Replicas::receive_entry(ReplicaState& replica_state, ByteReader& reader) {
  ReplicaEntry record;
  State state;
  if (!walk_replica_entry(reader, record) || !read_state(reader, record.state_bytes, state)) {
    return false;
  }
  const auto& entry = record.entry;
  const auto log = replica_state.logs.find(record.incarnation);
  if (log == replica_state.logs.end()) return false;
  log->second.ledger.apply(entry);
  const bool goes_on = entry.kind == migration::EntryKind::Resume;
  if (entry.kind == migration::EntryKind::Take && state != nullptr) {
    log->second.taken[entry.group] = state;
  } else if (goes_on || entry.kind == migration::EntryKind::Gone) {
    const auto final = log->second.finals.extract(entry.group);
    if (goes_on && final) log->second.taken[entry.group] = final.mapped();
  }
  return true;
}

bool Replicas::receive_hinges(ReplicaState& replica_state, ByteReader& reader) {
  std::span<const std::byte> bytes;
  if (!walk_sized<std::uint32_t>(reader, bytes)) return false;
  ByteReader inside(bytes);
  replica_state.hinges.clear();
  while (!inside.at_end() && replica_state.hinges.size() < hinges_max) {
    if (!world::walk_hinge(inside, replica_state.hinges.emplace_back())) return false;
  }
  return inside.at_end();
}

bool Replicas::receive_message_note(ReplicaState& replica_state, ByteReader& reader) {
  std::span<const std::byte> bytes;
  if (!walk_sized<std::uint32_t>(reader, bytes)) return false;
  const auto note = read_whole<MessageNote>(
      bytes, [](ByteReader& inside, MessageNote& out) { return walk_message_note(inside, out); });
  return note && note->apply(replica_state.messages);
}

bool Replicas::receive_lasting_note(ReplicaState& replica_state, ByteReader& reader) {
  std::span<const std::byte> bytes;
  if (!walk_sized<std::uint32_t>(reader, bytes)) return false;
  const auto note = read_whole<LastingNote>(
      bytes, [](ByteReader& inside, LastingNote& out) { return walk_lasting_note(inside, out); });
  if (note) note->apply(replica_state.lasting);
  return note.has_value();
}

// Last record of a message: all records before it belong to that tick, and so do its ghosts.
bool Replicas::receive_tick(WorkerSlot from, ReplicaState& replica_state, ByteReader& reader) {
  ReplicaTick tick;
  if (!walk_replica_tick(reader, tick)) return false;
  std::span<const std::byte> players;
  if (!reader.view(players, reader.remaining())) return false;
  replica_state.players.assign(players.begin(), players.end());
  replica_state.tick = tick;
  replica_state.detector.note_gap(ticks_between(replica_state.received, needs_.next));
  replica_state.received = needs_.next;
  replica_state.suspected.reset();
  replica_state.link_lost = false;
  forget_the_silent(replica_state);
  if (!needs_.knows_all_of(from, tick.tick)) return true;
  for (auto& [incarnation, log] : replica_state.logs) log.taken.clear();
  answer(from, {replica_state.cluster_id, *replica_state.stream, replica_state.next - 1, false});
  return true;
}

bool Replicas::succeeds(WorkerSlot slot) const {
  const WorkerEntry* worker = needs_.cluster.map().worker(slot);
  return replica_states_.contains(slot) && worker != nullptr &&
         worker->standby == needs_.cluster.self() && worker->standby_in_sync;
}

// ---- inputs from gateways

void Replicas::on_input(WorkerSlot owner, const InputRecord& record) {
  const auto replica_state = replica_states_.find(owner);
  if (replica_state == replica_states_.end()) return needs_.counts.add(metric.drop_unknown_session);
  if (!read_control(record.frame, frame_, *needs_.settings.inputs.own))
    return needs_.counts.add(metric.drop_malformed);
  auto& sent = replica_state->second.sent;
  const bool known = sent.contains(record.session);
  if (!known && sent.size() >= needs_.settings.players_max) {
    return needs_.counts.add(metric.drop_unknown_session);
  }
  sent[record.session].add(frame_, needs_.next);
}

/// Drops the inputs of players that are at another worker by now, or gone.
void Replicas::forget_the_silent(ReplicaState& replica_state) const {
  std::erase_if(replica_state.sent, [&](const auto& each) {
    return ticks_between(each.second.received(), needs_.next) >
           static_cast<std::int32_t>(SentInputs::kept_ticks);
  });
}

// ---- failure detection

void Replicas::on_link_lost(WorkerSlot with) {
  const auto replica_state = replica_states_.find(with);
  if (replica_state == replica_states_.end()) return;
  replica_state->second.link_lost = true;
  replica_state->second.suspected = needs_.next;
  if (needs_.outputs.report_now) needs_.outputs.report_now();
}

std::vector<WorkerIncarnation> Replicas::suspects() const {
  std::vector<WorkerIncarnation> out;
  for (const auto& [slot, replica_state] : replica_states_) {
    if (replica_state.suspected) out.push_back({slot, replica_state.incarnation});
  }
  return out;
}

void Replicas::watch() {
  const Tick now = needs_.next;
  bool news = false;
  for (auto& [slot, replica_state] : replica_states_) {
    if (!replica_state.tick) continue;
    const bool stands = replica_state.link_lost || ticks_between(replica_state.received, now) >
                                                       replica_state.detector.stall_ticks();
    const bool reported = replica_state.suspected &&
                          ticks_between(*replica_state.suspected, now) < suspect_again_ticks;
    if (!stands || reported) continue;
    replica_state.suspected = now;
    news = true;
  }
  if (news && needs_.outputs.report_now) needs_.outputs.report_now();
}

bool Replicas::has_profile_of(const JoinRecord& join) const {
  const std::uint64_t owner = profile_owner(join.account.player_id, join.client_id);
  return std::any_of(replica_states_.begin(), replica_states_.end(), [&](const auto& each) {
    const auto& rows = each.second.lasting.rows;
    return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
      return row.second.kind == LastingKind::Profile && row.second.owner == owner;
    });
  });
}

bool Replicas::suspect_has(std::uint64_t client_id) const {
  return std::any_of(replica_states_.begin(), replica_states_.end(), [&](const auto& each) {
    const ReplicaState& replica_state = each.second;
    if (!replica_state.suspected) return false;
    ByteReader reader(replica_state.players);
    std::span<const std::byte> bytes;
    while (walk_sized<std::uint32_t>(reader, bytes)) {
      if (client_of_replica(bytes) == client_id) return true;
    }
    return false;
  });
}

}  // namespace perigee::worker
