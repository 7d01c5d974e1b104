/// Metrics as plain data. A table is a struct whose members are handles, and the initialiser of
/// each member is the row of its metric: name, label, help and the note of docs/metrics.md. The
/// export,
/// --print-metrics and the page follow from the table; nothing else lists a metric again.
///
///   struct Metrics : MetricTable<Metrics> {
///     Counter ticks = counter({.name = "sim_ticks_total", .help = "…", .note = "…"});
///     Counters inputs = counters({.name = "sim_inputs_total", .label = "result", …});
///     Counter inputs_late = value(inputs, "late");
///     CounterOf<Drop> drops = counters<Drop>({.label = "reason", …}, names_of(drop_rows));
///   };
///   inline constexpr Metrics metric;  // a wrong row does not compile
///
///   counts.add(metric.inputs_late);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "perigee/base/assert.hpp"
#include "perigee/base/counts.hpp"

namespace perigee {

enum class MetricKind : std::uint8_t { Counter, Gauge, Histogram };

struct MetricRow {
  /// Without the prefix "perigee_", with its base unit: gateway_received_bytes_total.
  std::string_view name;
  /// Its values are the series of the family; empty: one series.
  std::string_view label{};
  std::string_view help;
  /// Markdown for docs/metrics.md: the query to ask, and what to do.
  std::string_view note;
  /// The metric's name until 0.1.0; the metric is exported under both names. Empty: the same name.
  std::string_view former_name{};
  /// Histogram: upper bounds of the buckets, ascending; the relevant deadline is one of them.
  std::span<const double> bounds{};
};

/// A row with its series: `series` of them from `first` on.
struct MetricFamily {
  MetricKind kind = MetricKind::Counter;
  MetricRow row;
  std::size_t first = 0;
  std::size_t series = 0;
};

constexpr bool good_metric_name(std::string_view name) {
  if (name.empty() || name.starts_with("perigee_")) return false;
  for (const char c : name) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return false;
  }
  return true;
}

/// The rows of a table, in order, and the label value of each series.
class MetricRows {
 public:
  static constexpr std::size_t families_max = 64;
  static constexpr std::size_t series_max = 192;

  constexpr std::span<const MetricFamily> families() const {
    return {families_.data(), families_used_};
  }
  constexpr std::size_t series() const { return series_used_; }
  /// Empty for the one series of a family without a label.
  constexpr std::string_view value_of(std::size_t series) const { return values_[series]; }
  /// The value under the family's former name; empty: the same.
  constexpr std::string_view former_value_of(std::size_t series) const {
    return former_values_[series];
  }

 protected:
  /// Index of the new family.
  constexpr std::size_t add_family(MetricKind kind, const MetricRow& row) {
    PERIGEE_ASSERT(families_used_ < families_max, "raise MetricRows::families_max");
    PERIGEE_ASSERT(good_metric_name(row.name),
                   "a metric's name has a-z, 0-9 and _, without perigee_");
    PERIGEE_ASSERT(row.former_name.empty() || good_metric_name(row.former_name),
                   "a former name has no perigee_ either");
    PERIGEE_ASSERT(row.name.ends_with("_total") == (kind == MetricKind::Counter),
                   "a counter's name ends in _total, and no other one's");
    PERIGEE_ASSERT(!row.help.empty() && !row.note.empty(), "a metric has a help text and a note");
    PERIGEE_ASSERT(row.bounds.empty() == (kind != MetricKind::Histogram), "histograms have bounds");
    for (std::size_t i = 1; i < row.bounds.size(); ++i) {
      PERIGEE_ASSERT(row.bounds[i - 1] < row.bounds[i], "the bounds of a histogram ascend");
    }
    for (const MetricFamily& other : families()) {
      PERIGEE_ASSERT(other.row.name != row.name, "two metrics of a table have the same name");
    }
    families_[families_used_] = {kind, row, series_used_, 0};
    return families_used_++;
  }
  /// Index of the new series.
  constexpr std::size_t add_series(std::size_t family, std::string_view value,
                                   std::string_view former_value = {}) {
    PERIGEE_ASSERT(family + 1 == families_used_,
                   "the values of a metric stand right below its row");
    PERIGEE_ASSERT(series_used_ < series_max, "raise MetricRows::series_max");
    MetricFamily& row = families_[family];
    PERIGEE_ASSERT(row.row.label.empty() ? row.series == 0 : !value.empty(),
                   "a metric has values if it has a label");
    PERIGEE_ASSERT(former_value.empty() || !row.row.former_name.empty(),
                   "a former value is exported under a former name");
    for (std::size_t i = row.first; i < series_used_; ++i) {
      PERIGEE_ASSERT(values_[i] != value, "two values of a metric are the same");
    }
    values_[series_used_] = value;
    former_values_[series_used_] = former_value;
    ++row.series;
    return series_used_++;
  }

