#include "perigee/gateway/door_paths.hpp"

#include <algorithm>

namespace perigee::gateway {
namespace {

constexpr Micros sweep_period_us = 1'000'000;

}  // namespace

DoorPaths::DoorPaths(const Needs& needs)
    : needs_(needs), paths_(needs.paths_max), table_(needs.paths_max, needs.salt) {
  for (std::size_t i = needs.paths_max; i > 0; --i) {
    free_.push_back(static_cast<std::uint32_t>(i - 1));
  }
}

void DoorPaths::set_keys(const DoorKeys& keys) {
  keys_ = keys;
  for (Path& path : paths_) path.verified = {};
}

std::optional<DoorPaths::Opened> DoorPaths::open(Micros now_us, const Address& path,
                                                 std::span<std::byte> sealed) {
  const auto drop = [this](Drop reason) {
    needs_.drops.add(reason);
    return std::nullopt;
  };
  if (sealed.size() <= transport::door_header_bytes) return drop(Drop::DoorHeaderMalformed);
  const auto header = sealed.first<transport::door_header_bytes>();
  const auto datagram = sealed.subspan(transport::door_header_bytes);
  if (!transport::is_door_header(header)) return drop(Drop::DoorHeaderMalformed);
  if (const std::uint32_t* index = table_.find(path)) {
    Path& known = paths_[*index];
    if (std::equal(header.begin(), header.end(), known.verified.begin())) {
      known.received_us = now_us;
      return Opened{known.player, datagram};
    }
  }
  const auto player = player_of(path, header);
  if (!player) return drop(Drop::DoorHeaderForged);
  Path* entry = path_at(path);
  if (!entry) return drop(Drop::DoorPathsFull);
  entry->player = *player;
  entry->received_us = now_us;
  std::copy(header.begin(), header.end(), entry->verified.begin());
  return Opened{*player, datagram};
}

std::optional<Address> DoorPaths::player_of(
    const Address& path, std::span<const std::byte, transport::door_header_bytes> header) {
  const auto player = transport::open_door_header(header, path, keys_.current);
  if (player || !keys_.previous) return player;
  return transport::open_door_header(header, path, *keys_.previous);
}

/// The known path, or a new one; null: there are too many.
DoorPaths::Path* DoorPaths::path_at(const Address& address) {
  if (const std::uint32_t* index = table_.find(address)) return &paths_[*index];
  if (free_.empty()) return nullptr;
  const std::uint32_t index = free_.back();
  free_.pop_back();
  table_.insert(address, index);
  paths_[index].address = address;
  return &paths_[index];
}

void DoorPaths::advance(Micros now_us) {
  if (now_us < next_sweep_us_ || table_.size() == 0) return;
  next_sweep_us_ = now_us + sweep_period_us;
  for (std::uint32_t index = 0; index < paths_.size(); ++index) {
    Path& path = paths_[index];
    if (!path.address.valid() || now_us - path.received_us < silence_us_max) continue;
    table_.erase(path.address);
    path = {};
    free_.push_back(index);
  }
}

}  // namespace perigee::gateway
