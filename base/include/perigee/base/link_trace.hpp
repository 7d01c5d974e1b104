/// A recording of a real path: delays and loss over time, times at which packets were let through,
/// or the distribution of delays. The callers read the files.
#pragma once

#include <string_view>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

struct LinkTrace {
  static constexpr std::size_t entries_max = 1'000'000;
  /// Bytes that one delivery carries, as in mahimahi's traces.
  static constexpr std::size_t delivery_bytes = 1500;

  struct Row {
    Micros at_us = 0;
    double delay_ms = 0;  ///< one way
    double loss = 0;      ///< 0..1
  };
  /// By time; the trace restarts at the last row. Empty: the profile's own values apply.
  std::vector<Row> rows;
  /// By time: each lets delivery_bytes through; the trace restarts at the last one. Empty: packets
  /// pass at once.
  std::vector<Micros> deliveries_us;
  /// A packet that would have to wait longer is lost: a router's queue is finite, too.
  Micros queue_us_max = 2'000'000;
  /// A random one of these, times LinkProfile::jitter_ms, is added to the delay. Empty: uniform.
  std::vector<float> spread;

  /// Time until the trace restarts; 0: the trace has neither rows nor deliveries.
  Micros length_us() const;
  const Row& row_at(Micros now_us) const;
  /// Time of the `turn`-th delivery, counted through all repetitions.
  Micros delivery_us(std::uint64_t turn) const;
  /// The first delivery that is not before `now_us`.
  std::uint64_t turn_at(Micros now_us) const;
};

/// Parses `text` line by line; '#' begins a comment. The kind follows from the content:
///   time_ms delay_ms loss    each line; delay is a ping, half of it each way, loss 0..1 each way
///   time_ms                  each line: a packet is let through, as in mahimahi's traces
/// The error names the line.
Result<LinkTrace> read_link_trace(std::string_view text);
/// iproute2's tables of delays (normal.dist, pareto.dist ...): numbers, 8192 to a unit.
Result<LinkTrace> read_spread_table(std::string_view text);

}  // namespace perigee
