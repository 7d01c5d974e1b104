/// One direction of a path on which datagrams wait and are lost as a LinkSimulator decides. It
/// keeps the datagrams that are underway.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/link_simulator.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

class ImpairedPath {
 public:
  static constexpr std::size_t underway_max = 1024;  ///< further datagrams are lost
  static constexpr std::size_t datagram_bytes_max = 1280;

  /// New datagrams meet this link from now on; those underway arrive when they would have arrived.
  /// None: new ones arrive at once. The first link takes the memory.
  void use(Micros now_us, std::optional<LinkSimulator> link);
  /// A link is in use, or datagrams of an earlier one are underway.
  bool engaged() const { return link_ || !due_.empty(); }

  /// Sends a datagram from or to `peer`. Times must not decrease.
  void send(Micros now_us, const Address& peer, std::span<const std::byte> datagram);
  struct Arrival {
    Micros at_us = 0;
    Address peer;
    std::span<std::byte> datagram;  ///< valid until the next call
  };
  /// The next datagram that has arrived by now, in order of arrival.
  std::optional<Arrival> receive(Micros now_us);
  /// Time of the next arrival.
  std::optional<Micros> next_us() const;
  /// Datagrams that found no room.
  std::uint64_t overflowed() const { return overflowed_; }

 private:
  struct Slot {
    Address peer;
    std::size_t bytes = 0;
    std::array<std::byte, datagram_bytes_max> datagram{};
  };
  struct Due {
    Micros at_us = 0;
    std::uint64_t order = 0;  ///< of two arrivals at the same time, the one sent first
    std::uint32_t slot = 0;
  };
  static bool later(const Due& a, const Due& b) {
    return a.at_us != b.at_us ? a.at_us > b.at_us : a.order > b.order;
  }
  void add(Micros at_us, const Address& peer, std::span<const std::byte> datagram);

  std::optional<LinkSimulator> link_;
  Micros link_began_us_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<Due> due_;  ///< a heap, the next arrival first
  std::uint64_t order_ = 0;
  std::uint64_t overflowed_ = 0;
};

}  // namespace perigee
