/// The non-empty words of a table: a walk visits only those, and empty stretches cost nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace perigee::replication {

class WordsInUse {
 public:
  WordsInUse() = default;
  explicit WordsInUse(std::size_t words) : bits_((words + 63) / 64) {}

  bool contains(std::size_t word) const { return (bits_[word / 64] >> word % 64 & 1U) != 0; }
  void add(std::size_t word) { bits_[word / 64] |= std::uint64_t{1} << word % 64; }
  void remove(std::size_t word) { bits_[word / 64] &= ~(std::uint64_t{1} << word % 64); }
  /// Number of words that a walk visits.
  std::size_t count() const {
    std::size_t out = 0;
    for (const std::uint64_t bits : bits_) out += static_cast<std::size_t>(std::popcount(bits));
    return out;
  }
  /// Calls visit(word) in ascending order; visit may remove that word.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t at = 0; at < bits_.size(); ++at) {
      for (std::uint64_t bits = bits_[at]; bits != 0; bits &= bits - 1) {
        visit(at * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> bits_;
};

}  // namespace perigee::replication
