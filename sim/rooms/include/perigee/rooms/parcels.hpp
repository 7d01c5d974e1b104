/// Datagrams between the door and the workers of one process. The bytes are copied into one buffer,
/// which keeps its memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perigee/base/ids.hpp"

namespace perigee::rooms {

class Parcels {
 public:
  struct Parcel {
    bool to_door = false;
    WorkerSlot worker;  ///< the worker at the other end
    std::span<const std::byte> bytes;
  };

  void add(bool to_door, WorkerSlot worker, std::span<const std::byte> bytes);
  bool empty() const { return filling_.marks.empty(); }
  /// Calls `visit` with those that were added before the call, in order. `visit` may add more.
  template <class Visit>
  void take(Visit visit) {
    std::swap(filling_, taken_);
    for (const Mark& mark : taken_.marks) {
      visit(Parcel{mark.to_door, mark.worker,
                   std::span(taken_.bytes).subspan(mark.begin, mark.size)});
    }
    taken_.marks.clear();
    taken_.bytes.clear();
  }

 private:
  struct Mark {
    bool to_door = false;
    WorkerSlot worker;
    std::size_t begin = 0, size = 0;
  };
  struct Buffer {
    std::vector<Mark> marks;
    std::vector<std::byte> bytes;
  };
  Buffer filling_, taken_;
};

}  // namespace perigee::rooms
