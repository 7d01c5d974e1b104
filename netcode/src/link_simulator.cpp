#include "perigee/netcode/link_simulator.hpp"

#include <algorithm>

#include "perigee/netcode/hash.hpp"

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
  StallMs
};

LinkProfile way(double delay_ms, double jitter_ms, double loss) {
  return {.delay_ms = delay_ms, .jitter_ms = jitter_ms, .loss = loss};
}

std::vector<LinkPair> make_profiles() {
  std::vector<LinkPair> all;
  const auto symmetric = [&](std::string_view name, std::string_view about, LinkProfile each) {
    all.push_back({name, about, each, each});
  };
  symmetric("P0", "LAN, 1 ms", way(0.5, 0, 0));
  symmetric("P1", "good: 50 +- 2 ms, 0.1 % loss", way(25, 1, 0.001));
  symmetric("P2", "average: 100 +- 20 ms, 1 % loss", way(50, 10, 0.01));
  symmetric("P3", "far: 300 +- 30 ms, 1 % loss", way(150, 15, 0.01));
  symmetric("P4", "satellite: 700 +- 50 ms, 2 % loss", way(350, 25, 0.02));
  LinkProfile wifi = way(20, 2.5, 0);
  wifi.burst_loss = 0.02;
  wifi.burst_packets_mean = 4;
  wifi.stall_every_s = 5;
  symmetric("P5", "bursty wifi: 40 +- 5 ms, 2 % loss in bursts, stalls", wifi);
  LinkProfile shuffled = way(25, 1, 0.001);
  shuffled.reorder = 0.1;
  shuffled.duplicate = 0.01;
  symmetric("P6", "reorder-heavy: 10 % displaced by up to 60 ms, 1 % duplicated", shuffled);
  all.push_back({"P7", "asymmetric: 20 ms up, 80 ms down, +- 5", way(20, 5, 0), way(80, 5, 0)});
  return all;
}

}  // namespace

const std::vector<LinkPair>& link_profiles() {
  static const std::vector<LinkPair> profiles = make_profiles();
  return profiles;
}

Result<LinkPair> find_link_profile(std::string_view name) {
  std::string names;
  for (const LinkPair& pair : link_profiles()) {
    if (pair.name == name) return pair;
    names += (names.empty() ? "" : ", ") + std::string(pair.name);
  }
  return Error{"profile '" + std::string(name) + "' is not one of " + names};
}

LinkSimulator::LinkSimulator(const LinkProfile& profile, std::uint64_t seed, std::uint64_t link,
                             std::uint32_t direction)
    : profile_(profile), seed_(mix64(seed, link, direction)) {}

double LinkSimulator::chance(std::uint64_t purpose) const {
  return unit_interval(mix64(seed_, slot_, static_cast<std::uint64_t>(index_), purpose));
}

// Gilbert-Elliott stepped per 16 ms, about one packet of 60 Hz traffic: leaving probability
// 1/mean, entering so that the long-run share of lost steps is burst_loss.
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

// One stall per interval of mean length, at a place and of a length that the hash picks.
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
  const double roll = chance(Purpose::Jitter);
  double delay_ms = profile_.delay_ms;
  if (trace != nullptr && !trace->rows.empty()) delay_ms = trace->row_at(now_us).delay_ms;
  if (trace == nullptr || trace->spread.empty())
    return delay_ms + profile_.jitter_ms * (2 * roll - 1);
  const auto size = static_cast<double>(trace->spread.size());
  return delay_ms +
         profile_.jitter_ms * double{trace->spread[static_cast<std::size_t>(roll * size)]};
}

// In turn, as through a router; none: it would have to wait for too long.
std::optional<Micros> LinkSimulator::let_through(Micros now_us) {
  const LinkTrace* trace = profile_.trace.get();
  if (trace == nullptr || trace->deliveries_us.empty()) return now_us;
  next_turn_ = std::max(next_turn_, trace->turn_at(now_us));
  const Micros at_us = trace->delivery_us(next_turn_);
  if (at_us - now_us > LinkTrace::queue_us_max) return std::nullopt;
  ++next_turn_;
  return at_us;
}

LinkSimulator::Fate LinkSimulator::send(Micros now_us) {
  const auto slot = static_cast<std::uint64_t>(now_us / 1000);
  index_ = slot == slot_ ? index_ + 1 : 0;
  slot_ = slot;
  const bool burst = in_burst(now_us);
  const bool rows = profile_.trace != nullptr && !profile_.trace->rows.empty();
  const double loss = rows ? profile_.trace->row_at(now_us).loss : profile_.loss;
  if (burst || chance(Purpose::Loss) < loss) return {};
  const auto leaves = let_through(stall_end(now_us));
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
