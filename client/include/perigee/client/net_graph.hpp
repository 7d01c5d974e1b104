/// The last seconds of a client's connection in short equal intervals, for a graph on the screen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "perigee/base/tick.hpp"

namespace perigee::client {

/// One interval of the graph.
struct NetSample {
  Micros end_us = 0;
  Micros rtt_us = 0;  ///< these three at its end
  Micros jitter_us = 0;
  Micros lead_us = 0;
  std::uint32_t packets_received = 0;
  std::uint32_t packets_lost = 0;  ///< of the server's, so far; a late one may have been counted
  std::uint32_t bytes_received = 0;
  std::uint32_t packets_sent = 0;
  std::uint32_t bytes_sent = 0;
  std::uint32_t corrections = 0;
  double correction_m_max = 0;
};

class NetGraph {
 public:
  static constexpr Micros sample_us = 50'000;
  static constexpr std::size_t samples_max = 256;  ///< 12.8 s

  void on_received(std::size_t bytes);
  void on_lost(std::uint64_t packets) { open_.packets_lost += static_cast<std::uint32_t>(packets); }
  void on_sent(std::size_t bytes);
  void on_correction(double meters);

  struct Gauges {
    Micros rtt_us = 0;
    Micros jitter_us = 0;
    Micros lead_us = 0;
  };
  /// Once per frame: ends the intervals that are over. Counts of a long frame belong to the first
  /// of them.
  void advance(Micros now_us, const Gauges& gauges);

  std::size_t size() const { return size_; }
  /// Finished intervals, the oldest is 0.
  const NetSample& operator[](std::size_t index) const {
    return samples_[(next_ + samples_max - size_ + index) % samples_max];
  }

 private:
  std::array<NetSample, samples_max> samples_{};
  std::size_t next_ = 0;
  std::size_t size_ = 0;
  NetSample open_;  ///< end_us 0: before the first frame
};

}  // namespace perigee::client
