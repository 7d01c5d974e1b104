/// Compares the irreversible outcomes that players were sent with the journal of their world.
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
struct SentOutcome {
  unsigned bot = 0;
  world::JournalEntry entry;
};
/// Reads the complete lines.
std::vector<SentOutcome> read_outcome_log(const std::filesystem::path& file);
/// One sentence for each outcome that a bot was sent more than once.
std::vector<std::string> sent_again(const std::vector<SentOutcome>& sent);

/// All rows that the journal has had since this watch began. The world deletes rows older than its
/// last checkpoint but one, so call look() more often than every 15 s.
class JournalWatch {
 public:
  /// Minimum ticks between two deaths of one player: it is dead for three seconds, minus the time
  /// by which hits may be late.
  static constexpr std::int32_t life_ticks_min = 60;

  explicit JournalWatch(std::unique_ptr<world_store::Store> store) : store_(std::move(store)) {}
  Result<Ok> look();

  std::size_t size() const { return rows_.size(); }
  /// The newest incarnation of a worker's slot that has written a row; 0: none.
  Incarnation newest_incarnation(WorkerSlot slot) const;
  /// Number of rows of the slot's incarnations up to that one.
  std::size_t rows_up_to(WorkerSlot slot, Incarnation incarnation) const;

  /// One sentence for each outcome that is not in the journal exactly once.
  std::vector<std::string> missing(const std::vector<SentOutcome>& sent) const;
  /// One sentence for each two rows that cannot both be true.
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
