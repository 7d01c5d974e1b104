/// A collector of OpenTelemetry, reached over HTTP. Calls wait for its answer.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "perigee/base/result.hpp"
#include "perigee/tracing/span_exporter.hpp"
#include "tracing_options.hpp"

namespace perigee::tracing {

class Collector {
 public:
  static constexpr long answer_ms_max = 10'000;
  static constexpr long farewell_ms_max = 1'000;  ///< for a process that ends

  /// Reads the file with the headers. An error names the file, and the remedy.
  static Result<std::unique_ptr<Collector>> open(const TracingOptions& options);
  ~Collector();

  /// One thread at a time. Ends within a second once `stopping` is true; null: never before its
  /// time.
  CollectorAnswer send(const std::string& json, long ms_max, const std::atomic<bool>* stopping);
  /// Why the last send() had no success, for the log.
  const std::string& failure() const { return failure_; }

 private:
  Collector();
  struct Handle;
  std::unique_ptr<Handle> handle_;
  std::string failure_;
};

}  // namespace perigee::tracing
