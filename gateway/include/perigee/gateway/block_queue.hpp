/// The blocks waiting for one client, in the order in which they will be sent; bounded in number
/// and bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/base/fabric.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/streams.hpp"

namespace perigee::gateway {

class BlockQueue {
 public:
  static constexpr std::size_t blocks_max = 16;   ///< four workers over four ticks
  static constexpr std::size_t bytes_max = 8192;  ///< seven full payloads

  struct Block {
    StreamId stream = stream_owner;
    std::uint8_t priority = 0;
    std::uint16_t offset = 0;
    std::uint16_t size = 0;
  };

  /// Inserts by priority, then by arrival. Without room, drops the newest blocks of the lowest
  /// priority, which may include this one. Returns the number of dropped blocks.
  std::uint32_t push(StreamId stream, std::uint8_t priority, std::span<const std::byte> bytes);
  bool empty() const { return blocks_.empty(); }
  std::size_t size() const { return blocks_.size(); }
  const Block& operator[](std::size_t i) const { return blocks_[i]; }
  std::span<const std::byte> bytes(const Block& block) const {
    return std::span(bytes_).subspan(block.offset, block.size);
  }
  /// Removes the first `count`.
  void pop(std::size_t count);
  void clear();

 private:
  void remove(std::size_t index);
  FixedVector<Block, blocks_max> blocks_;
  std::array<std::byte, bytes_max> bytes_{};  ///< without gaps, in any order
  std::size_t used_ = 0;
};

}  // namespace perigee::gateway
