#include "perigee/rooms/parcels.hpp"

namespace perigee::rooms {

void Parcels::add(bool to_door, WorkerSlot worker, std::span<const std::byte> bytes) {
  filling_.marks.push_back({to_door, worker, filling_.bytes.size(), bytes.size()});
  filling_.bytes.insert(filling_.bytes.end(), bytes.begin(), bytes.end());
}

}  // namespace perigee::rooms