 private:
  std::array<MetricFamily, families_max> families_{};
  std::array<std::string_view, series_max> values_{};
  std::array<std::string_view, series_max> former_values_{};
  std::size_t families_used_ = 0;
  std::size_t series_used_ = 0;
};

/// `Table` is the struct itself, so that a handle of one table is refused by another one's counts.
template <class Table>
class MetricTable : public MetricRows {
 public:
  /// One series.
  template <MetricKind>
  struct Handle {
    std::uint16_t series = 0;
    constexpr explicit operator std::size_t() const { return series; }
    friend constexpr bool operator==(Handle, Handle) = default;
  };
  /// One series for each enumerator, or for each index, of `Key`.
  template <MetricKind Kind, class Key>
  struct Each {
    std::uint16_t first = 0;
    std::uint16_t size = 0;
    constexpr Handle<Kind> operator[](Key key) const {
      const auto index = static_cast<std::size_t>(key);
      PERIGEE_ASSERT(index < size, "a metric has a series for each key");
      return {static_cast<std::uint16_t>(first + index)};
    }
  };
  /// A family with a label; its values follow.
  template <MetricKind>
  struct Labelled {
    std::size_t family = 0;
  };

  using Counter = Handle<MetricKind::Counter>;
  using Gauge = Handle<MetricKind::Gauge>;
  using Histogram = Handle<MetricKind::Histogram>;
  using Counters = Labelled<MetricKind::Counter>;
  using Gauges = Labelled<MetricKind::Gauge>;
  using Histograms = Labelled<MetricKind::Histogram>;
  template <class Key>
  using CounterOf = Each<MetricKind::Counter, Key>;
  template <class Key>
  using GaugeOf = Each<MetricKind::Gauge, Key>;
  template <class Key>
  using HistogramOf = Each<MetricKind::Histogram, Key>;

 protected:
  constexpr Counter counter(const MetricRow& row) { return single<MetricKind::Counter>(row); }
  constexpr Gauge gauge(const MetricRow& row) { return single<MetricKind::Gauge>(row); }
  constexpr Histogram histogram(const MetricRow& row) { return single<MetricKind::Histogram>(row); }
  constexpr Counters counters(const MetricRow& row) {
    return {add_family(MetricKind::Counter, row)};
  }
  constexpr Gauges gauges(const MetricRow& row) { return {add_family(MetricKind::Gauge, row)}; }
  constexpr Histograms histograms(const MetricRow& row) {
    return {add_family(MetricKind::Histogram, row)};
  }

  /// The next series of the family right above. `former_name`: its value under the family's former
  /// name, if that differs.
  template <MetricKind Kind>
  constexpr Handle<Kind> value(Labelled<Kind> family, std::string_view name,
                               std::string_view former_name = {}) {
    return {static_cast<std::uint16_t>(add_series(family.family, name, former_name))};
  }
  template <class Key, MetricKind Kind, std::size_t N>
  constexpr Each<Kind, Key> values(Labelled<Kind> family,
                                   const std::array<std::string_view, N>& names) {
    if constexpr (std::is_enum_v<Key>) {
      static_assert(N == enum_count<Key>, "one name for each enumerator");
    }
    const std::size_t first = series();
    for (const std::string_view name : names) add_series(family.family, name);
    return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(N)};
  }
  /// A family whose values are the names of `Key`.
  template <class Key, std::size_t N>
  constexpr CounterOf<Key> counters(const MetricRow& row,
                                    const std::array<std::string_view, N>& names) {
    return values<Key>(counters(row), names);
  }
  template <class Key, std::size_t N>
  constexpr GaugeOf<Key> gauges(const MetricRow& row,
                                const std::array<std::string_view, N>& names) {
    return values<Key>(gauges(row), names);
  }
  template <class Key, std::size_t N>
  constexpr HistogramOf<Key> histograms(const MetricRow& row,
                                        const std::array<std::string_view, N>& names) {
    return values<Key>(histograms(row), names);
  }

 private:
  template <MetricKind Kind>
  constexpr Handle<Kind> single(const MetricRow& row) {
    PERIGEE_ASSERT(row.label.empty(), "the values of a metric with a label follow one by one");
    return {static_cast<std::uint16_t>(add_series(add_family(Kind, row), {}))};
  }
};

}  // namespace perigee
