#include "bot.hpp"

#include <algorithm>

namespace perigee::bots {

Bot::Bot(const world::GameModule& game, const client::Settings& settings, std::uint64_t seed,
         double voyage_m, Temper temper, Micros gap_us)
    : client_(game, settings), brain_(client_, seed, voyage_m, temper), gaps_(gap_us) {}

bool Bot::begin(Micros now_us, std::span<const std::byte> token) {
  last_us_ = now_us;
  phase_ = client_.begin(now_us, token) ? Phase::Connecting : Phase::Lost;
  return phase_ == Phase::Connecting;
}

void Bot::receive(Micros at_us, const Address& from, std::span<std::byte> datagram) {
  if (phase_ != Phase::Connecting && phase_ != Phase::Playing) return;
  last_us_ = std::max(last_us_, at_us);  // stamps may be earlier than the last frame
  bytes_received_ += datagram.size();
  const std::uint64_t snapshots = client_.snapshots();
  client_.receive(last_us_, from, datagram);
  if (client_.snapshots() != snapshots) gaps_.on_snapshot(at_us);
}

std::uint32_t Bot::resumes() const {
  const std::uint32_t sessions = client_.transport().sessions();
  return sessions > 0 ? sessions - 1 : 0;
}

void Bot::end_gaps(Micros now_us) {
  was_silent_ = phase_ == Phase::Playing && gaps_.silence_us(now_us) >= silent_us_min;
  gaps_.end(phase_ == Phase::Lost ? ended_us_ : now_us);
}

void Bot::frame(Micros now_us) {
  if (phase_ != Phase::Connecting && phase_ != Phase::Playing) return;
  last_us_ = std::max(last_us_, now_us);
  client_.advance(last_us_, brain_);
  shown_errors_.on_frame(client_, last_us_);
  if (static_cast<int>(client_.transport_state()) <= 0) {
    phase_ = Phase::Lost;
    ended_us_ = last_us_;
    return;
  }
  if (!playing_since_us_ && client_.playing()) {
    playing_since_us_ = last_us_;
    phase_ = Phase::Playing;
  }
  const Handle avatar = client_.playing() ? client_.prediction().avatar() : avatar_;
  if (avatar_ != no_entity && avatar != avatar_) ++avatars_changed_;
  avatar_ = avatar;
  if (playing_since_us_ && !measured_since_us_ && last_us_ - *playing_since_us_ >= warm_up_us) {
    measured_since_us_ = last_us_;
    warm_up_ = brain_.deeds();
    client_.restart_totals();
    shown_errors_.restart();
  }
}

double Bot::measured_s(Micros now_us) const {
  if (!measured_since_us_) return 0;
  const Micros end_us = phase_ == Phase::Lost ? ended_us_ : now_us;
  return static_cast<double>(std::max<Micros>(end_us - *measured_since_us_, 0)) * 1e-6;
}

Deeds Bot::measured_deeds() const {
  if (!measured_since_us_) return {};
  Deeds deeds = brain_.deeds();
  deeds -= warm_up_;
  return deeds;
}

}  // namespace perigee::bots
