/// Which entities one client has been told of by one worker: a bit per slot.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace perigee::replication {

class KnownSet {
 public:
  KnownSet() = default;
  explicit KnownSet(std::size_t slots_max) : words_((slots_max + 63) / 64) {}

  bool contains(std::uint32_t slot) const { return (words_[slot / 64] >> slot % 64 & 1U) != 0; }
  /// False if it is known already.
  bool add(std::uint32_t slot) {
    if (contains(slot)) return false;
    words_[slot / 64] |= std::uint64_t{1} << slot % 64;
    ++size_;
    return true;
  }
  bool remove(std::uint32_t slot) {
    if (!contains(slot)) return false;
    words_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    --size_;
    return true;
  }
  std::size_t size() const { return size_; }
  bool sized() const { return !words_.empty(); }
  /// Calls visit(slot) in ascending order; visit may remove the slot it is told of.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        visit(static_cast<std::uint32_t>(w * 64) +
              static_cast<std::uint32_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

}  // namespace perigee::replication
