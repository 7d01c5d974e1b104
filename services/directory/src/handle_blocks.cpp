#include "perigee/directory/handle_blocks.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"

namespace perigee::directory {

HandleBlocks::HandleBlocks(std::uint32_t granted, Micros now_us)
    : named_us_(std::min(granted, handle_blocks_max) + 1, now_us) {}

bool HandleBlocks::unnamed(HandleBlock block, Micros now_us) const {
  return all_sent_since_us_ &&
         now_us - std::max(*all_sent_since_us_, named_us_[block.number]) >= rest_us;
}

std::optional<HandleBlock> HandleBlocks::next(Micros now_us) const {
  if (granted() < handle_blocks_max) return HandleBlock{granted() + 1};
  std::optional<HandleBlock> best;
  for (std::uint32_t number = 1; number <= granted(); ++number) {
    const HandleBlock block{number};
    if (!unnamed(block, now_us)) continue;
    if (!best || named_us_[number] < named_us_[best->number]) best = block;
  }
  return best;
}

void HandleBlocks::grant(HandleBlock block, Micros now_us) {
  PERIGEE_ASSERT(
      block.number >= 1 && block.number <= granted() + 1 && block.number <= handle_blocks_max,
      "the block must come from next()");
  if (block.number > granted()) {
    named_us_.push_back(now_us);
  } else {
    named_us_[block.number] = now_us;
  }
}

void HandleBlocks::name(HandleBlock block, Micros now_us) {
  if (block.number >= 1 && block.number <= granted()) named_us_[block.number] = now_us;
}

void HandleBlocks::all_reported(bool so, Micros now_us) {
  if (!so) {
    all_sent_since_us_.reset();
  } else if (!all_sent_since_us_) {
    all_sent_since_us_ = now_us;
  }
}

std::uint32_t HandleBlocks::left(Micros now_us) const {
  std::uint32_t out = handle_blocks_max - granted();
  for (std::uint32_t number = 1; number <= granted(); ++number)
    if (unnamed(HandleBlock{number}, now_us)) ++out;
  return out;
}

}  // namespace perigee::directory
