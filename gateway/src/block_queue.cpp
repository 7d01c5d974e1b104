#include "perigee/gateway/block_queue.hpp"

#include <algorithm>
#include <cstring>

namespace perigee::gateway {

std::uint32_t BlockQueue::push(StreamId stream, std::uint8_t priority,
                               std::span<const std::byte> bytes) {
  std::uint32_t dropped = 0;
  while (blocks_.full() || used_ + bytes.size() > bytes_max) {
    if (blocks_.empty() || priority >= blocks_.back().priority) return dropped + 1;
    remove(blocks_.size() - 1);
    ++dropped;
  }
  std::size_t at = blocks_.size();
  while (at > 0 && blocks_[at - 1].priority > priority) --at;
  blocks_.insert(at, {stream, priority, static_cast<std::uint16_t>(used_),
                      static_cast<std::uint16_t>(bytes.size())});
  std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(used_));
  used_ += bytes.size();
  return dropped;
}

void BlockQueue::remove(std::size_t index) {
  const Block gone = blocks_[index];
  const std::size_t end = gone.offset + gone.size;
  std::memmove(bytes_.data() + gone.offset, bytes_.data() + end, used_ - end);
  used_ -= gone.size;
  blocks_.erase(index);
  for (Block& block : blocks_) {
    if (block.offset > gone.offset) {
      block.offset = static_cast<std::uint16_t>(block.offset - gone.size);
    }
  }
}

void BlockQueue::pop(std::size_t count) {
  if (count == blocks_.size()) return clear();
  for (; count > 0; --count) remove(0);
}

void BlockQueue::clear() {
  blocks_.clear();
  used_ = 0;
}

}  // namespace perigee::gateway
