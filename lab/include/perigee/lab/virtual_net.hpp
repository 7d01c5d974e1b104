/// The network between the virtual cluster's processes, and its faults.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/lab/mishaps.hpp"

namespace perigee::lab {

inline constexpr Address gateway_public = Address::v4(10, 0, 0, 1, 40000);
inline constexpr Address gateway_fabric = Address::v4(10, 0, 1, 1, 40030);
inline constexpr std::uint8_t worker_host = 10;  ///< of the first worker
constexpr Address worker_fabric(std::uint32_t index) {
  return Address::v4(10, 0, 1, static_cast<std::uint8_t>(worker_host + index), 40040);
}
/// Index of the worker with this fabric address.
constexpr Party worker_at(const Address& fabric) { return Party{fabric.ip[3]} - worker_host; }
inline constexpr Micros fabric_delay_us = 100;

using Bytes = std::vector<std::byte>;
inline Bytes copy_of(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

using Ends = std::pair<Party, Party>;
constexpr Ends between(Party a, Party b) { return std::minmax(a, b); }

/// The faults between two endpoints.
struct Weather {
  int cuts = 0;        ///< number of overlapping cuts
  Micros slow_us = 0;  ///< maximum delay
  double lost = 0;     ///< of datagrams, 0..1
};

class Net {
 public:
  Weather& at(Party a, Party b) { return weather_[between(a, b)]; }
  const Weather& at(Party a, Party b) const {
    static const Weather fair;
    const auto found = weather_.find(between(a, b));
    return found == weather_.end() ? fair : found->second;
  }
  bool cut(Party a, Party b) const { return at(a, b).cuts > 0; }

 private:
  std::map<Ends, Weather> weather_;
};

}  // namespace perigee::lab
