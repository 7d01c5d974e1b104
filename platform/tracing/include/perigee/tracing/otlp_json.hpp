/// Spans in the JSON form of OTLP/HTTP, and the collector's answer to them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "perigee/tracing/span.hpp"

namespace perigee::tracing {

/// The process that the spans are of.
struct Resource {
  std::string service_name;  ///< "perigee-session"
  std::string instance_id;   ///< unique among the processes of that name
  std::string version;
};

/// An ExportTraceServiceRequest. Times of the spans are Unix time.
std::string to_otlp_json(const Resource& resource, std::span<const Span> spans);

inline constexpr std::size_t answer_bytes_max = 65'536;  ///< longer ones are not read
/// The number of spans that the answer names as rejected. 0: none, or the text is no answer.
std::uint64_t rejected_spans(std::string_view answer);

}  // namespace perigee::tracing
