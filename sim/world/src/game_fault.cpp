#include "perigee/world/game_fault.hpp"

#include <utility>

namespace perigee::world {

void GameFaults::note(const GameFault& fault) {
  ++total_;
  std::uint32_t& told = told_[fault.type];
  const std::uint32_t bit = 1U << static_cast<unsigned>(fault.value);
  if ((told & bit) == 0 && untold_.push_back(fault)) told |= bit;
}

GameFaults::Untold GameFaults::take_untold() { return std::exchange(untold_, {}); }

}  // namespace perigee::world
