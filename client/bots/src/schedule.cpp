#include "perigee/bots/schedule.hpp"

#include <algorithm>

namespace perigee::bots {
namespace {

struct Later {
  bool operator()(const Schedule::Entry& a, const Schedule::Entry& b) const {
    return a.due_us != b.due_us ? a.due_us > b.due_us : a.order > b.order;
  }
};

}  // namespace

std::size_t Schedule::packets_for(const std::optional<LinkPair>& link) {
  constexpr double packets_per_ms = 0.18;  // 60/s up, 120/s down
  constexpr double packets_min = 32;
  if (!link) return 0;
  double ms = 0;
  for (const LinkProfile* way : {&link->up, &link->down}) {
    if (way->trace != nullptr) return packets_per_bot;
    const double stall_ms = way->stall_every_s > 0 ? way->stall_ms_max : 0;
    const double reorder_ms = way->reorder > 0 ? way->reorder_ms_max : 0;
    ms = std::max(ms, way->delay_ms + way->jitter_ms + stall_ms + reorder_ms);
  }
  return static_cast<std::size_t>(
      std::clamp(2 * ms * packets_per_ms, packets_min, static_cast<double>(packets_per_bot)));
}

Schedule::Schedule(std::uint32_t bots, std::size_t packets_each) : packets_(bots * packets_each) {
  free_.reserve(packets_.size());
  for (std::size_t i = packets_.size(); i > 0; --i) {
    free_.push_back(static_cast<std::uint32_t>(i - 1));
  }
  heap_.reserve(packets_.size() + bots);
}

void Schedule::push(const Entry& entry) {
  heap_.push_back(entry);
  heap_.back().order = order_++;
  std::push_heap(heap_.begin(), heap_.end(), Later{});
}

Schedule::Entry Schedule::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), Later{});
  const Entry entry = heap_.back();
  heap_.pop_back();
  return entry;
}

void Schedule::add_frame(Micros due_us, std::uint32_t bot) { push({.due_us = due_us, .bot = bot}); }

bool Schedule::add_packet(Micros due_us, Due way, std::uint32_t bot, const Address& peer,
                          std::span<const std::byte> bytes) {
  if (free_.empty() || bytes.size() > sizeof(Packet::storage)) return false;
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  Packet& packet = packets_[slot];
  packet.peer = peer;
  packet.size = bytes.size();
  std::copy(bytes.begin(), bytes.end(), packet.storage.begin());
  push({.due_us = due_us, .what = way, .bot = bot, .packet = slot});
  return true;
}

std::optional<Micros> Schedule::next_us() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.front().due_us;
}

}  // namespace perigee::bots
