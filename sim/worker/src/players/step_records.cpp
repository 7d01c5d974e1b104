#include "perigee/worker/players/step_records.hpp"

#include <algorithm>
#include <new>
#include <type_traits>

namespace perigee::worker {

StepPool::StepPool(std::size_t steps)
    : memory_(std::make_unique_for_overwrite<std::byte[]>(steps * sizeof(world::StepRecord))),
      steps_(steps) {
  static_assert(alignof(world::StepRecord) <= alignof(std::max_align_t));
  static_assert(std::is_trivially_destructible_v<world::StepRecord>);
  free_.reserve(steps);
  for (std::size_t i = steps; i-- > 0;) {
    free_.push_back(memory_.get() + i * sizeof(world::StepRecord));
  }
}

world::StepRecord* StepPool::copy_of(const world::StepRecord& step) {
  if (free_.empty()) return nullptr;
  std::byte* at = free_.back();
  free_.pop_back();
  most_used_ = std::max(most_used_, steps_ - free_.size());
  return new (at) world::StepRecord(step);
}

void StepPool::give_back(world::StepRecord* step) {
  free_.push_back(reinterpret_cast<std::byte*>(step));
}

world::StepRecord* StepRecords::find(Tick tick) {
  if (world::StepRecord* recent = recent_.find(tick)) return recent;
  const Older& older = older_[tick.count % capacity_ticks];
  return older.step != nullptr && older.tick == tick ? older.step : nullptr;
}

world::StepRecord& StepRecords::claim(Tick tick) {
  const auto recent = static_cast<std::int32_t>(recent_ticks);
  const Tick leaves = tick - recent;
  const bool keeps = kept_from_ && !before(leaves, *kept_from_);
  if (const auto* step = keeps ? recent_.find(leaves) : nullptr) move_to_pool(*step);
  return recent_.claim(tick);
}

void StepRecords::move_to_pool(const world::StepRecord& step) {
  Older& older = older_[step.tick.count % capacity_ticks];
  forget(older);
  older.step = pool_ ? pool_->copy_of(step) : nullptr;
  if (older.step == nullptr) return keep_from(step.tick + 1);
  older.tick = step.tick;
}

void StepRecords::keep_from(std::optional<Tick> from) {
  for (Older& older : older_) {
    if (!from || before(older.tick, *from)) forget(older);
  }
  kept_from_ = from;
}

void StepRecords::forget(Older& older) {
  if (older.step != nullptr) pool_->give_back(older.step);
  older.step = nullptr;
}

void StepRecords::clear() {
  recent_.clear();
  keep_from(std::nullopt);
}

}  // namespace perigee::worker
