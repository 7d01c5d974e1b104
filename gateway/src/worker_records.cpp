#include "perigee/gateway/worker_records.hpp"

#include "perigee/base/wire_world.hpp"

namespace perigee::gateway {

void WorkerRecords::on_datagram(Micros now_us, const Address& from,
                                std::span<const std::byte> datagram) {
  needs_.counts.add(metric.fabric_datagrams_received);
  needs_.counts.add(metric.fabric_bytes_received, datagram.size());
  FabricReader reader(datagram);
  if (!reader.ok()) return needs_.drops.add(Drop::FabricMalformed);
  switch (needs_.links.judge(reader.header(), from)) {
    case WorkerLinks::Sender::Unknown:
      return needs_.drops.add(Drop::FabricUnknownSender);
    case WorkerLinks::Sender::WrongClusterId:
      return needs_.drops.add(Drop::FabricWrongClusterId);
    case WorkerLinks::Sender::Genuine:
      break;
  }
  const WorkerSlot worker{reader.header().slot};
  while (const auto type = reader.next()) on_record(now_us, worker, *type, reader);
  if (!reader.ok()) needs_.drops.add(Drop::FabricMalformed);
}

void WorkerRecords::on_record(Micros now_us, WorkerSlot worker, FabricRecord type,
                              FabricReader& reader) {
  // A malformed record turns reader.ok() false, which the caller counts.
  switch (type) {
    case FabricRecord::Joined: {
      JoinedRecord record;
      if (!reader.read(record)) return;
      const auto slot = find(record.session);
      if (!slot || needs_.leaves.pending(record.session, worker)) return;
      return needs_.joins.on_joined(now_us, *slot, worker);
    }
    case FabricRecord::Refused: {
      RefusedRecord record;
      if (!reader.read(record)) return;
      const auto slot = find(record.session);
      if (slot) needs_.joins.on_refused(now_us, *slot, worker, record.reason);
      return;
    }
    case FabricRecord::Left: {
      LeftRecord record;
      if (reader.read(record)) needs_.leaves.on_left(worker, record);
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
      return needs_.drops.add(Drop::FabricUnexpectedRecord);
  }
}

void WorkerRecords::on_block(Micros now_us, WorkerSlot worker, const BlockRecord& block) {
  const auto slot = find(block.session);
  if (!slot) return;
  if (block.block.empty()) return needs_.drops.add(Drop::BlockEmpty);
  if (block.block.size() > block_bytes_limit) return needs_.drops.add(Drop::BlockTooLarge);
  needs_.counts.add(metric.blocks_received);
  if (const auto header = read_block_header(block.block)) {
    needs_.endings.note_received(worker, header->tick);
    if (block.priority == 0) {
      needs_.joins.note_own_data(now_us, *slot);
      needs_.block_sender.note_own_block(now_us, *slot, header->tick);
    }
  }
  needs_.block_sender.queue(now_us, *slot, stream_of_worker(worker), block.priority, block.block);
}

std::optional<std::uint32_t> WorkerRecords::find(SessionId id) {
  const auto slot = needs_.sessions.find(id);
  if (!slot) needs_.drops.add(Drop::FabricUnknownSession);
  return slot;
}

}  // namespace perigee::gateway
