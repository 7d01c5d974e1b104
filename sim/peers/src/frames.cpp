// Splits a connection's bytes: handshake messages first, then sealed frames.
#include <algorithm>
#include <cstring>
#include <utility>

#include "perigee/base/bytes.hpp"
#include "perigee/base/walk.hpp"
#include "perigee/peers/core.hpp"
#include "sealing.hpp"

namespace perigee::peers {
namespace {

constexpr std::size_t head_bytes = sizeof(std::uint32_t);
// This bit of a frame's size means that its messages continue in the next frame.
constexpr std::uint32_t more_bit = 0x8000'0000;
// A sender drops the link itself before it sends this much.
constexpr std::size_t gathered_bytes_max = Core::unsent_bytes_max + (1 << 20);
constexpr std::size_t kept_bytes_max = 1 << 18;  // capacity kept of a buffer that was larger once

void let_go(std::vector<std::byte>& buffer) {
  if (buffer.capacity() > kept_bytes_max) buffer = {};
}

}  // namespace

void Core::on_bytes(Micros now_us, ConnectionId id, std::span<const std::byte> bytes) {
  counts_.add(metric.bytes_in, bytes.size());
  auto found = wires_.find(id);
  if (found == wires_.end()) return;
  auto& unread = found->second.unread;
  unread.insert(unread.end(), bytes.begin(), bytes.end());
  std::size_t read_to = 0;
  // The receiver of a message may close this connection.
  for (; found != wires_.end(); found = wires_.find(id)) {
    Wire& wire = found->second;
    const Taken taken = read(now_us, id, wire, std::span(wire.unread).subspan(read_to));
    if (!taken) break;
    read_to += *taken;
  }
  found = wires_.find(id);
  if (found == wires_.end()) return;
  auto& rest = found->second.unread;
  rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(read_to));
  if (rest.empty()) let_go(rest);
}

Core::Taken Core::read(Micros now_us, ConnectionId id, Wire& wire,
                       std::span<const std::byte> bytes) {
  if (bytes.empty()) return std::nullopt;
  switch (wire.stage) {
    case Stage::Dialling:
      return std::nullopt;
    case Stage::Accepted:
      return on_hello(now_us, id, wire, bytes);
    case Stage::Greeted:
      return on_welcome(now_us, id, wire, bytes);
    case Stage::Welcomed:
    case Stage::Linked:
      return on_frame(now_us, id, wire, bytes);
  }
  return std::nullopt;
}

Core::Taken Core::on_frame(Micros now_us, ConnectionId id, Wire& wire,
                           std::span<const std::byte> bytes) {
  if (bytes.size() < head_bytes) return std::nullopt;
  const bool stands = wire.stage == Stage::Linked;
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data(), head_bytes);
  const bool more = (std::exchange(size, size & ~more_bit) & more_bit) != 0;
  // A connection that has not yet proved that it is live must not make us buffer anything.
  const std::size_t room =
      stands ? std::min(frame_bytes_max, gathered_bytes_max - wire.gathered.size()) : 0;
  if (size < tag_bytes || size > room + tag_bytes) {
    drop(now_us, id, stands ? metric.lost_broken : metric.refused_garbage);
    return std::nullopt;
  }
  if (bytes.size() < head_bytes + size) return std::nullopt;
  const auto sealed = bytes.subspan(head_bytes, size);
  const std::size_t at = wire.gathered.size();
  wire.gathered.resize(at + size - tag_bytes);
  if (!unseal(wire.inwards, wire.received, bytes.first(head_bytes), sealed,
              wire.gathered.data() + at)) {
    drop(now_us, id, stands ? metric.lost_broken : metric.refused_secret);
    return std::nullopt;
  }
  ++wire.received;
  wire.received_us = now_us;
  if (!stands) link_up(now_us, id, wire);
  if (!more) deliver(now_us, id, wire);
  return head_bytes + size;
}

/// Delivers all complete messages, even if their receiver closes the connection meanwhile.
void Core::deliver(Micros now_us, ConnectionId id, Wire& wire) {
  const WorkerSlot from = wire.peer;
  std::vector<std::byte> gathered = std::exchange(opened_, {});
  gathered.swap(wire.gathered);
  ByteReader messages(gathered);
  while (!messages.at_end()) {
    std::span<const std::byte> message;
    if (!walk_sized<std::uint32_t>(messages, message) || message.empty()) {
      if (wires_.contains(id)) drop(now_us, id, metric.lost_broken);
      break;
    }
    counts_.add(metric.words_in);
    if (events_.message) events_.message(from, message);
  }
  gathered.clear();
  let_go(gathered);
  opened_ = std::move(gathered);
}

void Core::send_held(Micros now_us, ConnectionId id, Wire& wire) {
  std::span<const std::byte> left(wire.held);
  while (!left.empty()) {
    const auto part = left.first(std::min(left.size(), frame_bytes_max));
    left = left.subspan(part.size());
    send_frame(now_us, id, wire, part, !left.empty());
  }
  wire.held.clear();
  let_go(wire.held);
}

/// An empty part is a heartbeat.
void Core::send_frame(Micros now_us, ConnectionId id, Wire& wire, std::span<const std::byte> part,
                      bool more) {
  const auto size = static_cast<std::uint32_t>(part.size() + tag_bytes);
  const std::uint32_t head = size | (more ? more_bit : 0);
  sealed_.resize(head_bytes + size);
  std::memcpy(sealed_.data(), &head, head_bytes);
  seal(wire.outwards, wire.sent++, std::span(sealed_).first(head_bytes), part,
       sealed_.data() + head_bytes);
  wire.sent_us = now_us;
  write(id, sealed_);
  let_go(sealed_);
}

void Core::write(ConnectionId id, std::span<const std::byte> bytes) {
  counts_.add(metric.bytes_out, bytes.size());
  sockets_.write(id, bytes);
}

}  // namespace perigee::peers
