/// Which numbers of one sender were received: each passes once, and none that is 1,024 or more
/// behind the newest.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>

namespace perigee::fabric_seal {

class ReplayWindow {
 public:
  static constexpr std::uint64_t size = 1'024;

  /// Whether a datagram of this number may still be received. Called before its tag is verified.
  bool fresh(std::uint64_t number) const {
    if (number >= end_) return true;
    return end_ - number <= size && !seen_[number % size];
  }
  /// Called after the tag was verified: forged numbers must not move the window.
  void mark(std::uint64_t number) {
    if (number >= end_ + size) seen_.reset();
    for (std::uint64_t skipped = end_; skipped < number && skipped < end_ + size; ++skipped) {
      seen_.reset(skipped % size);
    }
    end_ = std::max(end_, number + 1);
    seen_.set(number % size);
  }

 private:
  std::uint64_t end_ = 0;  ///< newest number + 1
  std::bitset<size> seen_;
};

}  // namespace perigee::fabric_seal
