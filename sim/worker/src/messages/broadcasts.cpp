#include "messages/broadcasts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ghosts/ghost_wire.hpp"

namespace perigee::worker {
namespace {

constexpr std::size_t broadcast_frame_bytes_max = 32 + message_bytes_max;

/// A worker without a region has no players, or they leave it, and get what they lack elsewhere.
bool owns_a_region(const ClusterMap& map, WorkerSlot worker) {
  return std::any_of(map.regions.begin(), map.regions.end(),
                     [&](const RegionEntry& region) { return region.owner == worker; });
}

}  // namespace

// Of the last seconds, so a worker that does not answer takes no room from later ones.
bool Broadcasts::over_rate(const Log& log, Handle speaker) const {
  std::size_t all = 0, of_speakers = 0, of_speaker = 0;
  for (const Kept& kept : log.kept) {
    if (ticks_between(kept.since, needs_.next) >= rate_ticks) continue;
    ++all;
    if (kept.speaker != no_entity) ++of_speakers;
    if (kept.speaker == speaker) ++of_speaker;
  }
  if (speaker == no_entity) return all >= rate_max;
  return all >= rate_max || of_speakers >= speakers_rate_max || of_speaker >= speaker_rate_max;
}

world::TellRefusal Broadcasts::send(std::span<const std::byte> message, Handle speaker) {
  Log& log = logs_[needs_.self];
  const bool full = log.kept.size() >= kept_max || over_rate(log, speaker);
  if (full || !is_message_size(message.size())) {
    needs_.counts.add(metric.broadcasts_refused);
    return full ? world::TellRefusal::Full : world::TellRefusal::Size;
  }
  MessageNote note{.kind = MessageRecord::Broadcast};
  note.broadcast = {needs_.self, log.newest + 1, MessageBytes(message.begin(), message.end())};
  const std::uint64_t durable_as = needs_.durability.append_message(note);
  keep(log, {std::move(note.broadcast), needs_.next, durable_as, speaker});
  needs_.counts.add(metric.broadcasts_sent);
  return world::TellRefusal::None;
}

/// The next one of its sender, which has been noted: tells the own players.
void Broadcasts::keep(Log& log, Kept kept) {
  const Broadcast& broadcast = kept.broadcast;
  log.newest = broadcast.number;
  log.last = needs_.next;
  for (Player& player : needs_.players) {
    if (player.npc()) continue;
    const auto has = player.messages.state.broadcasts.find(broadcast.origin);
    if (has != player.messages.state.broadcasts.end() && has->second >= broadcast.number) continue;
    needs_.exchange.tell(player, broadcast);
  }
  log.kept.push_back(std::move(kept));
}

BroadcastsHeard Broadcasts::heard() const {
  BroadcastsHeard out;
  for (const auto& [origin, log] : logs_) out[origin] = log.newest;
  return out;
}

void Broadcasts::catch_up(Player& player) {
  if (player.npc()) return;
  for (const auto& [origin, log] : logs_) {
    const auto& heard = player.messages.state.broadcasts;
    const auto has = heard.find(origin);
    const std::optional<std::uint32_t> newest =
        has != heard.end() ? std::optional(has->second) : std::nullopt;
    if (newest && !log.kept.empty() && log.kept.front().broadcast.number > *newest + 1) {
      needs_.counts.add(metric.broadcasts_missed, log.kept.front().broadcast.number - *newest - 1);
    }
    for (const Kept& kept : log.kept) {
      if (!newest || *newest < kept.broadcast.number) needs_.exchange.tell(player, kept.broadcast);
    }
  }
}

void Broadcasts::forget_ended(BroadcastsHeard& heard) const {
  std::erase_if(heard, [&](const auto& each) {
    return !logs_.contains(each.first) && !needs_.ownership.worker_of(each.first);
  });
}

// ---- to other workers

/// It is our own, or that of an incarnation that this worker has taken over.
bool Broadcasts::sends(HandleBlock origin) const {
  return needs_.ownership.worker_of(origin) == needs_.cluster.self();
}

void Broadcasts::send_frame(WorkerSlot to, const BroadcastFrame& frame) {
  std::array<std::byte, broadcast_frame_bytes_max> buffer;
  ByteWriter writer(buffer);
  const bool fits = put(writer, PeerKind::Broadcast) && walk_broadcast_frame(writer, frame);
  PERIGEE_ASSERT(fits, "broadcast_frame_bytes_max is too small for the frame");
  needs_.outputs.to_peer(to, writer.written());
}

void Broadcasts::send_to(WorkerSlot worker, Receiver& receiver, const Log& log) {
  if (receiver.has < receiver.sent &&
      ticks_between(receiver.sent_at, needs_.next) >= resend_ticks) {
    receiver.sent = receiver.has;
  }
  receiver.sent = std::max(receiver.sent, receiver.has);
  for (const Kept& kept : log.kept) {
    if (kept.broadcast.number <= receiver.sent) continue;
    if (kept.note > needs_.durability.durable()) return;
    if (receiver.sent == receiver.has) receiver.sent_at = needs_.next;
    send_frame(worker, {.cluster_id = needs_.cluster.map().cluster_id,
                        .answer = false,
                        .oldest = log.kept.front().broadcast.number,
                        .broadcast = kept.broadcast});
    receiver.sent = kept.broadcast.number;
  }
}

bool Broadcasts::all_have(const Log& log, std::uint32_t number) const {
  for (const WorkerEntry& worker : needs_.cluster.map().workers) {
    if (!worker.alive || worker.slot == needs_.cluster.self()) continue;
    if (!owns_a_region(needs_.cluster.map(), worker.slot)) continue;
    const auto receiver = log.receivers.find(worker.block());
    if (receiver == log.receivers.end() || receiver->second.has < number) return false;
  }
  return true;
}

void Broadcasts::send_log(HandleBlock origin, Log& log) {
  if (log.kept.empty()) return;
  std::erase_if(log.receivers,
                [&](const auto& each) { return !needs_.ownership.worker_of(each.first); });
  for (const WorkerEntry& worker : needs_.cluster.map().workers) {
    if (!worker.alive || worker.slot == needs_.cluster.self()) continue;
    if (worker.block() == origin) continue;
    send_to(worker.slot, log.receivers[worker.block()], log);
  }
}

void Broadcasts::drop_old(HandleBlock origin, Log& log) {
  const bool ours = sends(origin);
  while (!log.kept.empty()) {
    const Kept& oldest = log.kept.front();
    const std::int32_t age_ticks = ticks_between(oldest.since, needs_.next);
    const bool done = ours && all_have(log, oldest.broadcast.number);
    if (age_ticks < (done ? rate_ticks : kept_ticks)) return;
    if (ours && !done) needs_.counts.add(metric.broadcasts_given_up);
    MessageNote note{.kind = MessageRecord::BroadcastGone};
    note.broadcast = {origin, oldest.broadcast.number, {}};
    needs_.durability.append_message(note);
    log.kept.pop_front();
  }
}

/// Nothing more can come of it, from itself or from a successor.
bool Broadcasts::ended(HandleBlock origin, const Log& log) const {
  if (!log.kept.empty() || origin == needs_.self) return false;
  if (!needs_.ownership.worker_of(origin)) return true;
  if (ticks_between(log.last, needs_.next) < forgotten_ticks) return false;
  const auto& workers = needs_.cluster.map().workers;
  return std::none_of(workers.begin(), workers.end(), [&](const WorkerEntry& worker) {
    return worker.alive && worker.block() == origin;
  });
}

void Broadcasts::forget_senders() {
  for (auto it = logs_.begin(); it != logs_.end();) {
    const HandleBlock origin = it->first;
    if (!ended(origin, it->second)) {
      ++it;
      continue;
    }
    MessageNote note{.kind = MessageRecord::SenderGone};
    note.broadcast.origin = origin;
    needs_.durability.append_message(note);
    for (Player& player : needs_.players) player.messages.state.broadcasts.erase(origin);
    it = logs_.erase(it);
  }
}

void Broadcasts::after_tick() {
  for (auto& [origin, log] : logs_) {
    if (needs_.outputs.to_peer && sends(origin)) send_log(origin, log);
    drop_old(origin, log);
  }
  forget_senders();
}

// ---- from other workers

void Broadcasts::on_peer(WorkerSlot from, std::span<const std::byte> bytes) {
  const auto frame = read_whole<BroadcastFrame>(bytes, [](ByteReader& reader, BroadcastFrame& out) {
    return walk_broadcast_frame(reader, out);
  });
  if (!frame || (!frame->answer && frame->oldest == 0))
    return needs_.counts.add(metric.drop_malformed);
  const bool known =
      from != needs_.cluster.self() && frame->cluster_id == needs_.cluster.map().cluster_id;
  if (!known) return needs_.counts.add(metric.drop_unknown_sender);
  return frame->answer ? on_answer(from, *frame) : on_broadcast(from, *frame);
}

void Broadcasts::on_broadcast(WorkerSlot from, const BroadcastFrame& frame) {
  const Broadcast& broadcast = frame.broadcast;
  const bool room = logs_.contains(broadcast.origin) || logs_.size() < broadcasts_heard_max;
  if (needs_.ownership.worker_of(broadcast.origin) != from || !room)
    return needs_.counts.add(metric.drop_unknown_sender);
  Log& log = logs_[broadcast.origin];
  log.last = needs_.next;
  // Older ones were sent before this worker began, or for longer than any worker lives unanswered.
  log.newest = std::max(log.newest, frame.oldest - 1);
  if (broadcast.number == log.newest + 1 && is_message_size(broadcast.bytes.size())) {
    // Without an answer the sender repeats it, when older ones may be gone.
    if (log.kept.size() >= kept_max) return needs_.counts.add(metric.broadcasts_held_back);
    needs_.durability.append_message(
        MessageNote{.kind = MessageRecord::BroadcastKept, .broadcast = broadcast});
    keep(log, {broadcast, needs_.next});
  }
  send_frame(from, {.cluster_id = needs_.cluster.map().cluster_id,
                    .answer = true,
                    .oldest = 0,
                    .broadcast = {broadcast.origin, log.newest, {}}});
}

void Broadcasts::on_answer(WorkerSlot from, const BroadcastFrame& frame) {
  const auto log = logs_.find(frame.broadcast.origin);
  const WorkerEntry* worker = needs_.cluster.map().worker(from);
  if (log == logs_.end() || worker == nullptr || !sends(frame.broadcast.origin)) return;
  if (frame.broadcast.number > log->second.newest) return needs_.counts.add(metric.drop_malformed);
  Receiver& receiver = log->second.receivers[worker->block()];
  if (frame.broadcast.number <= receiver.has) return;
  receiver.has = frame.broadcast.number;
  receiver.sent_at = needs_.next;
}

// ---- ended incarnations

void Broadcasts::take_over(const MessageLogs& logs) {
  for (const auto& [origin, broadcasts] : logs.broadcasts) {
    const bool sent_there = std::any_of(broadcasts.begin(), broadcasts.end(),
                                        [](const auto& each) { return each.second.sent_here; });
    if (sent_there) merge(logs_[origin], origin, logs);
  }
}

/// This worker, as a receiver, may have dropped some already, and may not have got others.
void Broadcasts::merge(Log& log, HandleBlock origin, const MessageLogs& logs) {
  log.receivers.clear();
  std::map<std::uint32_t, Kept> known;
  for (Kept& kept : log.kept) known.emplace(kept.broadcast.number, std::move(kept));
  log.kept.clear();
  const auto& broadcasts = logs.broadcasts.at(origin);
  log.newest = std::max(log.newest, broadcasts.begin()->first - 1);
  std::deque<Kept> unknown;
  for (const auto& [number, there] : broadcasts) {
    MessageNote note{.kind = MessageRecord::Broadcast, .broadcast = {origin, number, there.bytes}};
    const std::uint64_t durable_as = needs_.durability.append_message(note);
    Kept kept{std::move(note.broadcast), needs_.next, durable_as};
    if (number <= log.newest) {
      known.insert_or_assign(number, std::move(kept));
    } else {
      unknown.push_back(std::move(kept));
    }
  }
  for (auto& [number, kept] : known) log.kept.push_back(std::move(kept));
  for (Kept& kept : unknown) {
    if (kept.broadcast.number == log.newest + 1) keep(log, std::move(kept));
  }
  log.last = needs_.next;
}

void Broadcasts::for_each_note(const std::function<void(const MessageNote&)>& visit) const {
  for (const auto& [origin, log] : logs_) {
    const auto kind = sends(origin) ? MessageRecord::Broadcast : MessageRecord::BroadcastKept;
    for (const Kept& kept : log.kept) visit({.kind = kind, .broadcast = kept.broadcast});
  }
}

}  // namespace perigee::worker
