// The life cycle of sessions: connected, joined, left.
#include "perigee/gateway/core.hpp"

#include <algorithm>

#include "perigee/transport/user_data.hpp"

namespace perigee::gateway {
namespace {

transport::ServerSettings server_settings(const CoreSettings& settings) {
  transport::ServerSettings server = settings.transport;
  server.gateway_number = settings.slot.number;
  server.issue_of = transport::issue_of;
  return server;
}

Count count_of(transport::DisconnectReason reason) {
  switch (reason) {
    case transport::DisconnectReason::ByClient:
      return metric.sessions_left;
    case transport::DisconnectReason::TimedOut:
      return metric.sessions_timed_out;
    case transport::DisconnectReason::Replaced:
      return metric.sessions_replaced;
    case transport::DisconnectReason::ByServer:
      return metric.sessions_ended_by_gateway;
  }
  return metric.sessions_ended_by_gateway;
}

}  // namespace

Core::Core(const CoreSettings& settings, const transport::RandomBytes& random, Outputs& outputs)
    : settings_(settings),
      outputs_(outputs),
      links_(settings.slot,
             [this](const Address& to, std::span<const std::byte> datagram) {
               to_fabric(to, datagram);
             }),
      server_(server_settings(settings), random, *this),
      sessions_(settings.transport.clients_max),
      generations_(settings.transport.clients_max),
      due_(settings.transport.clients_max) {
  PERIGEE_ASSERT(settings.slot.index() < gateways_max, "settings.slot must be a gateway slot");
  PERIGEE_ASSERT(settings.coalesce_us >= 0 && settings.coalesce_us <= 20'000,
                 "coalesce_us must be 0 to 20000");
  PERIGEE_ASSERT(settings.payloads_per_flush_max >= 1 && settings.payloads_per_flush_max <= 16,
                 "payloads_per_flush_max must be 1 to 16");
  leaves_.reserve(settings.transport.clients_max);
  random(std::as_writable_bytes(std::span(generations_)));
}

void Core::on_map(Micros now_us, const ClusterMap& map) {
  if (map.cluster_id == map_.cluster_id && map.version < map_.version) return;
  // Workers of another cluster id know no session, even if slots and incarnations match.
  const bool reborn = map.cluster_id != map_.cluster_id;
  map_ = map;
  links_.on_map(map_);
  if (reborn) {
    received_.fill(std::nullopt);
    ended_.clear();
  }
  note_endings(now_us);
  note_gateways(now_us);
  end_sessions_of_other_games(now_us);
  for (Session& session : sessions_) {
    if (session.phase == Phase::Free || !session.has_worker) continue;
    if (!reborn && !worker_lost(session)) continue;
    if (!reborn && follow_successor(now_us, session)) continue;
    session.has_worker = false;
    if (session.phase == Phase::Playing) join_anew(now_us, session);
  }
}

void Core::advance(Micros now_us, std::uint64_t unix_s) {
  server_.advance(now_us, unix_s);
  handle_events(now_us);
  if (now_us >= next_housekeeping_us_) {
    next_housekeeping_us_ = now_us + housekeeping_period_us;
    if (server_.clients() > playing_) advance_joins(now_us);
    advance_leaves(now_us);
    advance_endings(now_us);
    advance_resumes(now_us);
    if (orders_open_) advance_orders(now_us);
    if (successors_asked_) give_up_successors(now_us);
    if (now_us >= next_search_us_) search_avatars(now_us);
  }
  for (auto slot = due_.front(); slot && sessions_[*slot].flush_at_us <= now_us;
       slot = due_.front()) {
    send_blocks(now_us, *slot);
  }
}

Micros Core::next_deadline() const {
  const auto slot = due_.front();
  return slot ? std::min(next_housekeeping_us_, sessions_[*slot].flush_at_us)
              : next_housekeeping_us_;
}

void Core::disconnect_all(Micros now_us) {
  closing_ = true;
  for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
    if (server_.connected(slot)) kick(now_us, slot);
  }
  closing_ = false;
  flush();
}

Snapshot Core::snapshot() const {
  return {.counts = counts_,
          .drops = drops_,
          .transport_drops = server_.drops(),
          .sessions = server_.clients(),
          .playing = playing_,
          .handshakes = server_.handshakes(),
          .leaving = static_cast<std::uint32_t>(leaves_.size())};
}

std::vector<Address> Core::client_addresses() const {
  std::vector<Address> addresses;
  for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
    if (server_.connected(slot)) addresses.push_back(server_.address(slot));
  }
  return addresses;
}

void Core::send(const Address& to, std::span<const std::byte> datagram) {
  counts_.add(metric.client_datagrams_sent);
  counts_.add(metric.client_bytes_sent, datagram.size());
  outputs_.to_client(to, datagram);
}

void Core::to_fabric(const Address& to, std::span<const std::byte> datagram) {
  counts_.add(metric.fabric_datagrams_sent);
  counts_.add(metric.fabric_bytes_sent, datagram.size());
  outputs_.to_fabric(to, datagram);
}

