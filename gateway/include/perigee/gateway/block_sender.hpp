/// The blocks of all workers for each client: they wait a moment for each other, and leave in
/// shared payloads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/counts.hpp"
#include "perigee/base/frames.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "perigee/base/streams.hpp"
#include "perigee/gateway/block_queue.hpp"
#include "perigee/gateway/client_payloads.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/gateway/due_list.hpp"
#include "perigee/gateway/echoes.hpp"
#include "perigee/gateway/outputs.hpp"

namespace perigee::gateway {

/// A block of more than block_bytes_max is accepted up to this size, but postpones the echo to the
/// next payload.
inline constexpr std::size_t block_bytes_limit = frames_bytes_max - frame_header_bytes_max;

class BlockSender {
 public:
  struct Needs {
    Micros coalesce_us;                    ///< blocks wait this long
    std::uint32_t payloads_per_flush_max;  ///< the rest of a queue waits once more
    const Echoes& echoes;
    ClientPayloads& payloads;
    Outputs& outputs;
    Counts<Count>& counts;
    Counts<Drop>& drops;
  };
  BlockSender(Needs needs, std::uint32_t clients_max)
      : needs_(needs), waiting_(clients_max), due_(clients_max) {}

  /// A session begins in that slot.
  void start(std::uint32_t slot);
  void end(std::uint32_t slot) { due_.remove(slot); }
  /// Queues a block of at most block_bytes_limit for a connected client.
  void queue(Micros now_us, std::uint32_t slot, StreamId stream, std::uint8_t priority,
             std::span<const std::byte> block);
  /// A block of the avatar's owner is being queued. It is reported with the payload that contains
  /// it.
  void note_own_block(Micros now_us, std::uint32_t slot, Tick tick);
  void send_due(Micros now_us);
  /// When send_due() has something to do next.
  std::optional<Micros> next_us() const {
    const auto slot = due_.front();
    return slot ? std::optional(waiting_[*slot].flush_at_us) : std::nullopt;
  }

 private:
  struct OwnBlock {
    Tick tick;
    Micros received_us = 0;
  };
  struct Waiting {
    Micros flush_at_us = 0;
    BlockQueue queue;
    std::optional<OwnBlock> own_block;  ///< the oldest waiting one
  };
  void send(Micros now_us, std::uint32_t slot);

  Needs needs_;
  std::vector<Waiting> waiting_;  ///< by client slot
  DueList due_;                   ///< clients with queued blocks; all wait equally long
};

}  // namespace perigee::gateway
