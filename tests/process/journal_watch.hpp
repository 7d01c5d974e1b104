/// What players were told cannot be undone, held against the journal of their world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "perigee/world/outcome.hpp"
#include "perigee/world_store/store.hpp"

namespace perigee::process_test {

/// A line of the bots' outcome log.
struct ToldOutcome {
  unsigned bot = 0;
  world::JournalEntry entry;
};
/// The lines that are whole.
std::vector<ToldOutcome> read_outcome_log(const std::filesystem::path& file);
/// A sentence for each outcome that a bot was told more than once.
std::vector<std::string> told_again(const std::vector<ToldOutcome>& told);

/// All that a journal has had since this began to look. The world forgets what is older than its
/// last cut but one: look more often than every 15 s.
class JournalWatch {
 public:
  /// Nobody dies again sooner: who has died is away for three seconds, less what hits may be late.
  static constexpr std::int32_t life_ticks_min = 60;

  explicit JournalWatch(std::unique_ptr<world_store::Store> store) : store_(std::move(store)) {}
  Result<Ok> look();

  std::size_t size() const { return rows_.size(); }
  /// Of a worker's slot, the newest life that has written anything; 0: none.
  world_store::Epoch newest_life(world_store::RegionId slot) const;
  /// Rows of the slot's lives up to that one.
  std::size_t rows_up_to(world_store::RegionId slot, world_store::Epoch life) const;

  /// A sentence for each outcome that is not in it exactly once.
  std::vector<std::string> missing(const std::vector<ToldOutcome>& told) const;
  /// A sentence for each two rows that cannot both be true.
  std::vector<std::string> contradictions() const;

 private:
  /// target, tick, kind, ordinal
  using Name = std::tuple<std::uint32_t, std::uint32_t, std::uint8_t, std::uint8_t>;
  struct Row {
    world_store::JournalRow row;
    world::JournalEntry entry;
  };
  void note(const world_store::JournalRow& row);

  std::unique_ptr<world_store::Store> store_;
  std::map<Name, Row> rows_;
  std::vector<std::string> changed_;
};

}  // namespace perigee::process_test
