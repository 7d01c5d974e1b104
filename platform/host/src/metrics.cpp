#include "perigee/host/metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>

#include "perigee/base/assert.hpp"
#include "perigee/host/audit_log.hpp"
#include "perigee/host/build.hpp"
#include "perigee/host/output.hpp"
#include "process_usage.hpp"

namespace perigee::host {
namespace {

struct CommonMetrics : MetricTable<CommonMetrics> {
  Counter log_dropped = counter(
      {.name = "log_dropped_total",
       .help = "Lines of standard output and error that were dropped: the pipe was not read in "
               "time, or the disk is full.",
       .note =
           "`increase(perigee_log_dropped_total[5m]) > 0`: the process's output is not read, or "
           "its disk is full: repair the log collection. The process itself is not affected"});

  Counter audit_left_out = counter(
      {.name = "audit_left_out_total",
       .help = "Acts without the right to them that have no entry in the audit log, because their "
               "caller repeated them.",
       .note =
           "`increase(perigee_audit_left_out_total[10m]) > 0`: a caller tries all the time what "
           "its certificate does not allow: the audit log names it; "
           "[revoke it](certificates.md), if it is none of yours"});

  CounterOf<HttpDrop> admin_dropped = counters<HttpDrop>(
      {.name = "admin_dropped_connections_total",
       .label = "reason",
       .help = "Connections of the admin port that were closed or refused: request or reading of "
               "the reply too slow, too many connections, or not HTTP.",
       .note = "`rate(perigee_admin_dropped_connections_total[5m])`. slow: clients that connect "
               "and send no request; crowded: more than 256 connections at once; malformed: not "
               "HTTP. Restrict access to the admin port"},
      names_of(http_drop_rows));

