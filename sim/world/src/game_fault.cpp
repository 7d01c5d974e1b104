#include "perigee/world/game_fault.hpp"

#include <utility>

namespace perigee::world {

void GameFaults::note(const GameFault& fault) {
  ++total_;
  std::uint64_t& sent = sent_[fault.type];
  const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(fault.value);
  if ((sent & bit) == 0 && unsent_.push_back(fault)) sent |= bit;
}

GameFaults::Unsent GameFaults::take_unsent() { return std::exchange(unsent_, {}); }

}  // namespace perigee::world
