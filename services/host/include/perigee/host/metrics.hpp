/// Metrics from tables that are checked at compile time. Counting is plain arithmetic in one
/// thread's table; flush() passes the sums to Prometheus once per tick or turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::host {

/// The one label of a family and all its possible values; rows without a label omit it.
struct MetricLabel {
  std::string_view name;
  std::span<const std::string_view> values;
};

/// `name` without the prefix "perigee_", with its base unit: gateway_received_bytes_total.
template <class Id>
struct CounterRow {
  Id id;
  std::string_view name;
  std::string_view help;
  MetricLabel label{};
};
template <class Id>
struct GaugeRow {
  Id id;
  std::string_view name;
  std::string_view help;
  MetricLabel label{};
};
/// `bounds`: upper bounds of the buckets, ascending; the relevant deadline is one of them.
template <class Id>
struct HistogramRow {
  Id id;
  std::string_view name;
  std::string_view help;
  std::span<const double> bounds;
  MetricLabel label{};
};

constexpr bool good_metric_name(std::string_view name) {
  if (name.empty() || name.starts_with("perigee_")) return false;
  for (const char c : name) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return false;
  }
  return true;
}
/// Every enumerator has its row, in enum order, with a name and a help sentence.
template <class Rows, class Id>
constexpr bool one_row_each(const Rows& rows, Id last) {
  if (rows.size() != static_cast<std::size_t>(last) + 1) return false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<std::size_t>(rows[i].id) != i || rows[i].help.empty() ||
        !good_metric_name(rows[i].name)) {
      return false;
    }
    if constexpr (requires { rows[i].bounds; }) {
      for (std::size_t b = 1; b < rows[i].bounds.size(); ++b) {
        if (rows[i].bounds[b] <= rows[i].bounds[b - 1]) return false;
      }
    }
  }
  return true;
}

/// Why the admin port closed a connection before it was answered.
enum class AdminDrop : std::uint8_t { Slow, Crowded, Malformed, last = Malformed };

/// All families of a process, as in /metrics. Any thread.
class Metrics {
 public:
  /// Also exports the metrics common to all processes: perigee_build_info for `process`, dropped
  /// output, connections that the admin port dropped.
  explicit Metrics(std::string_view process);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;
  void count_admin_drop(AdminDrop reason);
  /// Prometheus text format 0.0.4.
  std::string scrape() const;
  /// One Markdown row per family: name; type and unit; labels with their values; meaning.
  std::string markdown() const;

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

namespace detail {

struct FamilyRow {
  std::string_view name;
  std::string_view help;
  std::span<const double> bounds;
  MetricLabel label;
};
template <class Rows>
std::vector<FamilyRow> family_rows(const Rows& rows) {
  std::vector<FamilyRow> out;
  for (const auto& row : rows) {
    FamilyRow family{row.name, row.help, {}, row.label};
    if constexpr (requires { row.bounds; }) family.bounds = row.bounds;
    out.push_back(family);
  }
  return out;
}

/// The untyped tables: cells by (row, label value).
class Counters {
 public:
  Counters(Metrics& metrics, std::span<const FamilyRow> rows);
  ~Counters();
  void add(std::size_t row, std::size_t label, std::uint64_t count);
  void follow(std::size_t row, std::size_t label, std::uint64_t total);
  std::uint64_t total(std::size_t row, std::size_t label) const;
  void flush();

 private:
  struct Cell;
  Cell& cell(std::size_t row, std::size_t label) const;
  std::unique_ptr<Cell[]> cells_;
  std::vector<std::size_t> first_;  ///< index of each row's first cell, and the end
};

class Gauges {
 public:
  Gauges(Metrics& metrics, std::span<const FamilyRow> rows);
  ~Gauges();
  void set(std::size_t row, std::size_t label, double value);

 private:
  struct Cell;
  std::unique_ptr<Cell[]> cells_;
  std::vector<std::size_t> first_;
};

class Histograms {
 public:
  Histograms(Metrics& metrics, std::span<const FamilyRow> rows);
  ~Histograms();
  void observe(std::size_t row, std::size_t label, double value);
  void flush();

 private:
  struct Cell;
  std::unique_ptr<Cell[]> cells_;
  std::vector<std::size_t> first_;
};

template <class Value>
constexpr std::size_t index(Value value) {
  return static_cast<std::size_t>(value);
}

}  // namespace detail

/// Used by one thread; `label` is the index (or enumerator) of the label's value.
template <class Id>
class CounterTable {
 public:
  template <std::size_t Rows>
  CounterTable(Metrics& metrics, const std::array<CounterRow<Id>, Rows>& rows)
      : table_(metrics, detail::family_rows(rows)) {}
  void add(Id id, std::uint64_t count = 1) { table_.add(detail::index(id), 0, count); }
  template <class Label>
  void add_labelled(Id id, Label label, std::uint64_t count = 1) {
    table_.add(detail::index(id), detail::index(label), count);
  }
  /// For totals that a sans-I/O core counts: sets the counter to `total`.
  void follow(Id id, std::uint64_t total) { table_.follow(detail::index(id), 0, total); }
  template <class Label>
  void follow_labelled(Id id, Label label, std::uint64_t total) {
    table_.follow(detail::index(id), detail::index(label), total);
  }
  std::uint64_t total(Id id, std::size_t label = 0) const {
    return table_.total(detail::index(id), label);
  }
  void flush() { table_.flush(); }

 private:
  detail::Counters table_;
};

/// Set rarely (once a second or on change): values are published at once.
template <class Id>
class GaugeTable {
 public:
  template <std::size_t Rows>
  GaugeTable(Metrics& metrics, const std::array<GaugeRow<Id>, Rows>& rows)
      : table_(metrics, detail::family_rows(rows)) {}
  void set(Id id, double value) { table_.set(detail::index(id), 0, value); }
  template <class Label>
  void set_labelled(Id id, Label label, double value) {
    table_.set(detail::index(id), detail::index(label), value);
  }

 private:
  detail::Gauges table_;
};

template <class Id>
class HistogramTable {
 public:
  template <std::size_t Rows>
  HistogramTable(Metrics& metrics, const std::array<HistogramRow<Id>, Rows>& rows)
      : table_(metrics, detail::family_rows(rows)) {}
  void observe(Id id, double value) { table_.observe(detail::index(id), 0, value); }
  template <class Label>
  void observe_labelled(Id id, Label label, double value) {
    table_.observe(detail::index(id), detail::index(label), value);
  }
  void flush() { table_.flush(); }

 private:
  detail::Histograms table_;
};

}  // namespace perigee::host