  Gauge resident_memory = gauge(
      {.name = "process_resident_memory_bytes",
       .help = "Memory of the process that is in RAM.",
       .note = "`max by (job, instance) (perigee_process_resident_memory_bytes)`: grows with "
               "players and entities ([sizes](scale.md#sizing-your-game)), and in steps: a page of "
               "a large table counts once it was touched, and freed memory is kept for later"});
  Gauge heap_used = gauge(
      {.name = "process_heap_used_bytes",
       .help = "Memory that the process has allocated and not freed, touched or not.",
       .note = "`max by (job, instance) (perigee_process_heap_used_bytes)`: constant after the "
               "start, apart from players and entities. Growing for hours: please report it"});
};
constexpr CommonMetrics common_metric;

/// perigee_build_info has several labels and no table.
constexpr MetricRow build_info{.name = "build_info",
                               .label = "process, version, build, compiler",
                               .help = "Build information in the labels; the value is always 1.",
                               .note =
                                   "two versions of one process: complete the "
                                   "[roll-out](upgrading.md#upgrade-a-running-world). `count by "
                                   "(process, version) (perigee_build_info)`"};

/// Counters of tables are whole numbers, so this one has no table.
constexpr MetricRow cpu_seconds{
    .name = "process_cpu_seconds_total",
    .help = "CPU time of the process, in user and kernel mode.",
    .note =
        "`rate(perigee_process_cpu_seconds_total[1m])` cores. Near 1 for a gateway or a "
        "worker: its loop has one thread, and is at its limit"};

/// The former name of a renamed family, and of its label values.
struct FormerName {
  std::string name;
  std::map<std::string, std::string> values;  ///< former label values by the present ones
};
using FormerNames = std::map<std::string, FormerName>;  ///< by the present names

}  // namespace

struct Metrics::Impl {
  prometheus::Registry registry;
  std::string markdown;  ///< rows so far
  std::string notes;     ///< likewise
  FormerNames former_names;
  std::mutex mutex;
  std::unique_ptr<MetricSeries<CommonMetrics>> common;  ///< guarded by mutex
  prometheus::Counter* cpu = nullptr;                   ///< guarded by mutex
};

namespace {

std::string full_name(const MetricRow& row) { return "perigee_" + std::string(row.name); }

std::string_view name_of(MetricKind kind) {
  switch (kind) {
    case MetricKind::Counter:
      return "counter";
    case MetricKind::Gauge:
      return "gauge";
    case MetricKind::Histogram:
      return "histogram";
  }
  return {};
}

std::string_view unit_of(std::string_view name) {
  if (name.ends_with("_total")) name.remove_suffix(6);
  if (name.ends_with("_seconds")) return ", s";
  if (name.ends_with("_bytes")) return ", bytes";
  if (name.ends_with("_meters")) return ", m";
  if (name.ends_with("_ratio")) return ", share";
  return "";
}

/// " Until 0.1.0 `perigee_sim_handoffs_total`, `left` for `out`."
std::string sentence_about(const FormerName& former) {
  if (former.name.empty()) return {};
  std::string out = " Until 0.1.0 `" + former.name + "`";
  for (const auto& [value, former_value] : former.values) {
    out.append(", `").append(former_value).append("` for `").append(value).append("`");
  }
  return out + ".";
}

void describe(Metrics::Impl& impl, MetricKind kind, const MetricRow& row, std::string_view labels,
              const FormerName& former = {}) {
  const std::string name = "| `" + full_name(row) + "` | ";
  impl.markdown.append(name).append(name_of(kind)).append(unit_of(row.name)).append(" | ");
  impl.markdown.append(labels).append(labels.empty() ? "| " : " | ").append(row.help);
  impl.markdown.append(sentence_about(former)).append(" |\n");
  impl.notes.append(name).append(row.note).append(" |\n");
  if (!former.name.empty()) impl.former_names.emplace(full_name(row), former);
}

/// Empty if the family has always had its name.
FormerName former_name_of(const MetricRows& table, const MetricFamily& family) {
  if (family.row.former_name.empty()) return {};
  FormerName former{"perigee_" + std::string(family.row.former_name), {}};
  for (std::size_t i = family.first; i < family.first + family.series; ++i) {
    if (table.former_value_of(i).empty()) continue;
    former.values.emplace(table.value_of(i), table.former_value_of(i));
  }
  return former;
}

/// "result: applied, late".
std::string labels_of(const MetricRows& table, const MetricFamily& family) {
  std::string labels(family.row.label);
  if (labels.empty()) return labels;
  std::string_view before = ": ";
  for (std::size_t i = 0; i < family.series; ++i) {
    labels.append(before).append(table.value_of(family.first + i));
    before = ", ";
  }
  return labels;
}

}  // namespace

Metrics::Metrics(std::string_view process) : impl_(std::make_unique<Impl>()) {
  prometheus::BuildGauge()
      .Name(full_name(build_info))
      .Help(std::string(build_info.help))
      .Register(impl_->registry)
      .Add({{"process", std::string(process)},
            {"version", build_name()},
            {"build", PERIGEE_BUILD_TYPE},
            {"compiler", __VERSION__}})
      .Set(1);
  impl_->markdown = "| name | type, unit | labels | meaning |\n|---|---|---|---|\n";
  impl_->notes = "| name | query, and what to do |\n|---|---|\n";
  describe(*impl_, MetricKind::Gauge, build_info, build_info.label);
  impl_->cpu = &prometheus::BuildCounter()
                    .Name(full_name(cpu_seconds))
                    .Help(std::string(cpu_seconds.help))
                    .Register(impl_->registry)
                    .Add({});
  describe(*impl_, MetricKind::Counter, cpu_seconds, cpu_seconds.label);
  impl_->common = std::make_unique<MetricSeries<CommonMetrics>>(*this, common_metric);
}
void Metrics::count_admin_drop(HttpDrop reason) {
  const std::lock_guard lock(impl_->mutex);
  impl_->common->add(common_metric.admin_dropped[reason]);
}
std::string Metrics::markdown() const { return impl_->markdown; }
std::string Metrics::notes() const { return impl_->notes; }
Metrics::~Metrics() = default;

namespace {

void use_former_values(const FormerName& former, prometheus::MetricFamily& family) {
  for (prometheus::ClientMetric& metric : family.metric) {
    for (prometheus::ClientMetric::Label& label : metric.label) {
      const auto found = former.values.find(label.value);
      if (found != former.values.end()) label.value = found->second;
    }
  }
}

/// Each family that had another name, once more under the former name.
void add_former_names(const FormerNames& former_names,
                      std::vector<prometheus::MetricFamily>& families) {
  const std::size_t count = families.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto former = former_names.find(families[i].name);
    if (former == former_names.end()) continue;
    prometheus::MetricFamily copy = families[i];
    copy.name = former->second.name;
    copy.help = "Former name of " + families[i].name + "; it goes with the release after 0.1.0.";
    use_former_values(former->second, copy);
    families.push_back(std::move(copy));
  }
}

}  // namespace

