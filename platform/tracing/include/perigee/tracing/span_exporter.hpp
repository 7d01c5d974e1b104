/// The way of spans to a collector: a bounded queue, batches, repetitions, and counts of everything
/// that does not arrive. Sans I/O: the owner sends the batches and tells the answers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/counts.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/tracing/span.hpp"

namespace perigee::tracing {

/// The fate of a span.
enum class SpanResult : std::uint8_t {
  Sent,
  Rejected,
  Refused,
  GivenUp,
  QueueFull,
  OverRate,
  last = OverRate
};
inline constexpr std::array span_result_rows = {
    CountRow<SpanResult>{SpanResult::Sent, "sent", "The collector has the span."},
    CountRow<SpanResult>{SpanResult::Rejected, "rejected",
                         "The collector took the batch without this span."},
    CountRow<SpanResult>{SpanResult::Refused, "refused",
                         "The collector's answer does not allow a repetition."},
    CountRow<SpanResult>{SpanResult::GivenUp, "given_up",
                         "The collector was away or too busy for all attempts."},
    CountRow<SpanResult>{SpanResult::QueueFull, "queue_full", "Too many spans waited."},
    CountRow<SpanResult>{SpanResult::OverRate, "over_rate",
                         "One of too many frequent spans in a second."},
};
static_assert(one_row_each(span_result_rows), "give every SpanResult one row, in enum order");

struct ExportLimits {
  std::size_t waiting_max = 2'048;  ///< spans; about 1 MB
  std::size_t batch_max = 256;      ///< spans of one request
  Micros batch_us = 1'000'000;      ///< a span waits this long for others
  /// Spans a second, of those that are `frequent`. As many may come at once.
  std::uint32_t frequent_per_s = 100;
  std::uint32_t attempts_max = 6;    ///< for one batch; with the waits between: half a minute
  Micros first_wait_us = 1'000'000;  ///< before the second attempt; doubled for each further one
  Micros wait_us_max = 60'000'000;   ///< also if the collector asks for more
};

/// A collector's answer to a batch.
struct CollectorAnswer {
  int status = 0;  ///< HTTP; 0: there was no answer
  std::optional<Micros> retry_after_us;
  std::uint64_t rejected_spans = 0;  ///< as the collector says; with status 200
};

class SpanExporter {
 public:
  /// `seed`: random; for span ids and for the waits.
  SpanExporter(const ExportLimits& limits, std::uint64_t seed);

  /// `unix_offset_us`: Unix time minus `now_us`.
  void add(Micros now_us, Micros unix_offset_us, Span span);
  /// The batch to send now; empty: none is due. It stays valid until on_answer(), which has to be
  /// called for it. `at_once`: waits for nothing, for a process that ends.
  std::span<const Span> take(Micros now_us, bool at_once = false);
  void on_answer(Micros now_us, const CollectorAnswer& answer);
  /// When take() has something; none: nothing waits, or a batch is on its way.
  std::optional<Micros> due_us() const;
  const Counts<SpanResult>& counts() const { return counts_; }

 private:
  bool within_rate(Micros now_us);
  void end_batch(SpanResult result, std::uint64_t rejected = 0);
  Micros wait_us(const CollectorAnswer& answer);

  const ExportLimits limits_;
  Random random_;
  Counts<SpanResult> counts_;
  std::deque<Span> waiting_;
  Micros waiting_since_us_ = 0;  ///< the oldest of them
  double frequent_left_;         ///< spans that may come now
  Micros frequent_at_us_ = 0;    ///< as of
  std::vector<Span> batch_;      ///< empty: none is being sent
  bool under_way_ = false;
  std::uint32_t attempts_ = 0;
  Micros next_attempt_us_ = 0;
};

}  // namespace perigee::tracing
