#include "perigee/tracing/connect_spans.hpp"

#include <utility>

namespace perigee::tracing {

void ConnectSpans::begin(ById& open, Micros now_us, std::uint64_t id, std::uint64_t client_id) {
  if (open.size() == open_max) {
    std::erase_if(open,
                  [&](const auto& each) { return now_us - each.second.since_us > open_us_max; });
  }
  if (open.size() < open_max) open.try_emplace(id, Open{client_id, now_us});
}

void ConnectSpans::claim(Micros now_us, std::uint64_t claim_id, std::uint64_t client_id) {
  begin(claims_, now_us, claim_id, client_id);
}

void ConnectSpans::claimed(Micros now_us, std::uint64_t claim_id, bool granted) {
  const auto found = claims_.find(claim_id);
  if (found == claims_.end()) return;
  const Open claim = found->second;
  claims_.erase(found);
  Span span =
      child_span("gateway.claim", trace_of_session(claim.client_id), claim.since_us, now_us);
  span.kind = SpanKind::Client;
  span.frequent = true;
  if (!granted) span.error = "the session service refused the token";
  emit_(std::move(span));
  if (granted) begin(joins_, now_us, claim.client_id, claim.client_id);
}

void ConnectSpans::joined(Micros now_us, std::uint64_t client_id) {
  const auto found = joins_.find(client_id);
  if (found == joins_.end()) return;
  Span span =
      child_span("gateway.join", trace_of_session(client_id), found->second.since_us, now_us);
  span.frequent = true;
  emit_(std::move(span));
  joins_.erase(found);
}

}  // namespace perigee::tracing
