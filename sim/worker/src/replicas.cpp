#include "replicas.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ghost_wire.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/world/codec.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t hinges_max = 4096;

}  // namespace

// Records between two ticks take effect with the second one. Otherwise the replica could have what
// one player lost, and not what another got for it.
void Replicas::on_words(WorkerSlot from, std::span<const std::byte> bytes, bool whole) {
  ByteReader reader(bytes);
  ReplicaHead head;
  if (!walk_replica_head(reader, head)) return needs_.counts.add(metric.drop_malformed);
  if (!needs_.cluster.is_peer(from, head.life, head.incarnation))
    return needs_.counts.add(metric.drop_unknown_sender);
  Ward& ward = wards_[from];
  if (ward.life != head.life || ward.incarnation != head.incarnation) {
    ward = {.incarnation = head.incarnation, .life = head.life, .heard = needs_.next};
  }
  if (!in_order(from, ward, head)) return;
  const auto records = bytes.subspan(reader.position());
  ward.unheard.insert(ward.unheard.end(), records.begin(), records.end());
  if (!whole && ward.unheard.size() <= unheard_bytes_max) return;
  const std::vector<std::byte> all = std::exchange(ward.unheard, {});
  ByteReader of_tick(all);
  // Until the new stream is complete, the state of the former one is the durable state (rule R4).
  if (whole && std::exchange(ward.anew, false)) forget_all_but_inputs(ward);
  if (whole && hear(from, ward, of_tick)) return;
  needs_.counts.add(metric.drop_malformed);
  ward.stream.reset();
  answer(from, {head.incarnation, head.stream, head.sequence, true});
}

bool Replicas::in_order(WorkerSlot from, Ward& ward, const ReplicaHead& head) {
  if (head.sequence == 0 && ward.stream != head.stream) {
    ward.stream = head.stream;
    ward.next = 0;
    ward.asked.reset();
    ward.unheard.clear();
    ward.anew = true;
  }
  if (ward.stream == head.stream && head.sequence == ward.next) {
    ++ward.next;
    return true;
  }
  const bool patient = ward.asked && ticks_between(*ward.asked, needs_.next) < again_ticks;
  if (!patient) {
    ward.asked = needs_.next;
    answer(from, {head.incarnation, head.stream, head.sequence, true});
  }
  return false;
}

void Replicas::forget_all_but_inputs(Ward& ward) {
  Ward anew{.incarnation = ward.incarnation,
            .life = ward.life,
            .stream = ward.stream,
            .next = ward.next,
            .heard = needs_.next,
            .detector = ward.detector};
  anew.sent = std::move(ward.sent);
  ward = std::move(anew);
}

void Replicas::answer(WorkerSlot to, const ReplicaAnswer& answer) {
  std::array<std::byte, 32> bytes;
  ByteWriter writer(bytes);
  const bool fits = put(writer, PeerKind::ReplicaAnswer) && walk_replica_answer(writer, answer);
  PERIGEE_ASSERT(fits, "the buffer is too small for the message");
  if (needs_.outputs.to_peer) needs_.outputs.to_peer(to, writer.written());
}

bool Replicas::hear(WorkerSlot from, Ward& ward, ByteReader& reader) {
  while (!reader.at_end()) {
    ReplicaRecord kind{};
    if (!reader.enumerator(kind, ReplicaRecord::last)) return false;
    bool ok = false;
    switch (kind) {
      case ReplicaRecord::Log:
        ok = hear_log(ward, reader);
        break;
      case ReplicaRecord::Entry:
        ok = hear_entry(ward, reader);
        break;
      case ReplicaRecord::Left: {
        Life life = 0;
        handoff::GroupId group = 0;
        State state;
        ok = reader.number(life) && reader.number(group) && read_state(reader, state) &&
             state != nullptr && ward.logs.contains(life);
        if (ok) ward.logs[life].finals[group] = state;
        break;
      }
      case ReplicaRecord::Outcome: {
        OutcomeRow row;
        ok = walk_outcome_row(reader, row) && ward.outcomes.size() < Core::outcomes_waiting_max &&
             (ward.outcomes.empty() || ward.outcomes.back().number < row.number);
        if (ok) ward.outcomes.push_back(row);
        break;
      }
      case ReplicaRecord::Note: {
        PostNote note;
        ok = walk_note(reader, note);
        if (ok) note.apply(ward.post);
        break;
      }
      case ReplicaRecord::Stored: {
        std::uint64_t number = 0;
        ok = reader.number(number);
        forget_outcome(ward, number);
        break;
      }
      case ReplicaRecord::Hinges:
        ok = hear_hinges(ward, reader);
        break;
      case ReplicaRecord::Tick:
        ok = hear_tick(from, ward, reader);
        break;
    }
    if (!ok) return false;
  }
  return true;
}

void Replicas::forget_outcome(Ward& ward, std::uint64_t number) {
  const auto found =
      std::lower_bound(ward.outcomes.begin(), ward.outcomes.end(), number,
                       [](const OutcomeRow& row, std::uint64_t n) { return row.number < n; });
  if (found != ward.outcomes.end() && found->number == number) ward.outcomes.erase(found);
}

bool Replicas::read_state(ByteReader& reader, State& out) {
  std::uint32_t size = 0;
  std::span<const std::byte> bytes;
  if (!reader.number(size) || !reader.view(bytes, size)) return false;
  out = size == 0 ? nullptr
                  : std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  return true;
}

