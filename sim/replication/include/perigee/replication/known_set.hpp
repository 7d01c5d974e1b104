/// The entities that one worker has spawned at one client: a bit per slot. A walk costs as much as
/// there are known entities, plus a bit for every 64 slots.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "perigee/replication/prefetch.hpp"
#include "perigee/replication/words_in_use.hpp"

namespace perigee::replication {

class KnownSet {
 public:
  KnownSet() = default;
  explicit KnownSet(std::size_t slots_max)
      : words_((slots_max + 63) / 64), in_use_(words_.size()) {}

  bool contains(std::uint32_t slot) const { return (words_[slot / 64] >> slot % 64 & 1U) != 0; }
  /// For contains() of slots below `end`.
  void prefetch(std::uint32_t end) const {
    replication::prefetch(words_.data(), (end + 63) / 64 * sizeof(std::uint64_t));
  }
  /// Returns false if it is known already.
  bool add(std::uint32_t slot) {
    if (contains(slot)) return false;
    words_[slot / 64] |= std::uint64_t{1} << slot % 64;
    in_use_.add(slot / 64);
    ++size_;
    return true;
  }
  bool remove(std::uint32_t slot) {
    if (!contains(slot)) return false;
    words_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    if (words_[slot / 64] == 0) in_use_.remove(slot / 64);
    --size_;
    return true;
  }
  std::size_t size() const { return size_; }
  bool sized() const { return !words_.empty(); }
  /// Calls visit(slot) in ascending order; visit may remove that slot.
  template <class Visit>
  void for_each(Visit visit) const {
    for_each_chosen([](std::uint32_t, std::uint64_t word) { return word; }, visit);
  }
  /// The same for some slots: of each word, for those of the bits that choose(first, word) returns.
  /// Bit i stands for the slot first + i.
  template <class Choose, class Visit>
  void for_each_chosen(Choose choose, Visit visit) const {
    in_use_.for_each([&](std::size_t w) {
      const auto first = static_cast<std::uint32_t>(w * 64);
      for (std::uint64_t word = choose(first, words_[w]); word != 0; word &= word - 1) {
        visit(first + static_cast<std::uint32_t>(std::countr_zero(word)));
      }
    });
  }
  /// Number of words that for_each() visits: at most size().
  std::size_t words_in_use() const { return in_use_.count(); }

 private:
  std::vector<std::uint64_t> words_;
  WordsInUse in_use_;  ///< of words_: not 0
  std::size_t size_ = 0;
};

}  // namespace perigee::replication
