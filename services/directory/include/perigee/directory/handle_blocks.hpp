/// Blocks of entity handles: which ones worker incarnations have used, and which may be granted
/// again. (decision 0030)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/ids.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::directory {

/// Entity handles of one worker incarnation. Block n (from 1) starts at n << 20.
inline constexpr std::uint32_t handles_per_worker = 1U << 20;
/// Handles have 32 bits.
inline constexpr std::uint32_t handle_blocks_max = (1U << 12) - 1;

class HandleBlocks {
 public:
  /// Blocks 1 .. `granted` were granted before and may be in use.
  HandleBlocks(std::uint32_t granted, Micros now_us);

  /// The block for the next incarnation: one that was never granted, otherwise the one that was
  /// unreported for the longest time, if that is at least `rest_us`. None: every block may be in
  /// use.
  std::optional<HandleBlock> next(Micros now_us) const;
  void grant(HandleBlock block, Micros now_us);
  /// Reports that an entity with a handle of this block exists, or may exist.
  void name(HandleBlock block, Micros now_us);
  /// `so`: every worker reports all blocks it knows of, and no unreported entity can reappear. The
  /// value holds until the next call. Time in which a block is unreported counts only while `so` is
  /// true.
  void all_reported(bool so, Micros now_us);

  std::uint32_t granted() const { return static_cast<std::uint32_t>(named_us_.size()) - 1; }
  /// Incarnations that could start now.
  std::uint32_t left(Micros now_us) const;

  static constexpr Micros rest_us = 60'000'000;

 private:
  bool unnamed(HandleBlock block, Micros now_us) const;
  std::vector<Micros> named_us_;  ///< time of the last report, by block; index 0 is unused
  std::optional<Micros> all_sent_since_us_;
};

}  // namespace perigee::directory
