/// Fixed-size containers with inline storage: no allocation per packet or tick.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

/// A vector with a named limit and inline storage.
template <class T, std::size_t Capacity>
class FixedVector {
 public:
  static constexpr std::size_t capacity() { return Capacity; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == Capacity; }
  /// Returns false if full: the caller counts the failure and decides how to continue.
  bool push_back(const T& value) {
    if (full()) return false;
    items_[size_++] = value;
    return true;
  }
  bool insert(std::size_t index, const T& value) {
    if (full()) return false;
    for (std::size_t i = size_; i > index; --i) items_[i] = items_[i - 1];
    items_[index] = value;
    ++size_;
    return true;
  }
  void erase(std::size_t index) {
    for (std::size_t i = index + 1; i < size_; ++i) items_[i - 1] = items_[i];
    --size_;
  }
  void clear() { size_ = 0; }
  void resize(std::size_t size) {
    PERIGEE_ASSERT(size <= Capacity, "FixedVector over its limit");
    for (std::size_t i = size_; i < size; ++i) items_[i] = T{};
    size_ = size;
  }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T& back() { return items_[size_ - 1]; }
  const T& back() const { return items_[size_ - 1]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }
  friend bool operator==(const FixedVector& a, const FixedVector& b)
    requires std::equality_comparable<T>
  {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<T, Capacity> items_{};
  std::size_t size_ = 0;
};

/// The newest `Capacity` values, oldest first. Nothing moves when one is added: of large values
/// only the new one's memory is touched.
template <class T, std::size_t Capacity>
class NewestOf {
  static_assert((Capacity & (Capacity - 1)) == 0);

 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Instead of the oldest one if it is full.
  void push_back(const T& value) {
    items_[(first_ + size_) % Capacity] = value;
    if (size_ < Capacity) {
      ++size_;
    } else {
      first_ = (first_ + 1) % Capacity;
    }
  }
  void clear() { size_ = 0; }
  T& operator[](std::size_t i) { return items_[(first_ + i) % Capacity]; }
  const T& operator[](std::size_t i) const { return items_[(first_ + i) % Capacity]; }
  const T& back() const { return (*this)[size_ - 1]; }

 private:
  std::size_t first_ = 0, size_ = 0;
  std::array<T, Capacity> items_{};
};

/// The last `Capacity` ticks of a value. A slot is found only under the tick it was written for.
template <class T, std::uint32_t Capacity>
class TickRing {
  static_assert((Capacity & (Capacity - 1)) == 0, "a power of two survives the tick's wrap-around");

 public:
  static constexpr std::uint32_t capacity_ticks = Capacity;
  T* find(Tick tick) {
    Slot& slot = slots_[tick.count % Capacity];
    return slot.used && slot.tick == tick ? &slot.value : nullptr;
  }
  const T* find(Tick tick) const { return const_cast<TickRing*>(this)->find(tick); }
  /// The slot of `tick`, taken from the older tick that held it; the value is left as it was.
  T& claim(Tick tick) {
    Slot& slot = slots_[tick.count % Capacity];
    slot.used = true;
    slot.tick = tick;
    return slot.value;
  }
  void clear() {
    for (Slot& slot : slots_) slot.used = false;
  }

 private:
  struct Slot {
    Tick tick;
    bool used = false;
    T value{};
  };
  std::array<Slot, Capacity> slots_{};
};

}  // namespace perigee
