// How two workers say which ones they are: a hello of the dialler, and a welcome in the same form.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/base/bytes.hpp"
#include "perigee/base/speaks.hpp"
#include "perigee/peers/core.hpp"

namespace perigee::peers {
namespace {

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
  friend bool operator==(const Hello&, const Hello&) = default;
};
template <class Cursor, class H>
bool walk(Cursor& cursor, H& hello) {
  return cursor.copy(hello.magic) && cursor.number(hello.cluster_id) && cursor.id(hello.from) &&
         cursor.id(hello.to) && cursor.id(hello.from_incarnation) &&
         cursor.id(hello.to_incarnation);
}
constexpr std::size_t hello_bytes = 8 + 4 + 2 + 2 + 4 + 4;
using HelloBytes = std::array<std::byte, hello_bytes>;

HelloBytes bytes_of(Hello hello) {
  std::memcpy(hello.magic.data(), magic.data(), magic.size());
  HelloBytes out{};
  ByteWriter writer(out);
  const bool fits = walk(writer, std::as_const(hello));
  PERIGEE_ASSERT(fits && writer.space() == 0, "a hello must have hello_bytes bytes");
  return out;
}

/// Whether the bytes, of which more may follow, are the beginning of a hello.
enum class Begins : std::uint8_t { Hello, OtherVersion, Garbage };
Begins begins(std::span<const std::byte> bytes) {
  if (std::memcmp(bytes.data(), magic.data(), std::min(bytes.size(), name_bytes)) != 0) {
    return Begins::Garbage;
  }
  const bool other =
      bytes.size() > name_bytes && bytes[name_bytes] != static_cast<std::byte>(magic[name_bytes]);
  return other ? Begins::OtherVersion : Begins::Hello;
}

}  // namespace

void Core::on_accepted(Micros now_us, ConnectionId id) {
  make_room_for_strangers(now_us);
  wires_[id] = {.stage = Stage::Accepted, .began_us = now_us};
}

// A worker completes its handshake within a few round trips. So the peer of the oldest connection
// is the least likely to be one.
void Core::make_room_for_strangers(Micros now_us) {
  std::size_t strangers = 0;
  std::optional<ConnectionId> oldest;
  for (const auto& [id, wire] : wires_) {
    if (wire.stage != Stage::Accepted) continue;
    ++strangers;
    if (!oldest || wire.began_us < wires_.at(*oldest).began_us) oldest = id;
  }
  if (strangers >= strangers_max) drop(now_us, *oldest, metric.refused_crowd);
}

void Core::on_connected(Micros, ConnectionId id) {
  const auto found = wires_.find(id);
  if (found == wires_.end()) return;
  Wire& wire = found->second;
  wire.stage = Stage::Greeted;
  write(id, bytes_of({.cluster_id = cluster_id_,
                      .from = self_,
                      .to = wire.peer,
                      .from_incarnation = incarnation_,
                      .to_incarnation = peers_.at(wire.peer).incarnation}));
}

Core::Taken Core::on_hello(Micros now_us, ConnectionId id, Wire& wire,
                           std::span<const std::byte> bytes) {
  const Begins begun = begins(bytes);
  if (begun == Begins::OtherVersion) {
    drop(now_us, id, metric.refused_version);
    return std::nullopt;
  }
  // A dialler sends nothing more before it is welcome.
  if (begun == Begins::Garbage || bytes.size() > hello_bytes) {
    drop(now_us, id, metric.refused_garbage);
    return std::nullopt;
  }
  if (bytes.size() < hello_bytes) return std::nullopt;
  Hello hello;
  ByteReader reader(bytes);
  walk(reader, hello);
  const auto peer = peers_.find(hello.from);
  if (hello.cluster_id != cluster_id_ || hello.to != self_ ||
      hello.to_incarnation != incarnation_ || hello.from >= self_ || peer == peers_.end() ||
      peer->second.incarnation != hello.from_incarnation) {
    drop(now_us, id, metric.refused_unknown);
    return std::nullopt;
  }
  wire.peer = hello.from;
  write(id, bytes_of({.cluster_id = cluster_id_,
                      .from = self_,
                      .to = hello.from,
                      .from_incarnation = incarnation_,
                      .to_incarnation = hello.from_incarnation}));
  link_up(now_us, id, wire);
  return bytes.size();
}

Core::Taken Core::on_welcome(Micros now_us, ConnectionId id, Wire& wire,
                             std::span<const std::byte> bytes) {
  const Begins begun = begins(bytes);
  if (begun == Begins::Hello && bytes.size() < hello_bytes) return std::nullopt;
  const HelloBytes wanted = bytes_of({.cluster_id = cluster_id_,
                                      .from = wire.peer,
                                      .to = self_,
                                      .from_incarnation = peers_.at(wire.peer).incarnation,
                                      .to_incarnation = incarnation_});
  if (begun == Begins::Hello && std::equal(wanted.begin(), wanted.end(), bytes.begin())) {
    link_up(now_us, id, wire);
    return hello_bytes;
  }
  const Count why = begun == Begins::Hello          ? metric.refused_unknown
                    : begun == Begins::OtherVersion ? metric.refused_version
                                                    : metric.refused_garbage;
  drop(now_us, id, why);
  return std::nullopt;
}

void Core::link_up(Micros now_us, ConnectionId id, Wire& wire) {
  wire.stage = Stage::Linked;
  wire.received_us = wire.sent_us = now_us;
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
