/// The paths of clients behind doors: the address from which a door sends for one player, with the
/// player's address from the sealed header. A header is verified once, and compared afterwards.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/gateway/counts.hpp"
#include "perigee/transport/door_header.hpp"
#include "perigee/transport/fixed_table.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::gateway {

struct DoorKeys {
  transport::Key current{};
  std::optional<transport::Key> previous;
};

class DoorPaths {
 public:
  /// A path without datagrams is forgotten after this time: as long as a client's longest silence.
  static constexpr Micros silence_us_max = 15'000'000;

  struct Needs {
    std::size_t paths_max = 0;  ///< 0: there are no doors
    std::uint64_t salt = 0;
    Counts<Drop>& drops;
  };
  explicit DoorPaths(const Needs& needs);

  /// Headers of other keys are refused from now on, also on known paths.
  void set_keys(const DoorKeys& keys);
  struct Opened {
    Address player;
    std::span<std::byte> datagram;  ///< of the client; not empty
  };
  /// Nothing: it was counted and dropped.
  std::optional<Opened> open(Micros now_us, const Address& path, std::span<std::byte> sealed);
  bool knows(const Address& path) const { return table_.size() > 0 && table_.find(path); }
  std::size_t size() const { return table_.size(); }
  /// Forgets silent paths; once a second, calls in between return at once.
  void advance(Micros now_us);

 private:
  struct Path {
    Address address;  ///< invalid: free
    Address player;
    transport::DoorHeader verified{};  ///< zeros, which no header is: verify the next one
    Micros received_us = 0;
  };
  std::optional<Address> player_of(const Address& path,
                                   std::span<const std::byte, transport::door_header_bytes> header);
  Path* path_at(const Address& address);

  Needs needs_;
  DoorKeys keys_;
  std::vector<Path> paths_;
  std::vector<std::uint32_t> free_;
  transport::FixedTable<Address> table_;
  Micros next_sweep_us_ = 0;
};

}  // namespace perigee::gateway
