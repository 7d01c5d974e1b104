/// Suspects a peer that has been silent for too long. The limit follows the peer's own rhythm: a
/// machine that often pauses for five ticks is not suspected after six.
///
/// The detector keeps a histogram of the gaps between the peer's messages, in ticks. It suspects
/// the peer after 1.5 × the gap that only one in 1000 exceeds, clamped to two bounds. Every minute
/// the histogram is halved, so that old gaps lose their weight.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace perigee::worker {

class FailureDetector {
 public:
  /// Less: busy machines are taken for dead.
  static constexpr std::int32_t stall_ticks_min = 6;
  static constexpr std::int32_t stall_ticks_max = 18;

  /// A message has come this long after the one before.
  void note_gap(std::int32_t ticks) {
    const auto last = static_cast<std::int32_t>(gaps_.size()) - 1;
    ++gaps_[static_cast<std::size_t>(std::clamp(ticks, 0, last))];
    if (++since_halved_ < halved_at_gaps) return;
    since_halved_ = 0;
    for (std::uint32_t& count : gaps_) count /= 2;
  }

  /// The peer is suspected after a silence longer than this.
  std::int32_t stall_ticks() const {
    std::uint64_t all = 0;
    for (const std::uint32_t count : gaps_) all += count;
    std::uint64_t longer = 0;
    std::size_t at = gaps_.size();
    while (at > 0 && (longer + gaps_[at - 1]) * 1000 <= all) longer += gaps_[--at];
    const auto rare = static_cast<std::int32_t>(at);
    return std::clamp(rare + rare / 2, stall_ticks_min, stall_ticks_max);
  }

 private:
  static constexpr std::uint32_t halved_at_gaps = 3600;  ///< a minute of ticks

  std::array<std::uint32_t, 64> gaps_{};
  std::uint32_t since_halved_ = 0;
};

}  // namespace perigee::worker
