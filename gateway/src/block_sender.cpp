#include "perigee/gateway/block_sender.hpp"

#include <array>

namespace perigee::gateway {

void BlockSender::start(std::uint32_t slot) {
  waiting_[slot].queue.clear();
  waiting_[slot].own_block.reset();
}

void BlockSender::queue(Micros now_us, std::uint32_t slot, StreamId stream, std::uint8_t priority,
                        std::span<const std::byte> block) {
  Waiting& waiting = waiting_[slot];
  needs_.drops.add(Drop::BlockQueueFull, waiting.queue.push(stream, priority, block));
  if (due_.contains(slot)) return;
  waiting.flush_at_us = now_us + needs_.coalesce_us;
  due_.push_back(slot);
}

void BlockSender::note_own_block(Micros now_us, std::uint32_t slot, Tick tick) {
  Waiting& waiting = waiting_[slot];
  if (!waiting.own_block) waiting.own_block = OwnBlock{tick, now_us};
}

void BlockSender::send_due(Micros now_us) {
  for (auto slot = due_.front(); slot && waiting_[*slot].flush_at_us <= now_us;
       slot = due_.front()) {
    send(now_us, *slot);
  }
}

void BlockSender::send(Micros now_us, std::uint32_t slot) {
  Waiting& waiting = waiting_[slot];
  due_.remove(slot);
  std::array<std::byte, frames_bytes_max> buffer;
  std::size_t taken = 0;
  bool echoed = false;
  for (std::uint32_t n = 0; n < needs_.payloads_per_flush_max && taken < waiting.queue.size();
       ++n) {
    FrameWriter writer(buffer);
    if (!echoed && waiting.queue[taken].size <= block_bytes_max) {
      needs_.echoes.add(now_us, slot, writer);
      echoed = true;
    }
    for (; taken < waiting.queue.size(); ++taken) {
      const BlockQueue::Block& block = waiting.queue[taken];
      if (!writer.add(block.stream, waiting.queue.bytes(block))) break;
      needs_.counts.add(metric.blocks_sent);
    }
    needs_.payloads.send(now_us, slot, writer.payload());
  }
  waiting.queue.pop(taken);
  if (waiting.own_block) {
    needs_.outputs.on_own_block(waiting.own_block->tick, waiting.own_block->received_us, now_us);
  }
  waiting.own_block.reset();
  if (waiting.queue.empty()) return;
  waiting.flush_at_us = now_us + needs_.coalesce_us;
  due_.push_back(slot);
}

}  // namespace perigee::gateway
