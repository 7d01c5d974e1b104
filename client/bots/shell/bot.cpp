#include "bot.hpp"

#include "crowd.hpp"

namespace perigee::bots {

Bot::Bot(const world::GameModule& game, const client::Settings& settings, std::uint64_t seed,
         const PlayOptions& options)
    : Player(options.gap_us),
      client_(game, settings),
      pilot_(options.pilot ? options.pilot(client_, seed) : nullptr),
      brain_(client_, seed, options.voyage_m, options.temper) {}

void Bot::advance(Micros now_us) {
  client_.advance(now_us, pilot_ ? *pilot_ : static_cast<client::InputSampler&>(brain_));
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
