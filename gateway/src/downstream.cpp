// Worker -> client.
#include <algorithm>

#include "perigee/base/wire_world.hpp"
#include "perigee/gateway/core.hpp"

namespace perigee::gateway {

void Core::on_fabric_datagram(Micros now_us, const Address& from,
                              std::span<const std::byte> datagram) {
  counts_.add(metric.fabric_datagrams_received);
  counts_.add(metric.fabric_bytes_received, datagram.size());
  FabricReader reader(datagram);
  if (!reader.ok()) return drop(Drop::FabricMalformed);
  switch (links_.judge(reader.header(), from)) {
    case WorkerLinks::Sender::Unknown:
      return drop(Drop::FabricUnknownSender);
    case WorkerLinks::Sender::WrongClusterId:
      return drop(Drop::FabricWrongClusterId);
    case WorkerLinks::Sender::Genuine:
      break;
  }
  const WorkerSlot worker{reader.header().slot};
  while (const auto type = reader.next()) on_record(now_us, worker, *type, reader);
  if (!reader.ok()) drop(Drop::FabricMalformed);
}

void Core::on_record(Micros now_us, WorkerSlot worker, FabricRecord type, FabricReader& reader) {
  // A malformed record turns reader.ok() false, which the caller counts.
  switch (type) {
    case FabricRecord::Joined: {
      JoinedRecord record;
      if (reader.read(record)) on_joined(now_us, worker, record);
      return;
    }
    case FabricRecord::Refused: {
      RefusedRecord record;
      if (reader.read(record)) on_refused(now_us, worker, record);
      return;
    }
    case FabricRecord::Left: {
      LeftRecord record;
      if (reader.read(record)) on_left(worker, record);
      return;
    }
    case FabricRecord::Block: {
      BlockRecord record;
      if (reader.read(record)) on_block(now_us, worker, record);
      return;
    }
    case FabricRecord::Join:
    case FabricRecord::Leave:
    case FabricRecord::Input:
    case FabricRecord::Observer:
    case FabricRecord::Tally:
      return drop(Drop::FabricUnexpectedRecord);
  }
}

Core::Session* Core::find_session(SessionId id) {
  const std::uint32_t slot = session_client_slot(id);
  if (slot < sessions_.size() && sessions_[slot].phase != Phase::Free && sessions_[slot].id == id) {
    return &sessions_[slot];
  }
  drop(Drop::FabricUnknownSession);
  return nullptr;
}

void Core::on_joined(Micros now_us, WorkerSlot worker, const JoinedRecord& joined) {
  Session* session = find_session(joined.session);
  if (!session || leaving(joined.session, worker)) return;
  if (session->phase == Phase::Joining) {
    counts_.add(metric.sessions_joined);
    ++playing_;
    session->phase = Phase::Playing;
    session->own_received_us = now_us;
  }
  // While playing, `Joined` from another worker means that the avatar was migrated to it.
  follow(*session, worker);
}

void Core::on_refused(Micros now_us, WorkerSlot worker, const RefusedRecord& refused) {
  Session* session = find_session(refused.session);
  if (!session || session->worker != worker) return;
  if (session->phase == Phase::Playing) {
    // The worker does not have the player. A successor gets time to learn that it is one.
    const bool for_good =
        refused.reason == RefuseReason::NotOwner || refused.reason == RefuseReason::Full;
    if (!for_good || session->successor_answers_by_us) return;
    session->has_worker = false;
    return join_anew(now_us, *session);
  }
  if (session->phase != Phase::Joining) return;
  counts_.add(metric.joins_refused);
  // The other reasons are temporary: the map changes, or the worker becomes ready, within the join
  // limit.
  if (refused.reason != RefuseReason::Full) return;
  session->has_worker = false;
  kick(now_us, session_client_slot(refused.session));
}

void Core::on_block(Micros now_us, WorkerSlot worker, const BlockRecord& block) {
  Session* session = find_session(block.session);
  if (!session) return;
  if (block.block.empty()) return drop(Drop::BlockEmpty);
  if (block.block.size() > block_bytes_limit) return drop(Drop::BlockTooLarge);
  counts_.add(metric.blocks_received);
  if (const auto header = read_block_header(block.block)) {
    note_received(worker, header->tick);
    if (block.priority == 0) session->own_received_us = now_us;
    if (block.priority == 0 && !session->own_block) {
      session->own_block = OwnBlock{header->tick, now_us};
    }
  }
  queue_block(now_us, *session, stream_of_worker(worker), block.priority, block.block);
}

void Core::queue_block(Micros now_us, Session& session, std::uint8_t stream, std::uint8_t priority,
                       std::span<const std::byte> block) {
  drops_.add(Drop::BlockQueueFull, session.queue.push(stream, priority, block));
  const std::uint32_t slot = session_client_slot(session.id);
  if (due_.contains(slot)) return;
  session.flush_at_us = now_us + settings_.coalesce_us;
  due_.push_back(slot);
}

void Core::send_payload(Micros now_us, std::uint32_t slot, std::span<const std::byte> payload) {
  constexpr std::size_t overhead = transport::datagram_bytes_max - transport::payload_bytes_max;
  counts_.add(metric.payloads_sent);
  sessions_[slot].reports.on_sent(payload.size() + overhead);
  server_.send_payload(now_us, slot, payload);
}

void Core::send_blocks(Micros now_us, std::uint32_t slot) {
  Session& session = sessions_[slot];
  due_.remove(slot);
  std::array<std::byte, transport::payload_bytes_max> buffer;
  std::size_t taken = 0;
  bool echoed = false;
  for (std::uint32_t n = 0; n < settings_.payloads_per_flush_max && taken < session.queue.size();
       ++n) {
    FrameWriter writer(buffer);
    if (!echoed && session.queue[taken].size <= block_bytes_advised) {
      add_echo(now_us, slot, writer);
      echoed = true;
    }
    for (; taken < session.queue.size(); ++taken) {
      const BlockQueue::Block& block = session.queue[taken];
      if (!writer.add(block.stream, session.queue.bytes(block))) break;
      counts_.add(metric.blocks_sent);
    }
    send_payload(now_us, slot, writer.payload());
  }
  session.queue.pop(taken);
  if (session.own_block)
    outputs_.on_own_block(session.own_block->tick, session.own_block->received_us, now_us);
  session.own_block.reset();
  if (session.queue.empty()) return;
  session.flush_at_us = now_us + settings_.coalesce_us;
  due_.push_back(slot);
}

void Core::add_echo(Micros now_us, std::uint32_t slot, FrameWriter& writer) const {
  const Session& session = sessions_[slot];
  EchoFrame echo{.client_index = static_cast<std::uint16_t>(slot)};
  if (session.has_received) {
    const Micros hold_us = std::max<Micros>(now_us - session.newest_received_us, 0);
    echo.newest_sequence = static_cast<std::uint32_t>(session.newest_sequence);
    echo.hold_us =
        static_cast<std::uint32_t>(std::min<Micros>(hold_us, EchoFrame::nothing_received - 1));
  }
  std::array<std::byte, echo_frame_bytes> bytes;
  ByteWriter echo_writer(bytes);
  const bool fits = write_echo(echo_writer, echo) && writer.add(stream_gateway, bytes);
  PERIGEE_ASSERT(fits, "the echo frame must fit: it is the first of its payload");
}

}  // namespace perigee::gateway
