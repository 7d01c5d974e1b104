#include "perigee/directory/handle_blocks.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"

namespace perigee::directory {

HandleBlocks::HandleBlocks(std::uint32_t granted, Micros now_us)
    : named_us_(std::min(granted, handle_blocks_max) + 1, now_us) {}

bool HandleBlocks::unnamed(std::uint32_t block, Micros now_us) const {
  return all_sent_since_us_ && now_us - std::max(*all_sent_since_us_, named_us_[block]) >= rest_us;
}

std::optional<std::uint32_t> HandleBlocks::next(Micros now_us) const {
  if (granted() < handle_blocks_max) return granted() + 1;
  std::optional<std::uint32_t> best;
  for (std::uint32_t block = 1; block <= granted(); ++block) {
    if (unnamed(block, now_us) && (!best || named_us_[block] < named_us_[*best])) best = block;
  }
  return best;
}

void HandleBlocks::grant(std::uint32_t block, Micros now_us) {
  PERIGEE_ASSERT(block >= 1 && block <= granted() + 1 && block <= handle_blocks_max,
                 "the block must come from next()");
  if (block > granted()) {
    named_us_.push_back(now_us);
  } else {
    named_us_[block] = now_us;
  }
}

void HandleBlocks::name(std::uint32_t block, Micros now_us) {
  if (block >= 1 && block <= granted()) named_us_[block] = now_us;
}

void HandleBlocks::all_told(bool so, Micros now_us) {
  if (!so) {
    all_sent_since_us_.reset();
  } else if (!all_sent_since_us_) {
    all_sent_since_us_ = now_us;
  }
}

std::uint32_t HandleBlocks::left(Micros now_us) const {
  std::uint32_t out = handle_blocks_max - granted();
  for (std::uint32_t block = 1; block <= granted(); ++block)
    if (unnamed(block, now_us)) ++out;
  return out;
}

}  // namespace perigee::directory