void Core::handle_events(Micros now_us) {
  while (const auto event = server_.take_event()) {
    ++client_changes_;
    switch (event->kind) {
      case transport::ServerEvent::Kind::Connected:
        start_session(now_us, *event);
        break;
      case transport::ServerEvent::Kind::Disconnected:
        end_session(now_us, *event);
        break;
      case transport::ServerEvent::Kind::Moved:
        counts_.add(metric.sessions_moved);
        break;
    }
  }
}

void Core::start_session(Micros now_us, const transport::ServerEvent& event) {
  counts_.add(metric.sessions_started);
  const auto pass = transport::read_user_data(event.user_data);
  if (!pass || pass->wire_version != wire_version) {
    drop(pass ? Drop::PassWrongVersion : Drop::PassMalformed);
    server_.disconnect(now_us, event.slot);
    return;
  }
  if (plays_another_game(pass->schema_hash)) {
    drop(Drop::PassOtherGame);
    server_.disconnect(now_us, event.slot);
    return;
  }
  Session& session = sessions_[event.slot];
  PERIGEE_ASSERT(session.phase == Phase::Free, "the session's slot is still in use");
  session = Session{};
  session.id = make_session(settings_.slot, next_generation(event.slot), event.slot);
  session.client_id = event.client_id;
  session.issue = pass->issue;
  session.schema_hash = pass->schema_hash;
  session.region = pass->home_region;
  session.reports = TelemetryCheck(now_us);
  begin_join(now_us, session, join_limit_us);
  send_join(now_us, session);
}

/// The client would misinterpret the workers' data.
bool Core::plays_another_game(std::uint64_t schema_hash) const {
  return schema_hash != 0 && map_.schema_hash != 0 && schema_hash != map_.schema_hash;
}

/// All workers were stopped, and the new ones run another game or another version of it.
void Core::end_sessions_of_other_games(Micros now_us) {
  for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
    const Session& session = sessions_[slot];
    if (session.phase == Phase::Free || !plays_another_game(session.schema_hash)) continue;
    counts_.add(metric.sessions_of_other_game);
    kick(now_us, slot);
  }
}

/// A restarted gateway must not reuse session ids, because workers may still have them for other
/// clients: the ids contain the second in which the process started.
std::uint32_t Core::next_generation(std::uint32_t slot) {
  constexpr std::uint32_t count_bits = 6;
  const auto started = static_cast<std::uint32_t>(settings_.transport.started_at_s);
  return started << count_bits | (++generations_[slot] & ((1U << count_bits) - 1));
}

void Core::end_session(Micros now_us, const transport::ServerEvent& event) {
  counts_.add(count_of(event.reason));
  Session& session = sessions_[event.slot];
  if (session.phase == Phase::Free) return;  // its pass was refused
  if (session.phase == Phase::Playing) --playing_;
  // Timed out or disconnected at shutdown: the client may come back. Replaced: it is back
  // already.
  const bool replaced = event.reason == transport::DisconnectReason::Replaced;
  const bool lost = event.reason == transport::DisconnectReason::TimedOut || closing_;
  if (session.has_worker) send_leave(now_us, session.id, session.worker, lost || replaced);
  if (!replaced) {
    outputs_.released(session.client_id, session.issue, lost ? Release::Lost : Release::Left);
  }
  due_.remove(event.slot);
  session.phase = Phase::Free;
}

void Core::kick(Micros now_us, std::uint32_t slot) {
  server_.disconnect(now_us, slot);
  handle_events(now_us);
}

void Core::send_leave(Micros now_us, SessionId session, WorkerSlot worker, bool lost) {
  if (!links_.reachable(worker)) return;
  links_.add(worker, LeaveRecord{session, lost});
  if (leaves_.size() == leaves_.capacity()) {
    counts_.add(metric.leaves_unanswered);
    leaves_.erase(leaves_.begin());  // the oldest has been sent most often
  }
  leaves_.push_back({session, worker, lost, 1, now_us + leave_period_us});
}

bool Core::leaving(SessionId session, WorkerSlot worker) const {
  return std::any_of(leaves_.begin(), leaves_.end(), [&](const Leave& leave) {
    return leave.session == session && leave.worker == worker;
  });
}

void Core::forget_leave(SessionId session, WorkerSlot worker) {
  std::erase_if(leaves_, [&](const Leave& leave) {
    return leave.session == session && leave.worker == worker;
  });
}

// The worker that was asked may have migrated the avatar to another one, which answers.
void Core::on_left(WorkerSlot worker, const LeftRecord& left) {
  const bool asked = leaving(left.session, worker);
  std::erase_if(leaves_, [&](const Leave& leave) {
    return leave.session == left.session && (leave.worker == worker || !asked);
  });
}

void Core::advance_leaves(Micros now_us) {
  std::erase_if(leaves_, [&](Leave& leave) {
    if (now_us < leave.next_us) return false;
    if (leave.sent == leaves_max || !links_.reachable(leave.worker)) {
      counts_.add(metric.leaves_unanswered);
      return true;
    }
    links_.add(leave.worker, LeaveRecord{leave.session, leave.lost});
    ++leave.sent;
    leave.next_us = now_us + leave_period_us;
    return false;
  });
}

}  // namespace perigee::gateway
