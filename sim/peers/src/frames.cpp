// Splits a connection's bytes: a hello or a welcome first, then groups of messages.
#include <array>
#include <cstring>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/base/bytes.hpp"
#include "perigee/base/walk.hpp"
#include "perigee/peers/core.hpp"

namespace perigee::peers {
namespace {

constexpr std::size_t head_bytes = sizeof(std::uint32_t);
// A sender drops the link itself before it sends this much.
constexpr std::size_t group_bytes_max = Core::unsent_bytes_max + (1 << 20);
constexpr std::size_t kept_bytes_max = 1 << 18;  // capacity kept of a buffer that was larger once

void let_go(std::vector<std::byte>& buffer) {
  if (buffer.capacity() > kept_bytes_max) buffer = {};
}

}  // namespace

void Core::on_bytes(Micros now_us, ConnectionId id, std::span<const std::byte> bytes) {
  counts_.add(metric.bytes_in, bytes.size());
  auto found = wires_.find(id);
  if (found == wires_.end()) return;
  if (found->second.stage == Stage::Linked) found->second.received_us = now_us;
  // The receiver of a message may close this connection, and its buffer with it.
  std::vector<std::byte> unread = std::exchange(found->second.unread, {});
  const bool fresh = unread.empty();
  if (!fresh) unread.insert(unread.end(), bytes.begin(), bytes.end());
  const auto all = fresh ? bytes : std::span<const std::byte>(unread);
  const std::size_t read_to = read_all(now_us, id, all);
  found = wires_.find(id);
  if (found == wires_.end()) return;
  if (fresh) {
    unread.assign(all.begin() + static_cast<std::ptrdiff_t>(read_to), all.end());
  } else {
    unread.erase(unread.begin(), unread.begin() + static_cast<std::ptrdiff_t>(read_to));
  }
  if (unread.empty()) let_go(unread);
  found->second.unread = std::move(unread);
}

/// Number of bytes that were read; they end with the connection.
std::size_t Core::read_all(Micros now_us, ConnectionId id, std::span<const std::byte> bytes) {
  std::size_t read_to = 0;
  for (auto found = wires_.find(id); found != wires_.end(); found = wires_.find(id)) {
    const Taken taken = read(now_us, id, found->second, bytes.subspan(read_to));
    if (!taken) break;
    read_to += *taken;
  }
  return read_to;
}

Core::Taken Core::read(Micros now_us, ConnectionId id, Wire& wire,
                       std::span<const std::byte> bytes) {
  if (bytes.empty()) return std::nullopt;
  switch (wire.stage) {
    case Stage::Dialling:
      break;
    case Stage::Accepted:
      return on_hello(now_us, id, wire, bytes);
    case Stage::Greeted:
      return on_welcome(now_us, id, wire, bytes);
    case Stage::Linked:
      return on_group(now_us, id, wire, bytes);
  }
  drop(now_us, id, metric.refused_garbage);
  return std::nullopt;
}

/// Delivers the messages of a group once all of it has arrived, even if their receiver closes the
/// connection meanwhile.
Core::Taken Core::on_group(Micros now_us, ConnectionId id, const Wire& wire,
                           std::span<const std::byte> bytes) {
  if (bytes.size() < head_bytes) return std::nullopt;
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data(), head_bytes);
  if (size > group_bytes_max) {
    drop(now_us, id, metric.lost_broken);
    return std::nullopt;
  }
  if (bytes.size() < head_bytes + size) return std::nullopt;
  const WorkerSlot from = wire.peer;
  ByteReader messages(bytes.subspan(head_bytes, size));
  while (!messages.at_end()) {
    std::span<const std::byte> message;
    if (!walk_sized<std::uint32_t>(messages, message) || message.empty()) {
      if (wires_.contains(id)) drop(now_us, id, metric.lost_broken);
      break;
    }
    counts_.add(metric.words_in);
    if (events_.message) events_.message(from, message);
  }
  return head_bytes + size;
}

void Core::hold_message(Wire& wire, std::span<const std::byte> message) {
  if (wire.held.empty()) wire.held.resize(head_bytes);
  const std::size_t at = wire.held.size();
  wire.held.resize(at + sizeof(std::uint32_t) + message.size());
  ByteWriter writer(std::span<std::byte>(wire.held).subspan(at));
  const bool fits = walk_sized<std::uint32_t>(writer, message);
  PERIGEE_ASSERT(fits, "the buffer is too small for the message");
}

void Core::send_held(Micros now_us, ConnectionId id, Wire& wire) {
  const auto size = static_cast<std::uint32_t>(wire.held.size() - head_bytes);
  std::memcpy(wire.held.data(), &size, head_bytes);
  wire.sent_us = now_us;
  write(id, wire.held);
  wire.held.clear();
  let_go(wire.held);
}

/// An empty group.
void Core::send_beat(Micros now_us, ConnectionId id, Wire& wire) {
  wire.sent_us = now_us;
  write(id, std::array<std::byte, head_bytes>{});
}

void Core::write(ConnectionId id, std::span<const std::byte> bytes) {
  counts_.add(metric.bytes_out, bytes.size());
  sockets_.write(id, bytes);
}

}  // namespace perigee::peers
