// Mutual authentication: three messages, of which the third is the first sealed frame.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/base/bytes.hpp"
#include "perigee/base/speaks.hpp"
#include "perigee/peers/core.hpp"
#include "sealing.hpp"

namespace perigee::peers {
namespace {

using Fresh = std::array<std::byte, 32>;

/// The last byte is the version, so that a mismatch can be reported as such.
constexpr std::size_t name_bytes = 7;
constexpr std::array<char, name_bytes + 1> magic{
    'p', 'e', 'r', 'i', 'p', 'e', 'e', static_cast<char>('0' + workers_version)};

/// Names both sides. Within a cluster id, a slot belongs to one worker name, and `incarnation` to
/// one process under that name.
struct Hello {
  std::array<std::byte, 8> magic{};
  std::uint32_t cluster_id = 0;
  WorkerSlot from, to;
  Incarnation from_incarnation, to_incarnation;
  Fresh fresh{};
};
template <class Cursor, class H>
bool walk(Cursor& cursor, H& hello) {
  return cursor.copy(hello.magic) && cursor.number(hello.cluster_id) && cursor.id(hello.from) &&
         cursor.id(hello.to) && cursor.id(hello.from_incarnation) &&
         cursor.id(hello.to_incarnation) && cursor.copy(hello.fresh);
}
constexpr std::size_t hello_body_bytes = 8 + 4 + 2 + 2 + 4 + 4 + sizeof(Fresh);
constexpr std::size_t hello_bytes = hello_body_bytes + sizeof(Digest);
constexpr std::size_t welcome_bytes = sizeof(Fresh) + sizeof(Digest);

}  // namespace

void Core::on_accepted(Micros now_us, ConnectionId id) {
  make_room_for_strangers(now_us);
  wires_[id] = {.stage = Stage::Accepted, .began_us = now_us};
}

// A peer with the key completes its handshake within a round trip. So the peer of the oldest
// connection is the least likely to have the key.
void Core::make_room_for_strangers(Micros now_us) {
  std::size_t strangers = 0;
  std::optional<ConnectionId> oldest;
  for (const auto& [id, wire] : wires_) {
    if (wire.stage != Stage::Accepted && wire.stage != Stage::Welcomed) continue;
    ++strangers;
    if (!oldest || wire.began_us < wires_.at(*oldest).began_us) oldest = id;
  }
  if (strangers >= strangers_max) drop(now_us, *oldest, metric.refused_crowd);
}

void Core::on_connected(Micros, ConnectionId id) {
  const auto found = wires_.find(id);
  if (found == wires_.end()) return;
  Wire& wire = found->second;
  Hello hello{.cluster_id = cluster_id_,
              .from = self_,
              .to = wire.peer,
              .from_incarnation = incarnation_,
              .to_incarnation = peers_.at(wire.peer).incarnation};
  std::memcpy(hello.magic.data(), magic.data(), magic.size());
  random_(hello.fresh);
  wire.hello.resize(hello_bytes);
  ByteWriter writer(wire.hello);
  bool fits = walk(writer, std::as_const(hello));
  wire.key = keys_.current;
  fits = fits && writer.copy(digest(wire.key, Purpose::Hello, writer.written()));
  PERIGEE_ASSERT(fits && writer.space() == 0, "a hello must have hello_bytes bytes");
  wire.stage = Stage::Greeted;
  write(id, wire.hello);
}

Core::Taken Core::on_hello(Micros now_us, ConnectionId id, Wire& wire,
                           std::span<const std::byte> bytes) {
  const bool named =
      std::memcmp(bytes.data(), magic.data(), std::min(bytes.size(), name_bytes)) == 0;
  if (named && bytes.size() > name_bytes &&
      bytes[name_bytes] != static_cast<std::byte>(magic[name_bytes])) {
    drop(now_us, id, metric.refused_version);
    return std::nullopt;
  }
  if (!named || bytes.size() > hello_bytes) {
    drop(now_us, id, metric.refused_garbage);
    return std::nullopt;
  }
  if (bytes.size() < hello_bytes) return std::nullopt;
  const auto body = bytes.first(hello_body_bytes);
  const auto made_with = [&](const Key& key) {
    return same(digest(key, Purpose::Hello, body), bytes.subspan(hello_body_bytes));
  };
  const bool current = made_with(keys_.current);
  if (!current && !(keys_.previous && made_with(*keys_.previous))) {
    drop(now_us, id, metric.refused_secret);
    return std::nullopt;
  }
  wire.key = current ? keys_.current : *keys_.previous;
  Hello hello;
  ByteReader reader(body);
  walk(reader, hello);
  const auto peer = peers_.find(hello.from);
  if (hello.cluster_id != cluster_id_ || hello.to != self_ ||
      hello.to_incarnation != incarnation_ || hello.from >= self_ || peer == peers_.end() ||
      peer->second.incarnation != hello.from_incarnation) {
    drop(now_us, id, metric.refused_unknown);
    return std::nullopt;
  }
  std::array<std::byte, welcome_bytes> welcome{};
  const auto fresh = std::span(welcome).first(sizeof(Fresh));
  random_(fresh);
  const Digest proof = digest(wire.key, Purpose::Welcome, bytes, fresh);
  std::copy(proof.begin(), proof.end(), welcome.begin() + sizeof(Fresh));
  wire.peer = hello.from;
  wire.stage = Stage::Welcomed;
  wire.inwards = digest(wire.key, Purpose::FromDialler, bytes, welcome);
  wire.outwards = digest(wire.key, Purpose::FromAccepter, bytes, welcome);
  write(id, welcome);
  return bytes.size();
}

Core::Taken Core::on_welcome(Micros now_us, ConnectionId id, Wire& wire,
                             std::span<const std::byte> bytes) {
  if (bytes.size() < welcome_bytes) return std::nullopt;
  const auto welcome = bytes.first(welcome_bytes);
  const auto fresh = welcome.first(sizeof(Fresh));
  if (!same(digest(wire.key, Purpose::Welcome, wire.hello, fresh),
            welcome.subspan(sizeof(Fresh)))) {
    drop(now_us, id, metric.refused_secret);
    return std::nullopt;
  }
  wire.outwards = digest(wire.key, Purpose::FromDialler, wire.hello, welcome);
  wire.inwards = digest(wire.key, Purpose::FromAccepter, wire.hello, welcome);
  send_frame(now_us, id, wire, {}, false);  // proves that this hello is not a replay
  link_up(now_us, id, wire);
  return welcome_bytes;
}

void Core::link_up(Micros now_us, ConnectionId id, Wire& wire) {
  wire.stage = Stage::Linked;
  wire.received_us = wire.sent_us = now_us;
  wire.hello = {};
  Peer& peer = peers_.at(wire.peer);
  // The other side dials only after it has dropped the former link.
  if (peer.link) drop(now_us, *peer.link, metric.lost_replaced);
  peer.dialled.reset();
  peer.link = id;
  peer.redial_us = redial_us_min;
  counts_.add(metric.linked);
  if (events_.linked) events_.linked(wire.peer);
}

}  // namespace perigee::peers