std::string Metrics::scrape() const {
  {
    const ProcessUsage usage = process_usage();
    const std::lock_guard lock(impl_->mutex);
    impl_->cpu->Increment(usage.cpu_s - impl_->cpu->Value());
    impl_->common->set(common_metric.resident_memory, usage.resident_bytes);
    impl_->common->set(common_metric.heap_used, usage.heap_used_bytes);
    impl_->common->follow(common_metric.log_dropped, output_dropped());
    impl_->common->follow(common_metric.audit_left_out, audit_left_out());
    impl_->common->flush();
  }
  std::vector<prometheus::MetricFamily> families = impl_->registry.Collect();
  add_former_names(impl_->former_names, families);
  return prometheus::TextSerializer().Serialize(families);
}

void declare_metrics(Settings& settings, std::string_view process,
                     std::function<void(Metrics&)> register_tables) {
  const auto printed = [process = std::string(process),
                        register_tables = std::move(register_tables)](auto text) {
    return [=] {
      Metrics metrics(process);
      register_tables(metrics);
      return (metrics.*text)();
    };
  };
  settings.printable("metrics", "print the metrics that this process exports as Markdown and exit",
                     printed(&Metrics::markdown));
  settings.printable("metric-notes", "print what each metric is for as Markdown and exit",
                     printed(&Metrics::notes));
}

namespace detail {

/// A counter, a gauge or a histogram, with the counts that Prometheus does not have yet.
struct Series::Cell {
  prometheus::Counter* counter = nullptr;
  std::uint64_t total = 0;
  std::uint64_t flushed = 0;

  prometheus::Gauge* gauge = nullptr;

  prometheus::Histogram* histogram = nullptr;
  std::vector<double> bounds;
  std::vector<double> counts;  // per bucket, the last one unbounded
  double sum = 0;
  bool touched = false;
};

Series::Series(Metrics& metrics, const MetricRows& table) : cells_(table.series()) {
  prometheus::Registry& registry = metrics.impl().registry;
  for (const MetricFamily& family : table.families()) {
    const MetricRow& row = family.row;
    PERIGEE_ASSERT(family.series > 0, "a metric with a label has a value for it");
    describe(metrics.impl(), family.kind, row, labels_of(table, family),
             former_name_of(table, family));
    const auto named = [&](auto builder) -> auto& {
      return builder.Name(full_name(row)).Help(std::string(row.help)).Register(registry);
    };
    for (std::size_t i = family.first; i < family.first + family.series; ++i) {
      prometheus::Labels labels;
      if (!row.label.empty()) labels = {{std::string(row.label), std::string(table.value_of(i))}};
      Cell& cell = cells_[i];
      switch (family.kind) {
        case MetricKind::Counter:
          cell.counter = &named(prometheus::BuildCounter()).Add(labels);
          break;
        case MetricKind::Gauge:
          cell.gauge = &named(prometheus::BuildGauge()).Add(labels);
          break;
        case MetricKind::Histogram:
          cell.bounds.assign(row.bounds.begin(), row.bounds.end());
          cell.counts.assign(row.bounds.size() + 1, 0);
          cell.histogram = &named(prometheus::BuildHistogram()).Add(labels, cell.bounds);
          break;
      }
    }
  }
}
Series::~Series() = default;

void Series::add(std::size_t series, std::uint64_t count) { cells_[series].total += count; }
void Series::follow(std::size_t series, std::uint64_t total) {
  PERIGEE_ASSERT(total >= cells_[series].total, "a counter must not decrease");
  cells_[series].total = total;
}
void Series::set(std::size_t series, double value) { cells_[series].gauge->Set(value); }
void Series::observe(std::size_t series, double value) {
  Cell& cell = cells_[series];
  const auto bound = std::lower_bound(cell.bounds.begin(), cell.bounds.end(), value);
  cell.counts[static_cast<std::size_t>(bound - cell.bounds.begin())] += 1;
  cell.sum += value;
  cell.touched = true;
}
void Series::flush() {
  for (Cell& cell : cells_) {
    if (cell.total != cell.flushed) {
      cell.counter->Increment(static_cast<double>(cell.total - cell.flushed));
      cell.flushed = cell.total;
    }
    if (cell.touched) {
      cell.histogram->ObserveMultiple(cell.counts, cell.sum);
      std::fill(cell.counts.begin(), cell.counts.end(), 0.0);
      cell.sum = 0;
      cell.touched = false;
    }
  }
}

}  // namespace detail
}  // namespace perigee::host
