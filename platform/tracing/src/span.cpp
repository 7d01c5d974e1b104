#include "perigee/tracing/span.hpp"

#include <algorithm>
#include <initializer_list>

#include "perigee/base/hash.hpp"

namespace perigee::tracing {
namespace {

enum class TraceKind : std::uint64_t { Session = 1, Refusal, Failover, Region, Drain, Migration };

std::uint64_t hash_of(std::initializer_list<std::uint64_t> numbers) {
  std::uint64_t hash = 0;
  for (const std::uint64_t number : numbers) hash = mix64(hash ^ number);
  return hash;
}

TraceId trace_of(TraceKind kind, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  constexpr std::uint64_t high_half = 1, low_half = 2;
  const auto what = static_cast<std::uint64_t>(kind);
  return {hash_of({high_half, what, a, b, c}),
          std::max<std::uint64_t>(hash_of({low_half, what, a, b, c}), 1)};
}

}  // namespace

TraceId trace_of_session(std::uint64_t client_id) {
  return trace_of(TraceKind::Session, client_id, 0, 0);
}
TraceId trace_of_refusal(std::uint64_t drawn) { return trace_of(TraceKind::Refusal, drawn, 0, 0); }
TraceId trace_of_failover(std::uint32_t cluster_id, HandleBase incarnation) {
  return trace_of(TraceKind::Failover, cluster_id, incarnation.number, 0);
}
TraceId trace_of_region(std::uint32_t cluster_id, RegionId region, Epoch epoch) {
  return trace_of(TraceKind::Region, cluster_id, region.number, epoch.number);
}
TraceId trace_of_drain(std::uint32_t cluster_id, HandleBase incarnation) {
  return trace_of(TraceKind::Drain, cluster_id, incarnation.number, 0);
}
TraceId trace_of_migration(std::uint32_t cluster_id, std::uint32_t group, std::uint32_t attempt) {
  return trace_of(TraceKind::Migration, cluster_id, group, attempt);
}

SpanId root_of(const TraceId& trace) { return std::max<SpanId>(mix64(trace.high, trace.low), 1); }

Span root_span(std::string_view name, const TraceId& trace, Micros start_us, Micros end_us) {
  return {
      .name = name, .trace = trace, .id = root_of(trace), .start_us = start_us, .end_us = end_us};
}

Span child_span(std::string_view name, const TraceId& trace, Micros start_us, Micros end_us) {
  return {.name = name,
          .trace = trace,
          .parent = root_of(trace),
          .start_us = start_us,
          .end_us = end_us};
}

}  // namespace perigee::tracing
