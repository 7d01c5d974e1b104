#include "perigee/world/slow_calls.hpp"

#include <algorithm>

namespace perigee::world {
namespace {

std::size_t index_of(std::string_view function) {
  const auto found = std::find(game_functions.begin(), game_functions.end() - 1, function);
  return static_cast<std::size_t>(found - game_functions.begin());
}

}  // namespace

void SlowCalls::note(const GameCall& call, Micros began_us) {
  const Micros now_us = clock_();
  if (now_us - began_us <= limit_us_) return;
  const std::size_t function = index_of(call.function);
  counts_.add(static_cast<GameFunction>(function));
  std::optional<Micros>& logged = logged_at_us_[function];
  if (logged && now_us - *logged < log_again_us) return;
  if (unsent_.push_back({call, now_us - began_us})) logged = now_us;
}

}  // namespace perigee::world
