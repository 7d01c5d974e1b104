/// Limits of one HTTP port, and why its connections are dropped.
#pragma once

#include <cstdint>

#include "perigee/base/counts.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::host {

struct HttpLimits {
  /// More connections: the source address with the most connections loses one.
  std::uint32_t connections_max = 256;
  std::uint32_t body_bytes_max = 0;
  Micros request_us_max = 2'000'000;  ///< from the connection to its complete request
  Micros answer_us_max = 10'000'000;  ///< for making the answer; again for the client to read it
  Micros linger_us_max = 1'000'000;   ///< then, for the client to close
  std::uint32_t answer_bytes_max = 32U << 20U;  ///< of all answers that are not sent yet
};

/// Why a connection was closed before its answer, or answered with a refusal of its bytes.
enum class HttpDrop : std::uint8_t {
  Slow,
  Crowded,    ///< of the source address with the most connections of a full port
  Malformed,  ///< not HTTP, or more than the port accepts
  last = Malformed
};

inline constexpr std::array http_drop_rows = {
    CountRow<HttpDrop>{HttpDrop::Slow, "slow", "Request or reading of the answer was too slow."},
    CountRow<HttpDrop>{HttpDrop::Crowded, "crowded", "The port has its maximum of connections."},
    CountRow<HttpDrop>{HttpDrop::Malformed, "malformed", "Not a request that the port accepts."},
};
static_assert(one_row_each(http_drop_rows));

}  // namespace perigee::host
