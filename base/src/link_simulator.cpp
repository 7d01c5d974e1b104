#include "perigee/base/link_simulator.hpp"

#include <algorithm>

#include "perigee/base/hash.hpp"

namespace perigee {
namespace {

enum Purpose : std::uint64_t {
  Loss = 1,
  Jitter,
  Reorder,
  ReorderBy,
  Duplicate,
  Burst,
  Stall,
  StallMs,
  Phase
};

}  // namespace

LinkSimulator::LinkSimulator(const LinkProfile& profile, std::uint64_t seed, std::uint64_t link,
                             std::uint32_t direction)
    : profile_(profile), seed_(mix64(seed, link, direction)) {
  if (profile_.trace == nullptr) return;
  const double part = unit_interval(mix64(seed, link, std::uint64_t{Purpose::Phase}));
  trace_phase_us_ = static_cast<Micros>(part * static_cast<double>(profile_.trace->length_us()));
}

double LinkSimulator::chance(std::uint64_t purpose) const {
  return unit_interval(mix64(seed_, slot_, static_cast<std::uint64_t>(index_), purpose));
}

// Gilbert-Elliott, stepped per 16 ms, about one packet of 60 Hz traffic: the leaving probability is
// 1/mean, the entering probability makes burst_loss the long-run share of lost steps.
bool LinkSimulator::in_burst(Micros now_us) {
  if (profile_.burst_loss <= 0) return false;
  const auto step = static_cast<std::uint64_t>(now_us / 16'000);
  const double leave = 1.0 / profile_.burst_packets_mean;
  const double enter = leave * profile_.burst_loss / (1 - profile_.burst_loss);
  burst_step_ = std::max(burst_step_, step > 4096 ? step - 4096 : 0);  // bounded work after a gap
  for (; burst_step_ < step; ++burst_step_) {
    const double roll = unit_interval(mix64(seed_, burst_step_, Purpose::Burst));
    burst_ = burst_ ? roll >= leave : roll < enter;
  }
  return burst_;
}

// One stall per interval of mean length; the hash picks its place and length.
Micros LinkSimulator::stall_end(Micros at_us) const {
  if (profile_.stall_every_s <= 0) return at_us;
  const auto interval = static_cast<Micros>(profile_.stall_every_s * 1e6);
  const auto n = static_cast<std::uint64_t>(at_us / interval);
  const double length_ms =
      profile_.stall_ms_min + (profile_.stall_ms_max - profile_.stall_ms_min) *
                                  unit_interval(mix64(seed_, n, Purpose::StallMs));
  const auto length_us = static_cast<Micros>(length_ms * 1e3);
  const auto start = static_cast<Micros>(n) * interval +
                     static_cast<Micros>(unit_interval(mix64(seed_, n, Purpose::Stall)) *
                                         static_cast<double>(interval - length_us));
  return at_us >= start && at_us < start + length_us ? start + length_us : at_us;
}

double LinkSimulator::delay_ms(Micros now_us) const {
  const LinkTrace* trace = profile_.trace.get();
  const LinkTrace::Row* row = row_at(now_us);
  const double roll = chance(Purpose::Jitter);
  const double delay_ms = row != nullptr ? row->delay_ms : profile_.delay_ms;
  if (trace == nullptr || trace->spread.empty())
    return delay_ms + profile_.jitter_ms * (2 * roll - 1);
  const auto size = static_cast<double>(trace->spread.size());
  return delay_ms +
         profile_.jitter_ms * double{trace->spread[static_cast<std::size_t>(roll * size)]};
}

const LinkTrace::Row* LinkSimulator::row_at(Micros now_us) const {
  const LinkTrace* trace = profile_.trace.get();
  if (trace == nullptr || trace->rows.empty()) return nullptr;
  return &trace->row_at(now_us + trace_phase_us_);
}

// Packets pass in order, as through a router: a delivery carries a number of bytes, of several
// packets or of a part of one. None: the packet would have to wait too long.
std::optional<Micros> LinkSimulator::let_through(Micros now_us, std::size_t bytes) {
  if (profile_.bytes_per_s > 0) return let_through_at_rate(now_us, bytes);
  const LinkTrace* trace = profile_.trace.get();
  if (trace == nullptr || trace->deliveries_us.empty()) return now_us;
  const std::uint64_t first = trace->turn_at(now_us + trace_phase_us_);
  std::uint64_t turn = std::max(turn_, first);
  std::size_t left = turn == turn_ ? turn_bytes_left_ : LinkTrace::delivery_bytes;
  std::size_t owed = bytes + header_bytes;
  while (owed > left) {
    owed -= left;
    left = LinkTrace::delivery_bytes;
    ++turn;
  }
  const Micros at_us = trace->delivery_us(turn) - trace_phase_us_;
  if (at_us - now_us > trace->queue_us_max) return std::nullopt;
  turn_ = turn;
  turn_bytes_left_ = left - owed;
  return at_us;
}

std::optional<Micros> LinkSimulator::let_through_at_rate(Micros now_us, std::size_t bytes) {
  const double begins_us = std::max(free_us_, static_cast<double>(now_us));
  if (begins_us - static_cast<double>(now_us) > profile_.queue_ms_max * 1e3) return std::nullopt;
  free_us_ = begins_us + static_cast<double>(bytes + header_bytes) * 1e6 / profile_.bytes_per_s;
  return static_cast<Micros>(free_us_);
}

std::optional<Micros> LinkSimulator::way_us(Micros now_us) const {
  const LinkTrace* trace = profile_.trace.get();
  const LinkTrace::Row* row = row_at(now_us);
  if (row != nullptr && row->loss >= 1) return std::nullopt;
  const double delay_ms = row != nullptr ? row->delay_ms : profile_.delay_ms;
  const auto queue_us = std::max(static_cast<Micros>(free_us_) - now_us, Micros{0});
  const auto delay_us = static_cast<Micros>(delay_ms * 1e3) + queue_us;
  if (trace == nullptr || trace->deliveries_us.empty()) return delay_us;
  const std::uint64_t turn = std::max(turn_, trace->turn_at(now_us + trace_phase_us_));
  return delay_us + trace->delivery_us(turn) - trace_phase_us_ - now_us;
}

LinkSimulator::Fate LinkSimulator::send(Micros now_us, std::size_t bytes) {
  const auto slot = static_cast<std::uint64_t>(now_us / 1000);
  index_ = slot == slot_ ? index_ + 1 : 0;
  slot_ = slot;
  const bool burst = in_burst(now_us);
  const LinkTrace::Row* row = row_at(now_us);
  const double loss = row != nullptr ? row->loss : profile_.loss;
  if (burst || chance(Purpose::Loss) < loss) return {};
  const auto leaves = let_through(stall_end(now_us), bytes);
  if (!leaves) return {};
  double delay_ms = this->delay_ms(now_us);
  if (chance(Purpose::Reorder) < profile_.reorder) {
    delay_ms += profile_.reorder_ms_max * chance(Purpose::ReorderBy);
  }
  Fate fate;
  fate.arrives_us = *leaves + static_cast<Micros>(std::max(delay_ms, 0.0) * 1e3);
  if (chance(Purpose::Duplicate) < profile_.duplicate) {
    fate.duplicate_us = *fate.arrives_us + 1000;
  }
  return fate;
}

}  // namespace perigee
