#include "perigee/peers/core.hpp"

#include <algorithm>
#include <utility>

#include "perigee/base/assert.hpp"

namespace perigee::peers {

Core::Core(Sockets& sockets, Events events) : sockets_(sockets), events_(std::move(events)) {}

void Core::on_map(Micros now_us, const ClusterMap& map, WorkerSlot self) {
  const WorkerEntry* own = map.worker(self);
  const Incarnation incarnation = own != nullptr ? own->incarnation : Incarnation{};
  const bool same_self =
      map.cluster_id == cluster_id_ && self == self_ && incarnation == incarnation_;
  cluster_id_ = map.cluster_id;
  self_ = self;
  incarnation_ = incarnation;
  std::map<WorkerSlot, const WorkerEntry*> wanted;
  for (const WorkerEntry& worker : map.workers) {
    // Workers without regions are linked, too: they may own entities elsewhere, or get regions
    // soon.
    const bool other = own != nullptr && worker.slot != self && worker.alive;
    if (other) wanted.emplace(worker.slot, &worker);
  }
  std::vector<WorkerSlot> gone;
  for (const auto& [slot, peer] : peers_) {
    const auto found = wanted.find(slot);
    const bool same = same_self && found != wanted.end() &&
                      found->second->incarnation == peer.incarnation &&
                      found->second->fabric == peer.at;
    if (!same) gone.push_back(slot);
  }
  for (const WorkerSlot slot : gone) forget(now_us, slot);
  for (const auto& [slot, worker] : wanted) {
    const auto [at, is_new] = peers_.try_emplace(slot);
    if (is_new)
      at->second = {.incarnation = worker->incarnation, .at = worker->fabric, .dial_at_us = now_us};
  }
  dial_due(now_us);
}

/// Also drops every connection with that worker.
void Core::forget(Micros now_us, WorkerSlot slot) {
  std::vector<ConnectionId> its;
  for (const auto& [id, wire] : wires_) {
    if (wire.stage != Stage::Accepted && wire.peer == slot) its.push_back(id);
  }
  for (const ConnectionId id : its) drop(now_us, id, metric.lost_unwanted);
  peers_.erase(slot);
}

void Core::drop(Micros now_us, ConnectionId id, Count why) {
  sockets_.close(id);
  gone(now_us, id, why);
}

void Core::gone(Micros now_us, ConnectionId id, Count why) {
  const auto found = wires_.find(id);
  PERIGEE_ASSERT(found != wires_.end(), "the connection has already ended");
  const WorkerSlot slot = found->second.peer;
  wires_.erase(found);
  counts_.add(why);
  const auto peer = peers_.find(slot);
  if (peer == peers_.end()) return;
  if (peer->second.dialled == id) {
    peer->second.dialled.reset();
    peer->second.dial_at_us = now_us + peer->second.redial_us;
    peer->second.redial_us = std::min(2 * peer->second.redial_us, redial_us_max);
  }
  if (peer->second.link == id) {
    peer->second.link.reset();
    peer->second.dial_at_us = now_us + redial_us_min;
    if (events_.lost) events_.lost(slot, why);
  }
}

void Core::on_closed(Micros now_us, ConnectionId id, const std::optional<End>& end) {
  const auto found = wires_.find(id);
  if (found == wires_.end()) return;
  const Stage stage = found->second.stage;
  const End by_peer{stage == Stage::Dialling ? metric.unreachable : metric.refused_by_peer,
                    metric.lost_closed};
  const End& why = end ? *end : by_peer;
  gone(now_us, id, stage == Stage::Linked ? why.lost : why.refused);
}

// While this process stalled, its peers do not count as silent.
void Core::forgive_own_stall(Micros now_us) {
  const Micros stalled_us = now_us - std::exchange(advanced_us_, now_us) - advance_us_max;
  if (stalled_us <= 0) return;
  for (auto& [id, wire] : wires_) {
    wire.received_us = std::min(now_us, wire.received_us + stalled_us);
    wire.began_us = std::min(now_us, wire.began_us + stalled_us);
  }
}

bool Core::expired(Micros now_us, const Wire& wire) const {
  return wire.stage == Stage::Linked ? now_us - wire.received_us > silence_us_max
                                     : now_us - wire.began_us > handshake_us_max;
}

void Core::advance(Micros now_us) {
  forgive_own_stall(now_us);
  std::vector<std::pair<ConnectionId, Count>> late;
  for (auto& [id, wire] : wires_) {
    const bool stands = wire.stage == Stage::Linked;
    if (expired(now_us, wire)) {
      late.emplace_back(id, stands ? metric.lost_silent : metric.refused_slow);
    } else if (stands && now_us - wire.sent_us >= beat_us) {
      send_beat(now_us, id, wire);
    }
  }
  for (const auto& [id, why] : late) drop(now_us, id, why);
  dial_due(now_us);
}

void Core::dial_due(Micros now_us) {
  for (auto& [slot, peer] : peers_) {
    const bool ours = self_ < slot;
    if (!ours || peer.link || peer.dialled || now_us < peer.dial_at_us) continue;
    const ConnectionId id = sockets_.dial(peer.at);
    peer.dialled = id;
    wires_[id] = {.stage = Stage::Dialling, .peer = slot, .began_us = now_us};
  }
}

void Core::send(Micros now_us, WorkerSlot to, std::span<const std::byte> message) {
  PERIGEE_ASSERT(!message.empty() && message.size() <= message_bytes_max,
                 "a message must have 1 to message_bytes_max bytes");
  const auto peer = peers_.find(to);
  if (peer == peers_.end() || !peer->second.link) return counts_.add(metric.words_unsent);
  const ConnectionId id = *peer->second.link;
  Wire& wire = wires_.at(id);
  if (sockets_.unsent_bytes(id) + wire.held.size() + message.size() > unsent_bytes_max) {
    counts_.add(metric.words_unsent);
    return drop(now_us, id, metric.lost_overflow);
  }
  counts_.add(metric.words_out);
  hold_message(wire, message);
  if (!holds_) send_held(now_us, id, wire);
}

void Core::hold() {
  PERIGEE_ASSERT(!holds_, "hold() without release() of the last hold");
  holds_ = true;
}

void Core::release(Micros now_us) {
  PERIGEE_ASSERT(holds_, "release() without hold()");
  holds_ = false;
  for (auto& [id, wire] : wires_) {
    if (!wire.held.empty()) send_held(now_us, id, wire);
  }
}

bool Core::linked(WorkerSlot with) const {
  const auto peer = peers_.find(with);
  return peer != peers_.end() && peer->second.link.has_value();
}

std::size_t Core::links() const {
  return static_cast<std::size_t>(std::count_if(
      peers_.begin(), peers_.end(), [](const auto& peer) { return peer.second.link.has_value(); }));
}

}  // namespace perigee::peers
