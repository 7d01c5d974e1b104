/// Which entities one client has been told of by one worker. Sorted, bounded, memory taken at once.
#pragma once

#include <span>
#include <vector>

#include "perigee/netcode/player_input.hpp"

namespace perigee::replication {

class KnownSet {
 public:
  static constexpr std::size_t known_max = 4096;  ///< entities one client hears of at a time
  KnownSet() { handles_.reserve(known_max); }

  bool contains(Handle handle) const;
  /// False if it is known already or the set is full.
  bool add(Handle handle);
  bool remove(Handle handle);
  std::span<const Handle> all() const { return handles_; }

 private:
  std::vector<Handle> handles_;
};

}  // namespace perigee::replication
