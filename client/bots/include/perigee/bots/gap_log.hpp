/// Gaps without a snapshot from the server: the longest one, and a list of all long ones.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "perigee/base/tick.hpp"

namespace perigee::bots {

class GapLog {
 public:
  static constexpr Micros felt_us = 250'000;     ///< a longer one is noticeable
  static constexpr std::size_t gaps_max = 8192;  ///< listed per bot; further ones are only counted

  struct Gap {
    Micros from_us = 0;
    Micros to_us = 0;
    Micros length_us() const { return to_us - from_us; }
  };

  /// Gaps longer than `listed_us` are listed.
  explicit GapLog(Micros listed_us = felt_us) : listed_us_(listed_us) {}

  /// A snapshot has arrived. The first one starts the log; times must not decrease.
  void on_snapshot(Micros at_us) {
    if (last_us_) close(at_us);
    last_us_ = at_us;
  }
  /// The end of play: the time since the last snapshot counts as a gap, too.
  void end(Micros at_us) {
    if (last_us_) close(at_us);
    last_us_.reset();
  }

  /// Time since the last snapshot; 0 before the first one and after the end.
  Micros silence_us(Micros now_us) const { return last_us_ ? now_us - *last_us_ : 0; }
  Micros longest_us() const { return longest_us_; }
  std::size_t count() const { return count_; }  ///< of those longer than `listed_us`
  const std::vector<Gap>& listed() const { return listed_; }

 private:
  void close(Micros at_us) {
    const Gap gap{*last_us_, at_us};
    if (gap.length_us() > longest_us_) longest_us_ = gap.length_us();
    if (gap.length_us() <= listed_us_) return;
    ++count_;
    if (listed_.size() < gaps_max) listed_.push_back(gap);
  }
  Micros listed_us_;
  std::optional<Micros> last_us_;
  Micros longest_us_ = 0;
  std::size_t count_ = 0;
  std::vector<Gap> listed_;
};

}  // namespace perigee::bots
