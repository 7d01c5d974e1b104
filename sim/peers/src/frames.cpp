// A connection's bytes, cut into what they are: handshake first, then sealed frames.
#include <cstring>

#include "perigee/peers/core.hpp"
#include "sealing.hpp"

namespace perigee::peers {
namespace {

constexpr std::size_t head_bytes = sizeof(std::uint32_t);
constexpr std::size_t kept_bytes_max = 1 << 18;  // of a buffer that was larger once

void let_go(std::vector<std::byte>& buffer) {
  if (buffer.capacity() > kept_bytes_max) buffer = {};
}

}  // namespace

void Core::on_bytes(Micros now_us, ConnectionId id, std::span<const std::byte> bytes) {
  counts_.add(Count::BytesIn, bytes.size());
  auto found = wires_.find(id);
  if (found == wires_.end()) return;
  auto& unread = found->second.unread;
  unread.insert(unread.end(), bytes.begin(), bytes.end());
  std::size_t read_to = 0;
  // Whoever is told a word may end this very connection.
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
  // Until it has proved that it is there now, it may not make us keep anything.
  if (size < tag_bytes || size > (stands ? word_bytes_max : 0) + tag_bytes) {
    drop(now_us, id, stands ? Count::LostBroken : Count::RefusedGarbage);
    return std::nullopt;
  }
  if (bytes.size() < head_bytes + size) return std::nullopt;
  const auto sealed = bytes.subspan(head_bytes, size);
  opened_.resize(size - tag_bytes);
  if (!unseal(wire.inwards, wire.heard, bytes.first(head_bytes), sealed, opened_.data())) {
    drop(now_us, id, stands ? Count::LostBroken : Count::RefusedSecret);
    return std::nullopt;
  }
  ++wire.heard;
  wire.heard_us = now_us;
  const WorkerSlot from = wire.peer;
  if (!stands) link_up(now_us, id, wire);
  if (!opened_.empty()) {
    counts_.add(Count::WordsIn);
    if (events_.word) events_.word(from, opened_);
    let_go(opened_);
  }
  return head_bytes + size;
}

/// Nothing is a beat.
void Core::say(Micros now_us, ConnectionId id, Wire& wire, std::span<const std::byte> word) {
  const auto size = static_cast<std::uint32_t>(word.size() + tag_bytes);
  sealed_.resize(head_bytes + size);
  std::memcpy(sealed_.data(), &size, head_bytes);
  seal(wire.outwards, wire.said++, std::span(sealed_).first(head_bytes), word,
       sealed_.data() + head_bytes);
  wire.said_us = now_us;
  write(id, sealed_);
  let_go(sealed_);
}

void Core::write(ConnectionId id, std::span<const std::byte> bytes) {
  counts_.add(Count::BytesOut, bytes.size());
  sockets_.write(id, bytes);
}

}  // namespace perigee::peers
