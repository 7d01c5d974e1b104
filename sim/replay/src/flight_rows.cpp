#include "flight_rows.hpp"

#include <algorithm>

namespace perigee::replay {
namespace {

using world::StepRecord;

/// The parent's pose at the end of a tick.
Pose parent_at_end(const Recording& recording, const StepRecord& step) {
  const std::size_t next = static_cast<std::size_t>(&step - recording.ticks.data()) + 1;
  if (next == recording.ticks.size() || recording.ticks[next].tick != step.tick + 1) {
    return step.parent_motion.pose;
  }
  const StepRecord& after = recording.ticks[next];
  if (after.parent == step.parent) return after.parent_motion.pose;
  return after.switched_from ? after.switched_from->pose : step.parent_motion.pose;
}

struct Range {
  std::optional<Tick> first, last;
  void add(Tick from, Tick to) {
    if (!first || before(from, *first)) first = from;
    if (!last || before(*last, to)) last = to;
  }
};

void place(FlightRow& row, const Halves& halves) {
  std::optional<Pose> of_worker;
  if (row.worker != nullptr) {
    of_worker = parent_at_end(*halves.worker, *row.worker);
    row.parent = *of_worker;
    row.became = transform(*of_worker, row.worker->after.position);
  }
  if (row.client == nullptr) return;
  const bool shared = of_worker && row.client->parent == row.worker->parent;
  const Pose frame = shared ? *of_worker : parent_at_end(*halves.client, *row.client);
  if (!of_worker) row.parent = frame;
  row.predicted = transform(frame, row.client->after.position);
}

}  // namespace

std::optional<double> FlightRow::error_m() const {
  if (!believed() || !became) return std::nullopt;
  return distance(*believed(), *became);
}

Result<FlightRows> rows_of(const Halves& halves) {
  const std::int32_t delay = halves.worker != nullptr ? halves.worker->header.delay_ticks : 0;
  Range range;
  if (halves.client != nullptr) {
    range.add(halves.client->ticks.front().tick, halves.client->ticks.back().tick);
  }
  if (halves.worker != nullptr) {
    range.add(halves.worker->ticks.front().tick - delay, halves.worker->ticks.back().tick - delay);
  }
  const std::int64_t span = ticks_between(*range.first, *range.last);
  constexpr std::int64_t span_max = 2 * Recording::ticks_max;
  if (span < 0 || span >= span_max) {
    return Error{"the recordings are of times that are more than " + std::to_string(span_max / 60) +
                 " s apart; pass two halves of one flight"};
  }
  FlightRows out{*range.first, std::vector<FlightRow>(static_cast<std::size_t>(span) + 1)};
  const auto at = [&](Tick tick) -> FlightRow* {
    const std::int64_t place = ticks_between(out.first, tick);
    const bool inside = place >= 0 && place < static_cast<std::int64_t>(out.rows.size());
    return inside ? &out.rows[static_cast<std::size_t>(place)] : nullptr;
  };
  if (halves.client != nullptr) {
    for (const StepRecord& step : halves.client->ticks) {
      if (FlightRow* row = at(step.tick)) row->client = &step;
    }
  }
  if (halves.worker != nullptr) {
    for (const StepRecord& step : halves.worker->ticks) {
      if (FlightRow* row = at(step.tick - delay)) row->worker = &step;
    }
  }
  for (FlightRow& row : out.rows) place(row, halves);
  if (halves.worker == nullptr) return out;
  for (const ReceivedClaim& claim : halves.worker->claims) {
    FlightRow* row =
        at(claim.tick - delay - 1);  // the start of a tick is the end of the one before
    if (row == nullptr || row->worker == nullptr || row->worker->parent != claim.parent) continue;
    row->claimed = transform(row->parent, to_double(claim.position));
    row->claimed_parent = claim.parent;
  }
  return out;
}

}  // namespace perigee::replay
