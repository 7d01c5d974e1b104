/// The recorded steps of one player: those of the last 32 ticks, and while a gap in its inputs is
/// open, those since the gap began.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "perigee/base/ring.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::worker {

/// Memory for the older steps of all players: taken at the start, 8 kB a step, and not touched
/// before it is used.
class StepPool {
 public:
  explicit StepPool(std::size_t steps);
  /// A copy of the step. Null: no memory is left.
  world::StepRecord* copy_of(const world::StepRecord& step);
  void give_back(world::StepRecord* step);
  std::size_t left() const { return free_.size(); }
  /// The most steps that it held at once. Memory beyond them has not been touched.
  std::size_t most_used() const { return most_used_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::vector<std::byte*> free_;
  std::size_t steps_, most_used_ = 0;
};

class StepRecords {
 public:
  static constexpr std::uint32_t recent_ticks = 32;
  static constexpr std::uint32_t capacity_ticks = 256;  ///< together with the older ones

  StepRecords() = default;
  StepRecords(StepRecords&& other) noexcept
      : recent_(other.recent_),
        older_(std::exchange(other.older_, {})),
        pool_(std::move(other.pool_)),
        kept_from_(std::exchange(other.kept_from_, std::nullopt)) {}
  StepRecords& operator=(StepRecords&&) = delete;
  ~StepRecords() { keep_from(std::nullopt); }

  /// The memory for older steps; the first one stays. Without it none are kept.
  void use(const std::shared_ptr<StepPool>& pool) {
    if (!pool_) pool_ = pool;
  }

  world::StepRecord* find(Tick tick);
  const world::StepRecord* find(Tick tick) const {
    return const_cast<StepRecords*>(this)->find(tick);
  }
  /// The record for `tick`, in place of that of 32 ticks before. An older step that is to be kept
  /// is moved to the pool; if that is empty, it and all before it are given up.
  world::StepRecord& claim(Tick tick);
  /// Steps from this tick on are kept for up to 256 ticks; none: the last 32.
  void keep_from(std::optional<Tick> from);
  /// The oldest tick that is kept as asked. Later than asked if the pool was empty.
  std::optional<Tick> kept_from() const { return kept_from_; }
  void clear();

 private:
  struct Older {
    Tick tick;
    world::StepRecord* step = nullptr;
  };
  void forget(Older& older);
  void move_to_pool(const world::StepRecord& step);

  TickRing<world::StepRecord, recent_ticks> recent_;
  std::array<Older, capacity_ticks> older_{};
  std::shared_ptr<StepPool> pool_;
  std::optional<Tick> kept_from_;
};

}  // namespace perigee::worker
