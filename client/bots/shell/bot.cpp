#include "bot.hpp"

namespace perigee::bots {

Bot::Bot(const world::GameModule& game, const client::Settings& settings, std::uint64_t seed,
         double voyage_m, Temper temper, Micros gap_us)
    : Player(gap_us), client_(game, settings), brain_(client_, seed, voyage_m, temper) {}

void Bot::advance(Micros now_us) {
  client_.advance(now_us, brain_);
  shown_errors_.on_frame(client_, now_us);
}

void Bot::restart_totals() {
  warm_up_ = brain_.deeds();
  client_.restart_totals();
  shown_errors_.restart();
}

Deeds Bot::measured_deeds() const {
  if (!measures()) return {};
  Deeds deeds = brain_.deeds();
  deeds -= warm_up_;
  return deeds;
}

}  // namespace perigee::bots
