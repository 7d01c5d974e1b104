#include "perigee/worker/snapshots/rate_control.hpp"

#include <algorithm>
#include <utility>

namespace perigee::worker {
namespace {

/// A reduction is to a part of the rate between these: the steeper the queue grows, the lower.
constexpr double reduction_least = 0.4, reduction_most = 0.75;
constexpr double carried_share = 0.9;
constexpr double raise_per_update = 1.06;
/// A limit that is this multiple of what is sent limits nothing.
constexpr double ample = 2;
/// The queue must shrink to this part, or the reductions had no effect.
constexpr double yields = 0.9;
/// A reduction counts as obeyed after this time, even if more is sent.
constexpr Micros obeyed_us_max = 6'000'000;

}  // namespace

// A queue that grows by g seconds a second gets 1 + g times what the path carries.
void RateControl::reduce(double sent_bytes, const Queue& queue) {
  if (reductions_ == 0) longest_queue_us_ = queue_us_;
  const bool yielded =
      static_cast<double>(queue_us_) < yields * static_cast<double>(longest_queue_us_);
  if (reductions_ >= tries_max && !yielded) {
    limit_.reset();
    reductions_ = 0;
    paused_until_us_ = now_us_ + pause_us;
    return;
  }
  const double before = std::min(limit_.value_or(sent_bytes), sent_bytes);
  const double growth = static_cast<double>(std::max(Micros{0}, queue.grown_us)) * 1e-6;
  const double part = std::clamp(carried_share / (1 + growth), reduction_least, reduction_most);
  limit_ = std::max(part * before, least_bytes_per_s);
  ++reductions_;
  judged_at_us_ = now_us_ + queue.round_trip_us;
  obeyed_by_us_ = now_us_ + obeyed_us_max;
}

void RateControl::raise(const Sent& sent) {
  if (!limit_) return;
  limit_ = std::min(*limit_ * raise_per_update, ample * std::max(sent.bytes, least_bytes_per_s));
  if (!sent.held_back && *limit_ >= ample * sent.bytes) limit_.reset();
}

// A reduction takes some seconds: the stretch follows the limit. What is near is sent in any case.
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
  if (now_us_ < paused_until_us_) return;
  if (queue_us_ <= PathQueue::standing_us) {
    reductions_ = 0;
    return raise(sent);
  }
  longest_queue_us_ = std::max(longest_queue_us_, queue_us_);
  const bool drains = reductions_ > 0 && grown_us < 0;
  const bool waits = limit_ && (drains || now_us_ < judged_at_us_ || !obeyed(sent.bytes));
  if (!waits) reduce(sent.bytes, {reading->round_trip_us, grown_us});
}

}  // namespace perigee::worker
