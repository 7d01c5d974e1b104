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

world::TellRefusal Broadcasts::send(std::span<const std::byte> message) {
  Log& log = logs_[needs_.self];
  const bool full = log.kept.size() >= kept_max;
  if (full || !is_message_size(message.size())) {
    needs_.counts.add(metric.broadcasts_refused);
    return full ? world::TellRefusal::Full : world::TellRefusal::Size;
  }
  MessageNote note{.kind = MessageRecord::Broadcast};
  note.broadcast = {needs_.self, log.newest + 1, MessageBytes(message.begin(), message.end())};
  keep(log, note.broadcast, needs_.durability.append_message(note));
  needs_.counts.add(metric.broadcasts_sent);
  return world::TellRefusal::None;
}

/// The next one of its sender: tells the own players.
void Broadcasts::keep(Log& log, Broadcast broadcast, std::uint64_t note) {
  log.newest = broadcast.number;
  for (Player& player : needs_.players) {
    if (player.npc()) continue;
    std::uint32_t& has = player.messages.state.broadcasts[broadcast.origin];
    if (has < broadcast.number) needs_.exchange.tell(player, broadcast);
  }
  log.kept.push_back({std::move(broadcast), needs_.next, note});
}

BroadcastsHeard Broadcasts::heard() const {
  BroadcastsHeard out;
  for (const auto& [origin, log] : logs_) out[origin] = log.newest;
  return out;
}

void Broadcasts::catch_up(Player& player) {
  if (player.npc()) return;
  for (const auto& [origin, log] : logs_) {
    for (const Kept& kept : log.kept) {
      const auto has = player.messages.state.broadcasts.find(origin);
      const bool lacks =
          has == player.messages.state.broadcasts.end() || has->second < kept.broadcast.number;
      if (lacks) needs_.exchange.tell(player, kept.broadcast);
    }
  }
  std::erase_if(player.messages.state.broadcasts, [&](const auto& each) {
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
  for (const Kept& kept : log.kept) {
    if (kept.broadcast.number <= std::max(receiver.sent, receiver.has)) continue;
    if (kept.note > needs_.durability.durable()) return;
    send_frame(worker, {.cluster_id = needs_.cluster.map().cluster_id,
                        .answer = false,
                        .oldest = log.kept.front().broadcast.number,
                        .broadcast = kept.broadcast});
    receiver.sent = kept.broadcast.number;
    receiver.sent_at = needs_.next;
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
    if (worker.block() == origin || !owns_a_region(needs_.cluster.map(), worker.slot)) continue;
    send_to(worker.slot, log.receivers[worker.block()], log);
  }
}

void Broadcasts::drop_old(HandleBlock origin, Log& log) {
  const bool ours = sends(origin);
  while (!log.kept.empty()) {
    const Kept& oldest = log.kept.front();
    const std::int32_t age_ticks = ticks_between(oldest.since, needs_.next);
    const bool done = !ours || all_have(log, oldest.broadcast.number);
    if (age_ticks < (done ? kept_ticks : unanswered_ticks_max)) return;
    if (ours) {
      MessageNote note{.kind = MessageRecord::BroadcastGone};
      note.broadcast = {origin, oldest.broadcast.number, {}};
      needs_.durability.append_message(note);
    }
    log.kept.pop_front();
  }
}

void Broadcasts::after_tick() {
  for (auto& [origin, log] : logs_) {
    if (needs_.outputs.to_peer && sends(origin)) send_log(origin, log);
    drop_old(origin, log);
  }
  std::erase_if(logs_, [&](const auto& each) {
    return each.second.kept.empty() && !needs_.ownership.worker_of(each.first);
  });
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
  if (needs_.ownership.worker_of(broadcast.origin) != from)
    return needs_.counts.add(metric.drop_unknown_sender);
  Log& log = logs_[broadcast.origin];
  // Older ones were sent before this worker began, or for longer than any worker lives unanswered.
  log.newest = std::max(log.newest, frame.oldest - 1);
  if (broadcast.number == log.newest + 1 && is_message_size(broadcast.bytes.size())) {
    keep(log, broadcast, 0);
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
  receiver.has = std::max(receiver.has, frame.broadcast.number);
}

// ---- ended incarnations

void Broadcasts::take_over(const MessageLogs& logs) {
  for (const auto& [origin, broadcasts] : logs.broadcasts) {
    Log& log = logs_[origin];
    log.receivers.clear();
    if (!broadcasts.empty()) log.newest = std::max(log.newest, broadcasts.begin()->first - 1);
    for (const auto& [number, bytes] : broadcasts) {
      MessageNote note{.kind = MessageRecord::Broadcast, .broadcast = {origin, number, bytes}};
      const std::uint64_t durable_as = needs_.durability.append_message(note);
      const auto known = std::find_if(log.kept.begin(), log.kept.end(), [&](const Kept& kept) {
        return kept.broadcast.number == number;
      });
      if (known != log.kept.end()) known->note = durable_as;
      if (number == log.newest + 1) keep(log, std::move(note.broadcast), durable_as);
    }
  }
}

void Broadcasts::for_each_note(const std::function<void(const MessageNote&)>& visit) const {
  for (const auto& [origin, log] : logs_) {
    if (!sends(origin)) continue;
    for (const Kept& kept : log.kept) {
      visit({.kind = MessageRecord::Broadcast, .broadcast = kept.broadcast});
    }
  }
}

}  // namespace perigee::worker
