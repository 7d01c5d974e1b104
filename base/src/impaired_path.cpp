#include "perigee/base/impaired_path.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace perigee {

void ImpairedPath::use(Micros now_us, std::optional<LinkSimulator> link) {
  link_ = std::move(link);
  link_began_us_ = now_us;
  if (!link_ || !slots_.empty()) return;
  slots_.resize(underway_max);
  free_.resize(underway_max);
  std::iota(free_.begin(), free_.end(), 0U);
  due_.reserve(underway_max);
}

void ImpairedPath::send(Micros now_us, const Address& peer, std::span<const std::byte> datagram) {
  if (!link_) return add(now_us, peer, datagram);
  const LinkSimulator::Fate fate = link_->send(now_us - link_began_us_, datagram.size());
  for (const auto& arrives_us : {fate.arrives_us, fate.duplicate_us}) {
    if (arrives_us) add(link_began_us_ + *arrives_us, peer, datagram);
  }
}

void ImpairedPath::add(Micros at_us, const Address& peer, std::span<const std::byte> datagram) {
  if (free_.empty() || datagram.size() > datagram_bytes_max) {
    ++overflowed_;
    return;
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  Slot& slot = slots_[number];
  slot.peer = peer;
  slot.bytes = datagram.size();
  std::ranges::copy(datagram, slot.datagram.begin());
  due_.push_back({at_us, order_++, number});
  std::ranges::push_heap(due_, later);
}

std::optional<ImpairedPath::Arrival> ImpairedPath::receive(Micros now_us) {
  if (due_.empty() || due_.front().at_us > now_us) return std::nullopt;
  const Due due = due_.front();
  std::ranges::pop_heap(due_, later);
  due_.pop_back();
  free_.push_back(due.slot);
  Slot& slot = slots_[due.slot];
  return Arrival{due.at_us, slot.peer, std::span(slot.datagram).first(slot.bytes)};
}

std::optional<Micros> ImpairedPath::next_us() const {
  return due_.empty() ? std::nullopt : std::optional(due_.front().at_us);
}

}  // namespace perigee
