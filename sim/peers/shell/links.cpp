#include "links.hpp"

#include <utility>

#include "perigee/host/secrets.hpp"

namespace perigee::peers {

Links::Links(host::Loop& loop, const Keys& keys, Core::Events events)
    : loop_(loop),
      core_(keys, host::fill_random, *this, std::move(events)),
      timer_(loop, [this] { core_.advance(host::Loop::clock_us()); }) {}

Result<Ok> Links::open(const Address& local) {
  if (const auto crypto = init_crypto(); !crypto) return crypto.error();
  const auto now_us = [] { return host::Loop::clock_us(); };
  auto sockets = host::StreamSockets::open(
      loop_, local,
      {.accepted = [this, now_us](auto id) { core_.on_accepted(now_us(), id); },
       .connected = [this, now_us](auto id) { core_.on_connected(now_us(), id); },
       .received = [this, now_us](auto id, auto bytes) { core_.on_bytes(now_us(), id, bytes); },
       .closed = [this, now_us](auto id) { core_.on_closed(now_us(), id); }});
  if (!sockets) return sockets.error();
  sockets_.emplace(std::move(*sockets));
  timer_.every(advance_us);
  return Ok{};
}

void Links::on_map(const ClusterMap& map, WorkerSlot self) {
  core_.on_map(host::Loop::clock_us(), map, self);
}

void Links::send(WorkerSlot to, std::span<const std::byte> message) {
  core_.send(host::Loop::clock_us(), to, message);
}

void Links::release() { core_.release(host::Loop::clock_us()); }

}  // namespace perigee::peers
