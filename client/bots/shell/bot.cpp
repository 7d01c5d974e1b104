#include "bot.hpp"

#include "crowd.hpp"

namespace perigee::bots {

PlayerInput CountedPilot::sample(Tick tick) {
  ++deeds_.ticks;
  constexpr double moving_m_s = 0.5;
  if (length(to_double(client_.prediction().state().velocity)) > moving_m_s) ++deeds_.moving_ticks;
  return pilot_->sample(tick);
}

Bot::Bot(const world::GameModule& game, const client::Settings& settings, std::uint64_t seed,
         const PlayOptions& options)
    : Player(options.gap_us),
      client_(game, settings),
      brain_(client_, seed, options.voyage_m, options.temper) {
  if (options.pilot) pilot_.emplace(client_, options.pilot(client_, seed));
}

void Bot::advance(Micros now_us) {
  if (pilot_) {
    client_.advance(now_us, *pilot_);
  } else {
    client_.advance(now_us, brain_);
  }
  shown_errors_.on_frame(client_, now_us);
}

void Bot::restart_totals() {
  warm_up_ = deeds();
  client_.restart_totals();
  shown_errors_.restart();
}

Deeds Bot::measured_deeds() const {
  if (!measures()) return {};
  Deeds out = deeds();
  out -= warm_up_;
  return out;
}

}  // namespace perigee::bots
