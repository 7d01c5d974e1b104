#include "perigee/host/tls_streams.hpp"

#include <algorithm>
#include <utility>

namespace perigee::host {
namespace {

constexpr std::size_t tls_record_bytes_max = 16'384;  // of plain text (RFC 8446, 5.1)

}  // namespace

TlsStreams::TlsStreams(Loop& loop, Options options, Events events)
    : loop_(loop),
      options_(std::move(options)),
      events_(std::move(events)),
      broken_(loop, [this] { end_broken(); }) {}

Result<Ok> TlsStreams::open(const Address& local) {
  auto sockets =
      StreamSockets::open(loop_, local,
                          {.accepted =
                               [this](Id id) {
                                 connections_[id] = {.reached = true};
                                 events_.accepted(id);
                               },
                           .connected = [this](Id id) { on_connected(id); },
                           .received = [this](Id id, auto bytes) { on_received(id, bytes); },
                           .closed = [this](Id id) { on_closed(id); }});
  if (!sockets) return sockets.error();
  sockets_.emplace(std::move(*sockets));
  return Ok{};
}

auto TlsStreams::dial(const Address& to) -> Id {
  const Id id = sockets_->dial(to);
  connections_[id] = {.dialled = true};
  return id;
}

void TlsStreams::on_connected(Id id) {
  Connection& connection = connections_.at(id);
  connection.reached = true;
  if (options_.tls == nullptr) return events_.connected(id);
  connection.tls = options_.tls->begin_between(options_.role, TlsEnd::Client, options_.protocol);
  send_output(id, *connection.tls);
}

/// The generic cell rate algorithm.
bool TlsStreams::may_begin(Micros now_us) {
  const Micros apart_us = 1'000'000 / options_.handshakes_per_s;
  const Micros next_us = std::max(begin_at_us_, now_us) + apart_us;
  if (next_us - now_us > options_.handshakes_burst * apart_us) return false;
  begin_at_us_ = next_us;
  return true;
}

void TlsStreams::on_received(Id id, std::span<const std::byte> bytes) {
  if (options_.tls == nullptr) return events_.received(id, bytes);
  Connection& connection = connections_.at(id);
  if (!connection.tls) {
    if (!may_begin(Loop::clock_us())) return end(id, {How::TooFast});
    connection.tls = options_.tls->begin_between(options_.role, TlsEnd::Server, options_.protocol);
  }
  if (connection.broken) return;
  TlsSession& tls = *connection.tls;
  plain_.clear();
  const bool good = tls.received(bytes, plain_);
  const bool answered = send_output(id, tls);
  if (!good) {
    if (tls.ended_by_peer()) return end(id, {How::Closed});
    return end(id, {connection.proved ? How::Broken : How::Refused, tls.refusal()});
  }
  if (answered && sockets_->unsent_bytes(id) > options_.unsent_bytes_max) {
    return end(id, {How::Broken});
  }
  const bool first = !std::exchange(connection.proved, tls.complete()) && connection.proved;
  if (first && connection.dialled) events_.connected(id);
  // The handler may have closed the connection.
  if (!plain_.empty() && connections_.contains(id)) events_.received(id, plain_);
}

void TlsStreams::on_closed(Id id) {
  const auto connection = connections_.extract(id);
  events_.closed(id, {connection.mapped().reached ? How::Closed : How::Unreachable});
}

void TlsStreams::end(Id id, const End& end) {
  close(id);
  events_.closed(id, end);
}

void TlsStreams::close(Id which) {
  connections_.erase(which);
  sockets_->close(which);
}

void TlsStreams::write(Id to, std::span<const std::byte> bytes) {
  if (options_.tls == nullptr) return sockets_->write(to, bytes);
  Connection& connection = connections_.at(to);
  if (connection.broken) return;
  connection.records += bytes.size() / tls_record_bytes_max + 1;
  if (connection.records >= records_per_key) {
    connection.records = 0;
    connection.tls->change_key();
  }
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), piece_bytes_max));
    bytes = bytes.subspan(piece.size());
    if (!connection.tls->send(piece)) {
      connection.broken = true;
      return broken_.at(Loop::clock_us());
    }
    send_output(to, *connection.tls);
  }
}

/// Whether there was any.
bool TlsStreams::send_output(Id id, TlsSession& tls) {
  encrypted_.clear();
  tls.take_output(encrypted_);
  if (!encrypted_.empty()) sockets_->write(id, encrypted_);
  return !encrypted_.empty();
}

void TlsStreams::end_all(const std::vector<Id>& ids, const End& how) {
  for (const Id id : ids) {
    if (connections_.contains(id)) end(id, how);  // the handler may have closed others
  }
}

void TlsStreams::end_broken() {
  std::vector<Id> broken;
  for (const auto& [id, connection] : connections_) {
    if (connection.broken) broken.push_back(id);
  }
  end_all(broken, {How::Broken});
}

void TlsStreams::end_revoked() {
  if (options_.tls == nullptr) return;
  const std::uint64_t generation = options_.tls->generation();
  if (std::exchange(generation_, generation) == generation) return;
  std::vector<Id> revoked;
  for (const auto& [id, connection] : connections_) {
    if (connection.tls && options_.tls->revoked(*connection.tls)) revoked.push_back(id);
  }
  end_all(revoked, {How::Revoked});
}

}  // namespace perigee::host
