/// Spans of a gateway's part of a log-in: the claim of the token, and the join at a worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

#include "perigee/tracing/span.hpp"

namespace perigee::tracing {

class ConnectSpans {
 public:
  static constexpr std::size_t open_max = 1'024;     ///< of each part; further ones are left out
  static constexpr Micros open_us_max = 30'000'000;  ///< older ones are forgotten

  explicit ConnectSpans(std::function<void(Span)> emit) : emit_(std::move(emit)) {}

  /// The session service is asked, perhaps again, whether the token may open its session.
  void claim(Micros now_us, std::uint64_t claim_id, std::uint64_t client_id);
  void claimed(Micros now_us, std::uint64_t claim_id, bool granted);
  /// A worker has the client's avatar.
  void joined(Micros now_us, std::uint64_t client_id);

 private:
  struct Open {
    std::uint64_t client_id = 0;
    Micros since_us = 0;
  };
  using ById = std::map<std::uint64_t, Open>;
  static void begin(ById& open, Micros now_us, std::uint64_t id, std::uint64_t client_id);

  const std::function<void(Span)> emit_;
  ById claims_;  ///< by claim id
  ById joins_;   ///< by client id
};

}  // namespace perigee::tracing
