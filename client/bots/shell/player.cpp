#include "player.hpp"

#include <algorithm>

namespace perigee::bots {

bool Player::begin(Micros now_us, std::span<const std::byte> token) {
  last_us_ = now_us;
  phase_ = connect(now_us, token) ? Phase::Connecting : Phase::Lost;
  return phase_ == Phase::Connecting;
}

void Player::receive(Micros at_us, const Address& from, std::span<std::byte> datagram) {
  if (!connected()) return;
  last_us_ = std::max(last_us_, at_us);  // stamps may be earlier than the last frame
  bytes_received_ += datagram.size();
  const std::uint64_t before = snapshots();
  take(last_us_, from, datagram);
  if (snapshots() != before) gaps_.on_snapshot(at_us);
}

std::uint32_t Player::resumes() const {
  const std::uint32_t sessions = transport().sessions();
  return sessions > 0 ? sessions - 1 : 0;
}

void Player::end_gaps(Micros now_us) {
  was_silent_ = phase_ == Phase::Playing && gaps_.silence_us(now_us) >= silent_us_min;
  gaps_.end(phase_ == Phase::Lost ? ended_us_ : now_us);
}

void Player::frame(Micros now_us) {
  if (!connected()) return;
  last_us_ = std::max(last_us_, now_us);
  advance(last_us_);
  if (static_cast<int>(transport().state()) <= 0) {
    phase_ = Phase::Lost;
    ended_us_ = last_us_;
    return;
  }
  if (!playing_since_us_ && plays()) {
    playing_since_us_ = last_us_;
    phase_ = Phase::Playing;
  }
  const Handle now = plays() ? avatar() : avatar_;
  if (avatar_ != no_entity && now != avatar_) ++avatars_changed_;
  avatar_ = now;
  if (playing_since_us_ && !measured_since_us_ && last_us_ - *playing_since_us_ >= warm_up_us) {
    measured_since_us_ = last_us_;
    restart_totals();
  }
}

double Player::measured_s(Micros now_us) const {
  if (!measured_since_us_) return 0;
  const Micros end_us = phase_ == Phase::Lost ? ended_us_ : now_us;
  return static_cast<double>(std::max<Micros>(end_us - *measured_since_us_, 0)) * 1e-6;
}

}  // namespace perigee::bots
