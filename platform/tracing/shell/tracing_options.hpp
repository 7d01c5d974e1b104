/// The settings of a process that has spans.
#pragma once

#include <cstdint>
#include <string>

#include "perigee/host/process.hpp"
#include "perigee/host/settings.hpp"

namespace perigee::tracing {

struct TracingOptions {
  std::string endpoint;  ///< of a collector; empty: no spans are made
  std::string headers_file;
  std::string ca_file;
  std::uint32_t frequent_per_s = 100;
};

/// Declares otlp.*, and checks them once all settings are loaded. Both outlive the settings.
void declare(host::Settings& settings, TracingOptions& options, const host::ProcessOptions& common);

}  // namespace perigee::tracing
