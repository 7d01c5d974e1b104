#include "tracer.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "perigee/host/build.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/secrets.hpp"

namespace perigee::tracing {
namespace {

constexpr TracerMetrics tracer_metric;
constexpr int first_redirect = 300;
/// Without anything to send, the thread looks again after this time.
constexpr Micros idle_us = 60'000'000;

}  // namespace

Result<std::unique_ptr<Tracer>> Tracer::open(const TracingOptions& options, std::string service,
                                             std::string instance) {
  if (options.endpoint.empty()) return std::unique_ptr<Tracer>();
  auto collector = Collector::open(options);
  if (!collector) return collector.error();
  host::log_info("traces are sent", {{"to", options.endpoint}});
  return std::unique_ptr<Tracer>(new Tracer({.service_name = std::move(service),
                                             .instance_id = std::move(instance),
                                             .version = std::string(host::build_name())},
                                            std::move(*collector),
                                            {.frequent_per_s = options.frequent_per_s}));
}

Tracer::Tracer(Resource resource, std::unique_ptr<Collector> collector, const ExportLimits& limits)
    : resource_(std::move(resource)),
      collector_(std::move(collector)),
      exporter_(limits, host::random_u64()) {
  thread_ = std::thread([this] { work(); });
}

Tracer::~Tracer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Tracer::record(Span span) {
  const host::ClockPair now = host::Loop::clocks();
  {
    const std::lock_guard lock(mutex_);
    const auto before = exporter_.due_us();
    exporter_.add(now.monotonic_us, now.wall_us - now.monotonic_us, std::move(span));
    if (before == exporter_.due_us()) return;
  }
  wake_.notify_all();
}

Counts<SpanResult> Tracer::counts() const {
  const std::lock_guard lock(mutex_);
  return exporter_.counts();
}

void Tracer::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const Micros now_us = host::Loop::clock_us();
    const Micros due_us = exporter_.due_us().value_or(now_us + idle_us);
    if (due_us > now_us) {
      wake_.wait_for(lock, std::chrono::microseconds(due_us - now_us));
    } else {
      send_due(lock, false);
    }
  }
  send_due(lock, true);
}

void Tracer::send_due(std::unique_lock<std::mutex>& lock, bool last) {
  const std::span<const Span> batch = exporter_.take(host::Loop::clock_us(), last);
  if (batch.empty()) return;
  lock.unlock();  // the batch stays as it is until it is answered
  const std::string json = to_otlp_json(resource_, batch);
  const CollectorAnswer answer = last
                                     ? collector_->send(json, Collector::farewell_ms_max, nullptr)
                                     : collector_->send(json, Collector::answer_ms_max, &stopping_);
  note(answer);
  lock.lock();
  exporter_.on_answer(host::Loop::clock_us(), answer);
}

/// One line when the collector begins to fail, and one when it works again.
void Tracer::note(const CollectorAnswer& answer) {
  const bool well = answer.status != 0 && answer.status < first_redirect;
  if (std::exchange(complained_, !well) == !well) return;
  if (well) return host::log_info("the collector of traces answers again");
  host::log_warning("the collector of traces does not take spans; play goes on without them",
                    {{"why", collector_->failure()}});
}

TracerTable::TracerTable(host::Metrics& metrics) : series_(metrics, tracer_metric) {}

void TracerTable::show(const Tracer* tracer) {
  if (tracer == nullptr) return;
  series_.follow(tracer_metric.spans, tracer->counts());
  series_.flush();
}

}  // namespace perigee::tracing
