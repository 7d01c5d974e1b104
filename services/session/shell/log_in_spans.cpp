#include "log_in_spans.hpp"

#include "perigee/host/secrets.hpp"
#include "process_metrics.hpp"

namespace perigee::session {
namespace {

tracing::TraceId trace_of(const std::variant<Admitted, Refused>& answer) {
  const auto* admitted = std::get_if<Admitted>(&answer);
  return admitted != nullptr ? tracing::trace_of_session(admitted->client_id)
                             : tracing::trace_of_refusal(host::random_u64());
}

void describe(tracing::Span& span, const std::variant<Admitted, Refused>& answer) {
  if (const auto* refused = std::get_if<Refused>(&answer)) {
    span.error = refusal_names[static_cast<std::size_t>(refused->reason)];
    return;
  }
  const Admitted& admitted = std::get<Admitted>(answer);
  span.attributes = {{"perigee.client_id", std::to_string(admitted.client_id)},
                     {"perigee.gateway", to_string(admitted.gateway)},
                     {"perigee.region", std::int64_t{admitted.region.number}}};
}

}  // namespace

void record_log_in(tracing::Tracer& tracer, const LogInTimes& times, Micros ended_us,
                   const std::variant<Admitted, Refused>& answer) {
  const tracing::TraceId trace = trace_of(answer);
  tracing::Span whole = tracing::root_span("log_in", trace, times.began_us, ended_us);
  whole.kind = tracing::SpanKind::Server;
  whole.frequent = true;
  describe(whole, answer);
  tracer.record(std::move(whole));
  const auto part = [&](std::string_view name, Micros start_us, Micros end_us) {
    tracing::Span span = tracing::child_span(name, trace, start_us, end_us);
    span.frequent = true;
    tracer.record(std::move(span));
  };
  if (!times.checked_us) return;
  part("log_in.authenticate", *times.checked_us, times.authenticated_us.value_or(ended_us));
  if (times.authenticated_us) part("log_in.store", *times.authenticated_us, ended_us);
}

void record_claim(tracing::Tracer& tracer, Micros began_us, Micros ended_us,
                  std::uint64_t client_id, std::string_view outcome) {
  tracing::Span span = tracing::child_span("session.claim", tracing::trace_of_session(client_id),
                                           began_us, ended_us);
  span.kind = tracing::SpanKind::Server;
  span.frequent = true;
  span.attributes = {{"perigee.outcome", std::string(outcome)}};
  tracer.record(std::move(span));
}

}  // namespace perigee::session
