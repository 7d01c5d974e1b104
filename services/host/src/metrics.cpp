#include "perigee/host/metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "perigee/host/build.hpp"
#include "perigee/host/output.hpp"
#include "perigee/netcode/assert.hpp"
#include "perigee/netcode/counts.hpp"

namespace perigee::host {

namespace {

constexpr std::array<std::string_view, 3> admin_drops{"slow", "crowded", "malformed"};
static_assert(admin_drops.size() == enum_count<AdminDrop>);

enum class Common : std::uint8_t { OutputDropped, AdminDropped, last = AdminDropped };
constexpr std::array common_rows{
    CounterRow<Common>{Common::OutputDropped, "log_dropped_total",
                       "Lines of standard output and error that were dropped: the pipe was not "
                       "read in time, or the disk is full."},
    CounterRow<Common>{Common::AdminDropped,
                       "admin_dropped_connections_total",
                       "Connections of the admin port that were closed or refused: request or "
                       "reading of the reply too slow, too many connections, or not HTTP.",
                       {"reason", admin_drops}},
};
static_assert(one_row_each(common_rows, Common::last), "one row for each Common");

}  // namespace

struct Metrics::Impl {
  prometheus::Registry registry;
  std::string markdown;  ///< rows so far
  std::mutex mutex;
  std::unique_ptr<CounterTable<Common>> common;  ///< guarded by mutex
};

namespace {

std::string_view unit_of(std::string_view name) {
  if (name.ends_with("_total")) name.remove_suffix(6);
  if (name.ends_with("_seconds")) return ", s";
  if (name.ends_with("_bytes")) return ", bytes";
  if (name.ends_with("_meters")) return ", m";
  if (name.ends_with("_ratio")) return ", share";
  return "";
}

std::string markdown_row(std::string_view type, const detail::FamilyRow& row) {
  std::string labels(row.label.name);
  std::string_view before = ": ";
  for (const std::string_view value : row.label.values) {
    labels.append(before).append(value);
    before = ", ";
  }
  std::string out = "| `perigee_";
  out.append(row.name).append("` | ").append(type).append(unit_of(row.name)).append(" | ");
  out.append(labels).append(labels.empty() ? "| " : " | ").append(row.help).append(" |\n");
  return out;
}

void add_rows(std::string& markdown, std::string_view type,
              std::span<const detail::FamilyRow> rows) {
  for (const detail::FamilyRow& row : rows) markdown += markdown_row(type, row);
}

}  // namespace

Metrics::Metrics(std::string_view process) : impl_(std::make_unique<Impl>()) {
  constexpr std::string_view help = "Build information in the labels; the value is always 1.";
  prometheus::BuildGauge()
      .Name("perigee_build_info")
      .Help(std::string(help))
      .Register(impl_->registry)
      .Add({{"process", std::string(process)},
            {"version", build_name()},
            {"build", PERIGEE_BUILD_TYPE},
            {"compiler", __VERSION__}})
      .Set(1);
  const detail::FamilyRow row{"build_info", help, {}, {"process, version, build, compiler", {}}};
  impl_->markdown = "| name | type, unit | labels | meaning |\n|---|---|---|---|\n";
  add_rows(impl_->markdown, "gauge", {&row, 1});
  impl_->common = std::make_unique<CounterTable<Common>>(*this, common_rows);
}
void Metrics::count_admin_drop(AdminDrop reason) {
  const std::lock_guard lock(impl_->mutex);
  impl_->common->add_labelled(Common::AdminDropped, reason);
}
std::string Metrics::markdown() const { return impl_->markdown; }
Metrics::~Metrics() = default;

std::string Metrics::scrape() const {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->common->follow(Common::OutputDropped, output_dropped());
    impl_->common->flush();
  }
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

namespace detail {
namespace {

std::size_t cells_of(const FamilyRow& row) {
  return row.label.name.empty() ? 1 : row.label.values.size();
}

/// Index of each row's first cell, and the number of all cells at the end.
std::vector<std::size_t> lay_out(std::span<const FamilyRow> rows) {
  std::vector<std::size_t> first{0};
  for (const FamilyRow& row : rows) first.push_back(first.back() + cells_of(row));
  return first;
}

prometheus::Labels labels_of(const FamilyRow& row, std::size_t value) {
  if (row.label.name.empty()) return {};
  return {{std::string(row.label.name), std::string(row.label.values[value])}};
}

/// Calls make(cell index, row, label value) for every cell in order.
template <class Make>
void for_each_cell(std::span<const FamilyRow> rows, Make make) {
  std::size_t cell = 0;
  for (const FamilyRow& row : rows) {
    for (std::size_t value = 0; value < cells_of(row); ++value) make(cell++, row, value);
  }
}

std::string full_name(const FamilyRow& row) { return "perigee_" + std::string(row.name); }

std::size_t cell_index(const std::vector<std::size_t>& first, std::size_t row, std::size_t label) {
  PERIGEE_ASSERT(row + 1 < first.size() && first[row] + label < first[row + 1],
                 "a metric's label must be one of its row's values");
  return first[row] + label;
}

}  // namespace

struct Counters::Cell {
  prometheus::Counter* counter = nullptr;
  std::uint64_t total = 0;
  std::uint64_t flushed = 0;
};

Counters::Counters(Metrics& metrics, std::span<const FamilyRow> rows) : first_(lay_out(rows)) {
  add_rows(metrics.impl().markdown, "counter", rows);
  cells_ = std::make_unique<Cell[]>(first_.back());
  for_each_cell(rows, [&](std::size_t cell, const FamilyRow& row, std::size_t value) {
    PERIGEE_ASSERT(row.name.ends_with("_total"), "a counter's name must end in _total");
    cells_[cell].counter = &prometheus::BuildCounter()
                                .Name(full_name(row))
                                .Help(std::string(row.help))
                                .Register(metrics.impl().registry)
                                .Add(labels_of(row, value));
  });
}
Counters::~Counters() = default;
Counters::Cell& Counters::cell(std::size_t row, std::size_t label) const {
  return cells_[cell_index(first_, row, label)];
}
void Counters::add(std::size_t row, std::size_t label, std::uint64_t count) {
  cell(row, label).total += count;
}
void Counters::follow(std::size_t row, std::size_t label, std::uint64_t total) {
  Cell& followed = cell(row, label);
  PERIGEE_ASSERT(total >= followed.total, "a counter must not decrease");
  followed.total = total;
}
std::uint64_t Counters::total(std::size_t row, std::size_t label) const {
  return cell(row, label).total;
}
void Counters::flush() {
  for (std::size_t i = 0; i < first_.back(); ++i) {
    Cell& cell = cells_[i];
    if (cell.total == cell.flushed) continue;
    cell.counter->Increment(static_cast<double>(cell.total - cell.flushed));
    cell.flushed = cell.total;
  }
}

struct Gauges::Cell {
  prometheus::Gauge* gauge = nullptr;
};

Gauges::Gauges(Metrics& metrics, std::span<const FamilyRow> rows) : first_(lay_out(rows)) {
  add_rows(metrics.impl().markdown, "gauge", rows);
  cells_ = std::make_unique<Cell[]>(first_.back());
  for_each_cell(rows, [&](std::size_t cell, const FamilyRow& row, std::size_t value) {
    cells_[cell].gauge = &prometheus::BuildGauge()
                              .Name(full_name(row))
                              .Help(std::string(row.help))
                              .Register(metrics.impl().registry)
                              .Add(labels_of(row, value));
  });
}
Gauges::~Gauges() = default;
void Gauges::set(std::size_t row, std::size_t label, double value) {
  cells_[cell_index(first_, row, label)].gauge->Set(value);
}

struct Histograms::Cell {
  prometheus::Histogram* histogram = nullptr;
  std::vector<double> bounds;
  std::vector<double> counts;  // per bucket, the last one unbounded
  double sum = 0;
  bool touched = false;
};

Histograms::Histograms(Metrics& metrics, std::span<const FamilyRow> rows) : first_(lay_out(rows)) {
  add_rows(metrics.impl().markdown, "histogram", rows);
  cells_ = std::make_unique<Cell[]>(first_.back());
  for_each_cell(rows, [&](std::size_t cell, const FamilyRow& row, std::size_t value) {
    cells_[cell].bounds.assign(row.bounds.begin(), row.bounds.end());
    cells_[cell].counts.assign(row.bounds.size() + 1, 0);
    cells_[cell].histogram = &prometheus::BuildHistogram()
                                  .Name(full_name(row))
                                  .Help(std::string(row.help))
                                  .Register(metrics.impl().registry)
                                  .Add(labels_of(row, value), cells_[cell].bounds);
  });
}
Histograms::~Histograms() = default;
void Histograms::observe(std::size_t row, std::size_t label, double value) {
  Cell& cell = cells_[cell_index(first_, row, label)];
  const auto bound = std::lower_bound(cell.bounds.begin(), cell.bounds.end(), value);
  cell.counts[static_cast<std::size_t>(bound - cell.bounds.begin())] += 1;
  cell.sum += value;
  cell.touched = true;
}
void Histograms::flush() {
  for (std::size_t i = 0; i < first_.back(); ++i) {
    Cell& cell = cells_[i];
    if (!cell.touched) continue;
    cell.histogram->ObserveMultiple(cell.counts, cell.sum);
    std::fill(cell.counts.begin(), cell.counts.end(), 0.0);
    cell.sum = 0;
    cell.touched = false;
  }
}

}  // namespace detail
}  // namespace perigee::host
