#include "perigee/world/game_fault.hpp"

#include <utility>

namespace perigee::world {

void GameFaults::note(const GameFault& fault) {
  ++total_;
  std::uint32_t& sent = sent_[fault.type];
  const std::uint32_t bit = 1U << static_cast<unsigned>(fault.value);
  if ((sent & bit) == 0 && unsent_.push_back(fault)) sent |= bit;
}

GameFaults::Unsent GameFaults::take_unsent() { return std::exchange(unsent_, {}); }

}  // namespace perigee::world
