/// One client's measurements of its own play: for the game's display, for the bots' table, and once
/// a second for the gateway's metrics.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/correction_cause.hpp"
#include "perigee/base/path_queue.hpp"
#include "perigee/base/telemetry.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/client/net_graph.hpp"

namespace perigee::client {

class TelemetryLog {
 public:
  static constexpr std::size_t rtt_samples_max = 4096;  ///< at one per tick: the last 68 s

  static constexpr std::size_t rtt_recent_max = 4;  ///< at 30 a second: 0.13 s

  void on_rtt(Micros rtt_us);
  void on_full_loop(Micros rtt_us) { full_loop_us_ = rtt_us; }
  void on_jitter(double ticks);
  void on_lead(double ticks);
  /// Corrections within 0.25 s count as one, of the larger size and the first cause.
  void on_correction(Micros now_us, double meters, CorrectionCause cause, bool on_static_ground);
  void on_packet(std::uint64_t sequence, std::size_t bytes);
  void on_sent(std::size_t bytes) { net_graph_.on_sent(bytes); }
  /// Once per frame.
  void advance(Micros now_us) { net_graph_.advance(now_us, {rtt_us_, jitter_us_, lead_us_}); }
  /// Sequences restart at 0.
  void on_new_session() { newest_sequence_ = 0; }
  /// Another server: its round trip is not known yet.
  void forget_path() {
    rtt_known_ = false;
    rtt_us_ = rtt_smoothed_us_ = full_loop_us_ = 0;
    rtt_recent_us_ = {};
    path_queue_ = {};
    queue_us_ = 0;
  }
  void on_animated() { ++second_.frames_animated; }
  /// No final state arrived for so long that prediction was restarted.
  void count_stall() { ++totals_.stalls; }
  void on_extrapolated() { ++second_.extrapolations; }
  void count_unknown_record() { ++unknown_records_; }
  void count_malformed() { ++malformed_; }

  /// The report of the last second, if one is due.
  std::optional<Telemetry> report(Micros now_us);

  struct Totals {
    std::uint64_t corrections = 0;
    std::uint64_t corrections_static = 0;  ///< while the parent was static
    std::array<std::uint64_t, enum_count<CorrectionCause>> by_cause{};
    double largest_correction_m = 0;
    std::uint64_t stalls = 0;
    std::uint64_t packets = 0;
    std::uint64_t packets_lost = 0;
    std::uint64_t bytes = 0;
  };
  const Totals& totals() const { return totals_; }
  const NetGraph& net_graph() const { return net_graph_; }
  /// Restarts totals, samples and unknown records, e.g. after a warm-up.
  void restart_totals();
  /// An echo has arrived since the last forget_path().
  bool rtt_known() const { return rtt_known_; }
  Micros rtt_us() const { return rtt_us_; }
  /// The longest of the last rtt_recent_max round trips.
  Micros rtt_recent_us_max() const { return *std::ranges::max_element(rtt_recent_us_); }
  /// Smoothed with weight 1/8 per sample, as in TCP. (RFC 6298)
  Micros rtt_smoothed_us() const { return rtt_smoothed_us_; }
  /// The queue on the path to the gateway and back, by the round trips of the last whole second.
  Micros queue_us() const { return queue_us_; }
  Micros full_loop_rtt_us() const { return full_loop_us_; }
  Micros jitter_us() const { return jitter_us_; }
  Micros lead_us() const { return lead_us_; }
  /// The newest rtt_samples_max, unordered.
  const std::vector<Micros>& rtt_samples() const { return rtt_samples_; }
  std::uint64_t unknown_records() const { return unknown_records_; }
  std::uint64_t malformed() const { return malformed_; }

 private:
  Totals totals_;
  NetGraph net_graph_;
  Telemetry second_;
  Micros second_began_us_ = 0;
  std::uint64_t second_packets_ = 0;
  std::uint64_t second_lost_ = 0;
  bool rtt_known_ = false;
  Micros rtt_us_ = 0;
  std::array<Micros, rtt_recent_max> rtt_recent_us_{};
  std::size_t rtt_recent_next_ = 0;
  Micros rtt_smoothed_us_ = 0;
  PathQueue path_queue_;
  Micros queue_us_ = 0;
  Micros full_loop_us_ = 0;
  Micros jitter_us_ = 0;
  Micros lead_us_ = 0;
  Micros last_correction_us_ = -1'000'000;
  bool last_size_listed_ = false;  ///< the last correction's size is the newest in the report
  std::uint64_t newest_sequence_ = 0;
  std::vector<Micros> rtt_samples_;  // once full, a ring
  std::size_t rtt_samples_oldest_ = 0;
  std::uint64_t unknown_records_ = 0;
  std::uint64_t malformed_ = 0;
};

}  // namespace perigee::client
