#include "perigee/replication/handle_index.hpp"

#include <algorithm>

namespace perigee::replication {

HandleIndex::HandleIndex(std::size_t handles_max)
    : handles_max_(handles_max),
      places_(std::bit_ceil(std::max<std::size_t>(2 * handles_max, 2U << line_shift))),
      lines_shift_(64 + line_shift - std::countr_zero(places_.size())) {}

void HandleIndex::add(Handle handle, std::uint32_t slot) {
  const std::size_t at = place_of(handle);
  PERIGEE_ASSERT(handle != no_entity && places_[at].handle == no_entity,
                 "the handle is already in the index");
  PERIGEE_ASSERT(size_ < handles_max_, "more handles than handles_max");
  places_[at] = {handle, slot};
  ++size_;
}

// Moves later entries into the hole, unless that would be before their home.
void HandleIndex::remove(Handle handle) {
  std::size_t hole = place_of(handle);
  PERIGEE_ASSERT(places_[hole].handle != no_entity, "the handle is not in the index");
  const auto way = [&](std::size_t from, std::size_t to) {
    return (to - from) & (places_.size() - 1);
  };
  for (std::size_t at = after(hole); places_[at].handle != no_entity; at = after(at)) {
    if (way(home(places_[at].handle), at) < way(hole, at)) continue;
    places_[hole] = places_[at];
    hole = at;
  }
  places_[hole] = {};
  --size_;
}

}  // namespace perigee::replication