bool Replicas::hear_log(Ward& ward, ByteReader& reader) {
  Life life = 0;
  std::uint32_t count = 0;
  Handoffs::Inheritance log;
  if (!reader.number(life) || !reader.number(log.epoch) || !reader.number(log.ledger.entries) ||
      !reader.number(count)) {
    return false;
  }
  for (; count > 0; --count) {
    handoff::GroupId root = 0;
    handoff::Group<HandoffTraits> group;
    if (!reader.number(root) || !walk_log_group(reader, group)) return false;
    log.ledger.put(root, std::move(group));
  }
  ward.logs[life] = std::move(log);
  return true;
}

bool Replicas::hear_entry(Ward& ward, ByteReader& reader) {
  Life life = 0;
  Entry entry;
  State state;
  if (!reader.number(life) || !walk_log_entry(reader, entry) || !read_state(reader, state)) {
    return false;
  }
  const auto log = ward.logs.find(life);
  if (log == ward.logs.end()) return false;
  log->second.ledger.apply(entry);
  const bool goes_on = entry.kind == handoff::EntryKind::Resume;
  if (entry.kind == handoff::EntryKind::Take && state != nullptr) {
    log->second.taken[entry.group] = state;
  } else if (goes_on || entry.kind == handoff::EntryKind::Gone) {
    const auto final = log->second.finals.extract(entry.group);
    if (goes_on && final) log->second.taken[entry.group] = final.mapped();
  }
  return true;
}

bool Replicas::hear_hinges(Ward& ward, ByteReader& reader) {
  std::uint32_t size = 0;
  std::span<const std::byte> bytes;
  if (!reader.number(size) || !reader.view(bytes, size)) return false;
  ByteReader inside(bytes);
  ward.hinges.clear();
  while (!inside.at_end() && ward.hinges.size() < hinges_max) {
    if (!world::walk_hinge(inside, ward.hinges.emplace_back())) return false;
  }
  return inside.at_end();
}

// Last record of a message: all records before it belong to that tick, and so do its ghosts.
bool Replicas::hear_tick(WorkerSlot from, Ward& ward, ByteReader& reader) {
  ReplicaTick tick;
  if (!walk_replica_tick(reader, tick)) return false;
  std::span<const std::byte> players;
  if (!reader.view(players, reader.remaining())) return false;
  ward.players.assign(players.begin(), players.end());
  ward.tick = tick;
  ward.detector.note_gap(ticks_between(ward.heard, needs_.next));
  ward.heard = needs_.next;
  ward.suspected.reset();
  ward.link_lost = false;
  forget_the_silent(ward);
  if (!needs_.knows_all_of(from, tick.tick)) return true;
  for (auto& [life, log] : ward.logs) log.taken.clear();
  answer(from, {ward.incarnation, *ward.stream, ward.next - 1, false});
  return true;
}

bool Replicas::succeeds(WorkerSlot slot) const {
  const WorkerEntry* worker = needs_.cluster.map().worker(slot);
  return wards_.contains(slot) && worker != nullptr && worker->buddy == needs_.cluster.self() &&
         worker->buddy_in_sync;
}

// ---- inputs from gateways

void Replicas::on_input(WorkerSlot owner, const InputRecord& record) {
  const auto ward = wards_.find(owner);
  if (ward == wards_.end()) return needs_.counts.add(metric.drop_unknown_session);
  ControlFrame frame;
  if (!read_control(record.frame, frame)) return needs_.counts.add(metric.drop_malformed);
  auto& sent = ward->second.sent;
  const bool known = sent.contains(record.session);
  if (!known && sent.size() >= needs_.settings.players_max) {
    return needs_.counts.add(metric.drop_unknown_session);
  }
  sent[record.session].add(frame, needs_.next);
}

/// Drops the inputs of players that are at another worker by now, or gone.
void Replicas::forget_the_silent(Ward& ward) const {
  std::erase_if(ward.sent, [&](const auto& each) {
    return ticks_between(each.second.heard(), needs_.next) >
           static_cast<std::int32_t>(SentInputs::kept_ticks);
  });
}

// ---- failure detection

void Replicas::on_link_lost(WorkerSlot with) {
  const auto ward = wards_.find(with);
  if (ward == wards_.end()) return;
  ward->second.link_lost = true;
  ward->second.suspected = needs_.next;
  if (needs_.outputs.report_now) needs_.outputs.report_now();
}

std::vector<WorkerLife> Replicas::suspects() const {
  std::vector<WorkerLife> out;
  for (const auto& [slot, ward] : wards_) {
    if (ward.suspected) out.push_back({slot, ward.life});
  }
  return out;
}

void Replicas::watch() {
  const Tick now = needs_.next;
  bool news = false;
  for (auto& [slot, ward] : wards_) {
    if (!ward.tick) continue;
    const bool stands =
        ward.link_lost || ticks_between(ward.heard, now) > ward.detector.stall_ticks();
    const bool said = ward.suspected && ticks_between(*ward.suspected, now) < suspect_again_ticks;
    if (!stands || said) continue;
    ward.suspected = now;
    news = true;
  }
  if (news && needs_.outputs.report_now) needs_.outputs.report_now();
}

bool Replicas::suspect_has(std::uint64_t client_id) const {
  return std::any_of(wards_.begin(), wards_.end(), [&](const auto& each) {
    const Ward& ward = each.second;
    if (!ward.suspected) return false;
    ByteReader reader(ward.players);
    for (std::uint32_t size = 0; reader.number(size);) {
      std::span<const std::byte> bytes;
      if (!reader.view(bytes, size)) return false;
      ByteReader inside(bytes);
      SessionId session = 0;
      std::uint64_t client = 0;
      if (inside.number(session) && inside.number(client) && client == client_id) return true;
    }
    return false;
  });
}

}  // namespace perigee::worker
