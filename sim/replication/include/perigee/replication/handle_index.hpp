/// Maps handles to slots.
#pragma once

#include <cstddef>
#include <cstdint>

#include "perigee/base/player_input.hpp"
#include "perigee/replication/key_table.hpp"

namespace perigee::replication {

class HandleIndex {
 public:
  static constexpr std::uint32_t none = ~0U;

  explicit HandleIndex(std::size_t handles_max) : slots_(handles_max) {}

  std::size_t size() const { return slots_.size(); }
  std::uint32_t find(Handle handle) const { return slots_.value(handle).number; }
  /// Adds a handle that is not in the table; at most handles_max.
  void add(Handle handle, std::uint32_t slot) { slots_.add(handle, {slot}); }
  /// Removes a handle that is in the table.
  void remove(Handle handle) {
    const bool known = slots_.remove(handle);
    PERIGEE_ASSERT(known, "the handle is not in the index");
  }

 private:
  struct Slot {
    std::uint32_t number = none;
  };
  static_assert(no_entity == 0, "the table's key for nothing");
  KeyTable<Slot> slots_;
};

}  // namespace perigee::replication
