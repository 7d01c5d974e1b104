/// A span: something that took time, as OpenTelemetry defines it. Its trace id follows from numbers
/// that all processes have, so no message carries it. (decision 0121)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/base/ids.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::tracing {

struct TraceId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const TraceId&, const TraceId&) = default;
};
using SpanId = std::uint64_t;  ///< 0: none

/// The trace of a player's session: its log-in, and each connection with its tokens.
TraceId trace_of_session(std::uint64_t client_id);
/// The trace of a log-in without a session. `drawn`: random.
TraceId trace_of_refusal(std::uint64_t drawn);
/// The trace of the end of a worker's incarnation, which the map names by its first handle.
TraceId trace_of_failover(std::uint32_t cluster_id, HandleBase incarnation);
/// The trace of a region's change of owner, which makes that epoch.
TraceId trace_of_region(std::uint32_t cluster_id, RegionId region, Epoch epoch);
TraceId trace_of_drain(std::uint32_t cluster_id, HandleBase incarnation);
/// `group`: handle of its root. `attempt`: number of the attempt to move it.
TraceId trace_of_migration(std::uint32_t cluster_id, std::uint32_t group, std::uint32_t attempt);
/// The first span of a trace, the parent of the others.
SpanId root_of(const TraceId& trace);

/// The values are those of OTLP.
enum class SpanKind : std::uint8_t { Internal = 1, Server = 2, Client = 3 };

struct Attribute {
  std::string_view key;  ///< a literal
  std::variant<std::int64_t, bool, std::string> value;
};

struct SpanEvent {
  std::string_view name;  ///< a literal
  Micros at_us = 0;
};

struct Span {
  std::string_view name;  ///< a literal, of the list in docs/traces.md
  TraceId trace;
  SpanId id = 0;      ///< 0: the exporter draws one
  SpanId parent = 0;  ///< 0: this is the first span of its trace
  SpanKind kind = SpanKind::Internal;
  Micros start_us = 0;  ///< on the monotonic clock, until an exporter has it
  Micros end_us = 0;
  std::vector<Attribute> attributes;
  std::vector<SpanEvent> events;
  std::string error{};    ///< not empty: the status of the span is an error
  bool frequent = false;  ///< the rate of spans like this one is limited
};

/// The first span of a trace.
Span root_span(std::string_view name, const TraceId& trace, Micros start_us, Micros end_us);
/// A further span: its parent is the first one of the trace.
Span child_span(std::string_view name, const TraceId& trace, Micros start_us, Micros end_us);

}  // namespace perigee::tracing
