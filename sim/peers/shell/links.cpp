#include "links.hpp"

#include <optional>
#include <utility>

#include "perigee/host/process.hpp"

namespace perigee::peers {
namespace {

/// Keeps a client of another port out, although it has a certificate.
constexpr const char* protocol = "perigee-links";

Count count_of(host::TlsRefusal refusal) {
  using host::TlsRefusal;
  switch (refusal) {
    case TlsRefusal::NotTls:
      return metric.refused_not_tls;
    case TlsRefusal::Handshake:
      return metric.refused_handshake;
    case TlsRefusal::NoCertificate:
      return metric.refused_no_certificate;
    case TlsRefusal::UnknownCa:
      return metric.refused_ca;
    case TlsRefusal::OutOfDate:
      return metric.refused_date;
    case TlsRefusal::Revoked:
      return metric.refused_revoked;
    case TlsRefusal::NoRole:
      return metric.refused_no_role;
    case TlsRefusal::WrongRole:
      return metric.refused_role;
  }
  return metric.refused_handshake;
}

Core::End end_of(const host::TlsStreams::End& end) {
  using How = host::TlsStreams::How;
  switch (end.how) {
    case How::Unreachable:
      return {metric.unreachable, metric.lost_closed};
    case How::Closed:
      return {metric.refused_by_peer, metric.lost_closed};
    case How::Refused:
      return {count_of(end.refusal), metric.lost_broken};
    case How::TooFast:
      return {metric.refused_too_fast, metric.lost_broken};
    case How::Broken:
      return {metric.refused_handshake, metric.lost_broken};
    case How::Revoked:
      return {metric.refused_revoked, metric.lost_revoked};
  }
  return {metric.refused_by_peer, metric.lost_closed};
}

Micros now_us() { return host::Loop::clock_us(); }

}  // namespace

Links::Links(host::Loop& loop, const Options& options, Core::Events events)
    : options_(options),
      core_(*this, std::move(events)),
      streams_(
          loop, {.tls = options.tls, .role = host::PeerRole::Member, .protocol = protocol},
          {.accepted = [this](auto id) { core_.on_accepted(now_us(), id); },
           .connected = [this](auto id) { core_.on_connected(now_us(), id); },
           .received = [this](auto id, auto bytes) { core_.on_bytes(now_us(), id, bytes); },
           .closed = [this](auto id, auto& end) { core_.on_closed(now_us(), id, end_of(end)); }}),
      timer_(loop, [this] {
        streams_.end_revoked();
        core_.advance(now_us());
      }) {}

Result<Ok> Links::open(const Address& local) {
  const bool guarded = options_.insecure || options_.tls != nullptr;
  if (const auto network = host::check_network("links between workers", local, guarded); !network) {
    return network.error();
  }
  if (const auto opened = streams_.open(local); !opened) return opened.error();
  timer_.every(advance_us);
  return Ok{};
}

void Links::on_map(const ClusterMap& map, WorkerSlot self) { core_.on_map(now_us(), map, self); }

void Links::send(WorkerSlot to, std::span<const std::byte> message) {
  core_.send(now_us(), to, message);
}

void Links::release() { core_.release(now_us()); }

}  // namespace perigee::peers
