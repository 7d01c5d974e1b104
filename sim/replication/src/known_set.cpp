#include "perigee/replication/known_set.hpp"

#include <algorithm>

namespace perigee::replication {

bool KnownSet::contains(Handle handle) const {
  return std::binary_search(handles_.begin(), handles_.end(), handle);
}

bool KnownSet::add(Handle handle) {
  if (handles_.size() >= known_max) return false;
  const auto place = std::lower_bound(handles_.begin(), handles_.end(), handle);
  if (place != handles_.end() && *place == handle) return false;
  handles_.insert(place, handle);
  return true;
}

bool KnownSet::remove(Handle handle) {
  const auto place = std::lower_bound(handles_.begin(), handles_.end(), handle);
  if (place == handles_.end() || *place != handle) return false;
  handles_.erase(place);
  return true;
}

}  // namespace perigee::replication
