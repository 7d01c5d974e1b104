/// The cluster's only stream of random numbers. All processes draw from it, so the order of draws
/// decides their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/base/hash.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::lab {

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : state_(seed) {}
  RandomStream(const RandomStream&) = delete;
  RandomStream& operator=(const RandomStream&) = delete;

  std::uint64_t next() { return state_ = mix64(state_); }
  /// One draw for each byte.
  void fill(std::span<std::byte> out) {
    for (std::byte& b : out) b = static_cast<std::byte>(next());
  }
  /// Draws from this stream, which must outlive the function.
  transport::RandomBytes bytes() {
    return [this](std::span<std::byte> out) { fill(out); };
  }

 private:
  std::uint64_t state_;
};

}  // namespace perigee::lab
