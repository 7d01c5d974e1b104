#include "perigee/tracing/span_exporter.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "perigee/base/assert.hpp"

namespace perigee::tracing {
namespace {

constexpr int ok = 200;
constexpr int first_redirect = 300;

/// The answers after which OTLP allows a repetition. It also wants one after a lost connection.
bool may_repeat(int status) {
  constexpr std::array statuses{0, 429, 502, 503, 504};
  return std::find(statuses.begin(), statuses.end(), status) != statuses.end();
}

}  // namespace

SpanExporter::SpanExporter(const ExportLimits& limits, std::uint64_t seed)
    : limits_(limits), random_(seed), frequent_left_(limits.frequent_per_s) {}

bool SpanExporter::within_rate(Micros now_us) {
  const double rate = limits_.frequent_per_s;
  const double passed_s = static_cast<double>(now_us - frequent_at_us_) * 1e-6;
  frequent_left_ = std::min(rate, frequent_left_ + std::max(passed_s, 0.0) * rate);
  frequent_at_us_ = now_us;
  if (frequent_left_ < 1) return false;
  frequent_left_ -= 1;
  return true;
}

void SpanExporter::add(Micros now_us, Micros unix_offset_us, Span span) {
  PERIGEE_ASSERT(!span.name.empty() && span.end_us >= span.start_us, "a span has a name and ends");
  if (span.frequent && !within_rate(now_us)) return counts_.add(SpanResult::OverRate);
  if (waiting_.size() == limits_.waiting_max) return counts_.add(SpanResult::QueueFull);
  if (span.id == 0) span.id = std::max<SpanId>(random_.next(), 1);
  span.start_us += unix_offset_us;
  span.end_us += unix_offset_us;
  for (SpanEvent& event : span.events) event.at_us += unix_offset_us;
  if (waiting_.empty()) waiting_since_us_ = now_us;
  waiting_.push_back(std::move(span));
}

std::span<const Span> SpanExporter::take(Micros now_us, bool at_once) {
  if (under_way_) return {};
  const auto due = due_us();
  if (!due || (!at_once && now_us < *due)) return {};
  if (batch_.empty()) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), limits_.batch_max));
    batch_.assign(std::make_move_iterator(waiting_.begin()),
                  std::make_move_iterator(waiting_.begin() + count));
    waiting_.erase(waiting_.begin(), waiting_.begin() + count);
    waiting_since_us_ = now_us;
    attempts_ = 0;
  }
  ++attempts_;
  under_way_ = true;
  return batch_;
}

std::optional<Micros> SpanExporter::due_us() const {
  if (under_way_) return std::nullopt;
  if (!batch_.empty()) return next_attempt_us_;
  if (waiting_.empty()) return std::nullopt;
  const bool full = waiting_.size() >= limits_.batch_max;
  return full ? waiting_since_us_ : waiting_since_us_ + limits_.batch_us;
}

void SpanExporter::on_answer(Micros now_us, const CollectorAnswer& answer) {
  PERIGEE_ASSERT(under_way_, "an answer belongs to a batch that was taken");
  under_way_ = false;
  if (answer.status >= ok && answer.status < first_redirect) {
    return end_batch(SpanResult::Sent, answer.rejected_spans);
  }
  if (!may_repeat(answer.status)) return end_batch(SpanResult::Refused);
  if (attempts_ >= limits_.attempts_max) return end_batch(SpanResult::GivenUp);
  next_attempt_us_ = now_us + wait_us(answer);
}

void SpanExporter::end_batch(SpanResult result, std::uint64_t rejected) {
  const std::uint64_t without = std::min<std::uint64_t>(rejected, batch_.size());
  counts_.add(result, batch_.size() - without);
  counts_.add(SpanResult::Rejected, without);
  batch_.clear();
}

Micros SpanExporter::wait_us(const CollectorAnswer& answer) {
  if (answer.retry_after_us) {
    return std::clamp<Micros>(*answer.retry_after_us, 0, limits_.wait_us_max);
  }
  const Micros doubled_us = limits_.first_wait_us << (attempts_ - 1);
  // Many processes lose a collector at the same moment, and must not come back at the same one.
  const auto spread_us =
      static_cast<Micros>(static_cast<double>(doubled_us) * random_.between(0.5, 1.5));
  return std::min(spread_us, limits_.wait_us_max);
}

}  // namespace perigee::tracing
