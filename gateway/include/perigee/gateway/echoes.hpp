/// Echo frames, from which clients measure round trips: the newest payload received from each
/// client, and for how long it has been held.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/frames.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::gateway {

class Echoes {
 public:
  explicit Echoes(std::uint32_t clients_max) : newest_(clients_max) {}

  /// A session begins in that slot.
  void start(std::uint32_t slot) { newest_[slot] = Newest{}; }
  void on_payload(std::uint32_t slot, std::uint64_t sequence, Micros received_us) {
    Newest& newest = newest_[slot];
    if (newest.received && sequence <= newest.sequence) return;
    newest = {true, sequence, received_us};
  }
  /// Adds the client's echo frame, which must fit.
  void add(Micros now_us, std::uint32_t slot, FrameWriter& writer) const;

 private:
  struct Newest {
    bool received = false;  ///< a payload arrived, so there is something to echo
    std::uint64_t sequence = 0;
    Micros received_us = 0;
  };
  std::vector<Newest> newest_;  ///< by client slot
};

}  // namespace perigee::gateway
