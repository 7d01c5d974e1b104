/// The spans of a process: a thread sends them to a collector, so that no caller waits.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "collector.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/tracing/otlp_json.hpp"
#include "perigee/tracing/span_exporter.hpp"
#include "tracing_options.hpp"

namespace perigee::tracing {

struct TracerMetrics : MetricTable<TracerMetrics> {
  CounterOf<SpanResult> spans = counters<SpanResult>(
      {.name = "otlp_spans_total",
       .label = "result",
       .help = "Spans of traces that have reached the collector, or have not; 0 without "
               "`otlp.endpoint`.",
       .note = "`sum by (job, result) (rate(perigee_otlp_spans_total{result!=\"sent\"}[5m])) > 0`: "
               "over_rate is usual while many players log in. given_up, queue_full: the collector "
               "is away or too slow. refused, rejected: see the log of the process and of the "
               "collector ([traces](traces.md))"},
      names_of(span_result_rows));
};

class Tracer {
 public:
  /// `service`: "perigee-session"; `instance`: unique among those. Null: no endpoint is set.
  static Result<std::unique_ptr<Tracer>> open(const TracingOptions& options, std::string service,
                                              std::string instance);
  /// Sends what waits, once. Takes two seconds at most.
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  /// Any thread. Times of the span are those of Loop::clock_us().
  void record(Span span);
  Counts<SpanResult> counts() const;

 private:
  Tracer(Resource resource, std::unique_ptr<Collector> collector, const ExportLimits& limits);
  void work();
  /// Sends a batch if one is due. Holds the mutex, but for the call.
  void send_due(std::unique_lock<std::mutex>& lock, bool last);
  void note(const CollectorAnswer& answer);

  const Resource resource_;
  const std::unique_ptr<Collector> collector_;  ///< of the thread alone
  bool complained_ = false;                     ///< of the thread alone
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  SpanExporter exporter_;  // guarded by mutex_
  std::thread thread_;
};

/// The metrics of a process that can have a tracer.
class TracerTable {
 public:
  explicit TracerTable(host::Metrics& metrics);
  /// Null: nothing to show.
  void show(const Tracer* tracer);

 private:
  host::MetricSeries<TracerMetrics> series_;
};

}  // namespace perigee::tracing
