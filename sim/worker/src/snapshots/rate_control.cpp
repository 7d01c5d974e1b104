#include "perigee/worker/snapshots/rate_control.hpp"

#include <algorithm>
#include <utility>

namespace perigee::worker {
namespace {

/// A reduction is to a part of the rate between these. The first one follows what has arrived.
constexpr double reduction_least = 0.4, reduction_most = 0.75;
constexpr double carried_share = 0.9;
/// If less than this share arrives, the path carries less than is sent. Radio links lose some per
/// cent without that.
constexpr double enough = 0.9;
constexpr double raise_per_update = 1.06;
/// A limit that is this multiple of what is sent limits nothing.
constexpr double ample = 2;
/// The queue must shrink to this part, or the reductions had no effect.
constexpr double yields = 0.9;
/// A reduction counts as obeyed after this time, even if more is sent.
constexpr Micros obeyed_us_max = 6'000'000;

}  // namespace

RateControl::RateControl(const Knowledge& known)
    : limit_(known.limit),
      narrow_until_us_(known.narrow_for_us),
      paused_until_us_(known.paused_for_us),
      next_pause_us_(known.next_pause_us) {
  path_.go_on_from(known.shortest, now_us_);
}

RateControl::Knowledge RateControl::knowledge() const {
  return {.limit = limit_,
          .shortest = path_.shortest(now_us_),
          .narrow_for_us = std::max(narrow_until_us_ - now_us_, Micros{0}),
          .paused_for_us = std::max(paused_until_us_ - now_us_, Micros{0}),
          .next_pause_us = next_pause_us_};
}

void RateControl::give_up() {
  limit_.reset();
  reductions_ = 0;
  narrow_until_us_ = 0;
  paused_until_us_ = now_us_ + next_pause_us_;
  next_pause_us_ = std::min(2 * next_pause_us_, pause_us_max);
}

void RateControl::reduce(double sent_bytes, double part, Micros round_trip_us) {
  if (reductions_ == 0) longest_queue_us_ = queue_us_;
  const double before = std::min(limit_.value_or(sent_bytes), sent_bytes);
  limit_ = std::max(std::clamp(part, reduction_least, reduction_most) * before, least_bytes_per_s);
  ++reductions_;
  judged_at_us_ = now_us_ + round_trip_us;
  obeyed_by_us_ = now_us_ + obeyed_us_max;
}

// A growing queue delays acknowledgements by its growth, also if others fill it. All further
// missing blocks have found the queue full.
std::optional<double> RateControl::deficient_share() const {
  if (standing_s_ < standing_.size()) return std::nullopt;
  double blocks = 0, arrived = 0;
  for (const Second& second : standing_) {
    blocks += second.blocks;
    arrived += second.arrived;
  }
  const Second& first = standing_[standing_s_ % standing_.size()];
  const double window_us = 1e6 * static_cast<double>(standing_.size());
  const double late = static_cast<double>(queue_us_ - first.queue_before_us) / window_us;
  const double share = blocks > 0 ? arrived / blocks + late : 1;
  return share < enough ? std::optional(share) : std::nullopt;
}

void RateControl::raise(const Sent& sent) {
  if (!limit_) return;
  limit_ = std::min(*limit_ * raise_per_update, ample * std::max(sent.bytes, least_bytes_per_s));
  if (!sent.held_back && *limit_ >= ample * sent.bytes) limit_.reset();
}

// A reduction takes some seconds, because the stretch follows the limit step by step. The nearest
// entities are sent in any case.
bool RateControl::obeyed(double sent_bytes) const {
  constexpr double about = 1.15;
  return sent_bytes <= about * *limit_ || now_us_ >= obeyed_by_us_;
}

void RateControl::update(Tick now, const Sent& sent) {
  now_us_ += to_us(updated_ ? std::max(ticks_between(*updated_, now), 0) : 0);
  updated_ = now;
  const auto reading = path_.read(now_us_);
  if (!reading) return;  // nothing is known of the last second
  const Micros grown_us = reading->queue_us - std::exchange(queue_us_, reading->queue_us);
  const bool stands = queue_us_ > PathQueue::standing_us && !sent.late_inputs;
  if (!stands || now_us_ < paused_until_us_) {
    if (queue_us_ <= PathQueue::standing_us && reductions_ > 0) {
      narrow_until_us_ = now_us_ + narrow_us;
      next_pause_us_ = pause_us;
    }
    standing_s_ = 0;
    reductions_ = 0;
    return raise(sent);
  }
  standing_[standing_s_++ % standing_.size()] = {sent.blocks, sent.blocks_arrived,
                                                 queue_us_ - grown_us};
  const double growth = static_cast<double>(std::max(Micros{0}, grown_us)) * 1e-6;
  if (!limit_) {
    const bool narrow = now_us_ < narrow_until_us_;
    const auto share = narrow ? std::optional(1 / (1 + growth)) : deficient_share();
    if (share) reduce(sent.bytes, carried_share * *share, reading->round_trip_us);
    return;
  }
  longest_queue_us_ = std::max(longest_queue_us_, queue_us_);
  const bool drains = reductions_ > 0 && grown_us < 0;
  if (drains || now_us_ < judged_at_us_ || !obeyed(sent.bytes)) return;
  const bool yielded =
      static_cast<double>(queue_us_) < yields * static_cast<double>(longest_queue_us_);
  if (reductions_ >= tries_max && !yielded) return give_up();
  reduce(sent.bytes, carried_share / (1 + growth), reading->round_trip_us);
}

}  // namespace perigee::worker
