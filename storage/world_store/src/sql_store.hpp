/// The store's contract, implemented once for both engines.
#pragma once

#include <memory>
#include <utility>

#include "database.hpp"

namespace perigee::world_store {

class SqlStore final : public Store {
 public:
  explicit SqlStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  Result<ClusterId> cluster_id() override;
  Result<Ok> adopt(ClusterId cluster_id) override;
  Result<Write> fence_older(const Owner& owner) override;
  Result<std::vector<Write>> append(ClusterId cluster_id,
                                    std::span<const JournalRow> rows) override;
  Result<std::vector<JournalRow>> read_journal(const JournalQuery& query) override;
  Result<std::vector<Write>> add_results(const Owner& owner,
                                         std::span<const ResultRow> rows) override;
  Result<std::vector<ResultRow>> read_results(const ResultQuery& query) override;
  Result<std::vector<Write>> save_profiles(const Owner& owner,
                                           std::span<const ProfileRow> rows) override;
  Result<std::vector<TakenProfile>> take_profiles(
      const Owner& owner, std::span<const std::uint64_t> player_ids) override;
  Result<std::optional<ProfileRow>> read_profile(std::uint64_t player_id) override;
  Result<Write> begin_checkpoint(ClusterId cluster_id, Tick tick,
                                 std::span<const WorkerSlot> slots) override;
  Result<Write> write_part(Tick tick, const Owner& owner,
                           std::span<const std::byte> bytes) override;
  Result<std::vector<Checkpoint>> complete_checkpoints() override;
  Result<std::optional<Bytes>> read_part(Tick tick, WorkerSlot slot) override;
  Result<std::uint64_t> forget(std::uint32_t rows_max) override;
  const Counts<StoreFault>& faults() const override { return database_->faults(); }

 private:
  struct World {
    ClusterId cluster_id = 0;
    /// Tick of the last checkpoint started, unwrapped; wrapped ticks are near it.
    std::int64_t anchor = 0;

    std::int64_t unwrapped(Tick tick) const {
      return anchor + ticks_between(Tick{static_cast<std::uint32_t>(anchor)}, tick);
    }
  };
  Result<World> world(Sql how);

  /// Runs `work` in one transaction; on failure nothing of it remains. Repeated a few times after
  /// conflicts with other transactions.
  template <class Value, class Work>
  Result<Value> atomically(Intent intent, Work work) {
    constexpr int attempts_max = 4;
    for (int attempt = 1;; ++attempt) {
      Result<Value> value = once<Value>(intent, work);
      if (value || attempt == attempts_max || !database_->worth_repeating()) return value;
    }
  }
  template <class Value, class Work>
  Result<Value> once(Intent intent, Work& work) {
    if (const auto begun = database_->begin(intent); !begun) return begun.error();
    Result<Value> value = work();
    if (value) {
      const auto done = database_->commit();
      if (done) return value;
      value = done.error();
    }
    database_->rollback();
    return value;
  }

  /// Written: the owner may write, and older owners no longer can; otherwise Fenced.
  Result<Write> claim(const Owner& owner);
  /// Runs `write` in a transaction in which the owner may write; otherwise all of `count` items are
  /// `fenced`.
  template <class Item, class Work>
  Result<std::vector<Item>> as_owner(const Owner& owner, std::size_t count, Item fenced,
                                     Work write) {
    using Became = std::vector<Item>;
    if (count == 0) return Became{};
    return atomically<Became>(Intent::Write, [&]() -> Result<Became> {
      const auto now = world(Sql::WorldShared);
      if (!now) return now.error();
      if (now->cluster_id != owner.cluster_id) return Became(count, fenced);
      const auto claimed = claim(owner);
      if (!claimed) return claimed.error();
      if (*claimed != Write::Written) return Became(count, fenced);
      return write(*now);
    });
  }
  Result<std::vector<Write>> insert(std::span<const ResultRow> rows);
  Result<std::vector<Write>> save(const World& world, std::span<const ProfileRow> rows);
  Result<std::optional<ProfileRow>> profile_of(std::uint64_t player_id);
  Result<std::vector<TakenProfile>> take(std::span<const std::uint64_t> player_ids);
  Result<std::vector<bool>> may_write(std::span<const JournalRow> rows);
  /// A row under one of its candidate ids.
  struct Named {
    std::size_t row = 0;
    OutcomeId id;
  };
  Result<std::vector<Write>> insert(const World& world, std::span<const JournalRow> rows,
                                    const std::vector<bool>& allowed);
  Result<std::vector<Named>> insert(const World& world, std::span<const JournalRow> rows,
                                    std::span<const Named> tried, std::vector<Write>& became);
  Result<Write> compare_checkpoint(std::int64_t tick, ClusterId cluster_id,
                                   const std::vector<WorkerSlot>& slots);
  Result<Write> is_asked(std::int64_t tick, const Owner& owner);
  Result<Write> finish_part(std::int64_t tick, const Owner& owner, std::size_t size);
  Result<Write> write_pieces(Tick tick, const Owner& owner, std::span<const std::byte> bytes,
                             std::size_t begin);

  std::unique_ptr<Database> database_;
};

}  // namespace perigee::world_store
