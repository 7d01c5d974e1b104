/// The metric tables of a process (base/metric_table.hpp) in Prometheus. Counting is plain
/// arithmetic of one thread; flush() passes the sums to Prometheus once per tick or turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/counts.hpp"
#include "perigee/base/metric_table.hpp"
#include "perigee/host/http_limits.hpp"
#include "perigee/host/settings.hpp"

namespace perigee::host {

/// All families of a process, as in /metrics. Any thread.
class Metrics {
 public:
  /// Also exports the metrics common to all processes: perigee_build_info for `process`, CPU time,
  /// memory, dropped output, connections that the admin port dropped.
  explicit Metrics(std::string_view process);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;
  void count_admin_drop(HttpDrop reason);
  /// Prometheus text format 0.0.4.
  std::string scrape() const;
  /// One Markdown row per family: name; type and unit; labels with their values; meaning.
  std::string markdown() const;
  /// One Markdown row per family: name; the note of its row.
  std::string notes() const;

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// The options --print-metrics and --print-metric-notes, which docs/metrics.md is made from.
/// `register_tables` makes all tables of the process.
void declare_metrics(Settings& settings, std::string_view process,
                     std::function<void(Metrics&)> register_tables);

namespace detail {

/// The untyped series of a table, by their index in it.
class Series {
 public:
  Series(Metrics& metrics, const MetricRows& table);
  ~Series();
  void add(std::size_t series, std::uint64_t count);
  void follow(std::size_t series, std::uint64_t total);
  void set(std::size_t series, double value);
  void observe(std::size_t series, double value);
  void flush();

 private:
  struct Cell;
  std::vector<Cell> cells_;
};

}  // namespace detail

/// The series of a table, used by one thread.
template <class Table>
class MetricSeries {
 public:
  using Counter = typename Table::Counter;

  /// `table` is a constant of the program.
  MetricSeries(Metrics& metrics, const Table& table) : table_(table), series_(metrics, table) {}
  void add(Counter counter, std::uint64_t count = 1) { series_.add(counter.series, count); }
  /// For totals that a sans-I/O core counts: sets the counter to `total`.
  void follow(Counter counter, std::uint64_t total) { series_.follow(counter.series, total); }
  void follow(const Counts<Counter>& totals) {
    for_each_counter([&](Counter counter) { follow(counter, totals[counter]); });
  }
  template <class Key>
  void follow(typename Table::template CounterOf<Key> counters, const Counts<Key>& totals) {
    for (std::size_t i = 0; i < enum_count<Key>; ++i) {
      const auto key = static_cast<Key>(i);
      follow(counters[key], totals[key]);
    }
  }
  /// For cores that are replaced, and count from zero again: adds what has been counted since
  /// `exported`, and updates that.
  void add_since(Counts<Counter>& exported, const Counts<Counter>& totals) {
    for_each_counter([&](Counter counter) { add(counter, totals[counter] - exported[counter]); });
    exported = totals;
  }
  template <class Key>
  void add_since(typename Table::template CounterOf<Key> counters, Counts<Key>& exported,
                 const Counts<Key>& totals) {
    for (std::size_t i = 0; i < enum_count<Key>; ++i) {
      const auto key = static_cast<Key>(i);
      add(counters[key], totals[key] - exported[key]);
    }
    exported = totals;
  }
  /// Set rarely (once a second or on change): values are published at once.
  void set(typename Table::Gauge gauge, double value) { series_.set(gauge.series, value); }
  void observe(typename Table::Histogram histogram, double value) {
    series_.observe(histogram.series, value);
  }
  void flush() { series_.flush(); }

 private:
  template <class Visit>
  void for_each_counter(Visit visit) const {
    for (const MetricFamily& family : table_.families()) {
      if (family.kind != MetricKind::Counter) continue;
      for (std::size_t i = 0; i < family.series; ++i) {
        visit(Counter{static_cast<std::uint16_t>(family.first + i)});
      }
    }
  }

  const Table& table_;
  detail::Series series_;
};

}  // namespace perigee::host
