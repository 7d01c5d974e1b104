/// Which blocks of entity handles lives of workers have had, and which may be granted again.
/// (decision 0030)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/netcode/tick.hpp"

namespace perigee::directory {

/// Entity handles of one life of a worker: block n, from 1 on, has those from n << 20 on.
inline constexpr std::uint32_t handles_per_worker = 1U << 20;
/// Handles have 32 bits.
inline constexpr std::uint32_t handle_blocks_max = (1U << 12) - 1;

class HandleBlocks {
 public:
  /// Blocks 1 .. `granted` have been somebody's, who may live.
  HandleBlocks(std::uint32_t granted, Micros now_us);

  /// The block that the next life gets: one that was never granted; else, of those that nobody has
  /// named for `rest_us`, the one longest unnamed. None: all have been granted and may be in use.
  std::optional<std::uint32_t> next(Micros now_us) const;
  void grant(std::uint32_t block, Micros now_us);
  /// Something with a handle of that block is alive, or may be.
  void name(std::uint32_t block, Micros now_us);
  /// Until the next call: does everybody say what they know of, and is nothing to come back that
  /// nobody knows of now? Silence of blocks counts for as long as that was so.
  void all_told(bool so, Micros now_us);

  std::uint32_t granted() const { return static_cast<std::uint32_t>(named_us_.size()) - 1; }
  /// How many lives could begin now.
  std::uint32_t left(Micros now_us) const;

  static constexpr Micros rest_us = 60'000'000;

 private:
  bool unnamed(std::uint32_t block, Micros now_us) const;
  std::vector<Micros> named_us_;  ///< last; by block, the first for none
  std::optional<Micros> all_told_since_us_;
};

}  // namespace perigee::directory
