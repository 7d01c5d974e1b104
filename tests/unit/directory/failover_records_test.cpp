// Failover records and recent takeovers, without members.
#include "perigee/directory/failover_records.hpp"

#include <gtest/gtest.h>

#include "perigee/directory/handle_blocks.hpp"
#include "perigee/directory/uncopied_takeovers.hpp"

namespace perigee::directory {
namespace {

constexpr HandleBase block(std::uint32_t number) {
  return base_of(HandleBlock{number}, handles_per_worker);
}

struct AFailoverRecord : testing::Test {
  AFailoverRecord() {
    for (const WorkerSlot i : worker_slots(3)) {
      workers.push_back({.slot = i, .handle_base = block(i.number + 1U), .alive = true});
    }
  }
  static constexpr Micros start_us = 1'000'000'000;
  std::vector<WorkerEntry> workers;
  std::vector<FailoverRecord> list;
  std::uint64_t version = 1;
  FailoverRecords records{{.workers = workers, .records = list, .version = version}};
};

TEST_F(AFailoverRecord, PassesToTheNextSuccessorWithThoseBeforeIt) {
  records.hand_over(block(1), workers[1], {.crashes = 1, .since_us = start_us});
  records.mark_copied(block(2));
  ASSERT_TRUE(list.front().copied);
  records.hand_over(block(2), workers[2], {.crashes = 2, .since_us = start_us});
  ASSERT_EQ(list.size(), 2U);
  for (const FailoverRecord& record : list) {
    EXPECT_EQ(record.successor, WorkerSlot{2});
    EXPECT_EQ(record.successor_handle_base, block(3));
    EXPECT_EQ(record.crashes, 2U);
    EXPECT_FALSE(record.copied) << "the next standby has it no longer";
  }
  EXPECT_EQ(list[0].epoch, Epoch{3}) << "its second successor";
  EXPECT_EQ(list[1].epoch, Epoch{2});
  EXPECT_EQ(records.taken_over_by(block(3)), 2U);
}

TEST_F(AFailoverRecord, ContinuesACrashChainOnlySoonAndOnlyByCrashes) {
  records.hand_over(block(1), workers[1], {.crashes = 1, .since_us = start_us});
  const Micros soon_us = start_us + FailoverRecords::chain_us;
  EXPECT_EQ(records.chain_after(soon_us, block(2), IncarnationEnd::Crash),
            (CrashChain{2, start_us}));
  EXPECT_EQ(records.chain_after(soon_us, block(2), IncarnationEnd::Order),
            (CrashChain{1, start_us}));
  EXPECT_EQ(records.chain_after(soon_us + 1, block(2), IncarnationEnd::Crash),
            (CrashChain{1, soon_us + 1}));
  EXPECT_EQ(records.chain_after(soon_us, block(3), IncarnationEnd::Crash), (CrashChain{1, soon_us}))
      << "it has taken over nothing";
}

TEST_F(AFailoverRecord, IsDroppedWhenItsSuccessorIsGone) {
  workers[0].alive = false;
  records.hand_over(block(1), workers[1], {});
  records.drop_obsolete();
  EXPECT_EQ(list.size(), 1U);
  EXPECT_EQ(version, 1U);
  workers[1].handle_base = block(7);
  records.drop_obsolete();
  EXPECT_TRUE(list.empty()) << "another incarnation";
  EXPECT_EQ(version, 2U);
}

TEST_F(AFailoverRecord, IsDroppedBeyondALimitTheOldestFirst) {
  for (std::uint32_t i = 0; i < FailoverRecords::records_max + 3; ++i) {
    records.hand_over(HandleBase{block(10).number + i}, workers[1], {});
  }
  records.drop_obsolete();
  ASSERT_EQ(list.size(), FailoverRecords::records_max);
  EXPECT_EQ(list.front().handle_base, HandleBase{block(10).number + 3}) << "the oldest first";
}

TEST_F(AFailoverRecord, CanBeDroppedIfItIsNotCopied) {
  records.hand_over(block(10), workers[1], {});
  records.mark_copied(block(2));
  records.hand_over(block(11), workers[1], {});
  EXPECT_EQ(records.drop_uncopied(block(2)), 1U);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list.front().handle_base, block(10));
  EXPECT_FALSE(records.drop(HandleBlock{11}));
  EXPECT_TRUE(records.drop(HandleBlock{10}));
}

TEST(UncopiedTakeovers, AreCopiedOnceTheSuccessorKnowsTheirMapAndIsInSync) {
  UncopiedTakeovers takeovers;
  takeovers.note(WorkerSlot{1}, 50, {RegionId{3}, RegionId{4}});
  takeovers.note(WorkerSlot{1}, 60, {RegionId{5}});
  EXPECT_FALSE(takeovers.note_in_sync(WorkerSlot{1}, 59)) << "the second one may be missing";
  EXPECT_FALSE(takeovers.out_of_date(WorkerSlot{1}, 59)) << "what it had before is in sync";
  EXPECT_TRUE(takeovers.note_in_sync(WorkerSlot{1}, 60));
  EXPECT_FALSE(takeovers.note_in_sync(WorkerSlot{1}, 61)) << "they are copied already";
}

TEST(UncopiedTakeovers, TellTheRegionsOfAllOfThem) {
  UncopiedTakeovers takeovers;
  takeovers.note(WorkerSlot{1}, 50, {RegionId{3}, RegionId{4}});
  takeovers.note(WorkerSlot{1}, 60, {RegionId{5}});
  EXPECT_EQ(takeovers.extract(WorkerSlot{1}),
            (std::vector<RegionId>{RegionId{3}, RegionId{4}, RegionId{5}}));
  EXPECT_FALSE(takeovers.contains(WorkerSlot{1}));
  EXPECT_TRUE(takeovers.extract(WorkerSlot{1}).empty());
}

TEST(UncopiedTakeovers, OfARestoredDirectoryLeaveNothingInSync) {
  UncopiedTakeovers takeovers;
  takeovers.note_restored(WorkerSlot{1}, 50);
  EXPECT_TRUE(takeovers.out_of_date(WorkerSlot{1}, 49));
  EXPECT_FALSE(takeovers.out_of_date(WorkerSlot{1}, 50));
  EXPECT_FALSE(takeovers.out_of_date(WorkerSlot{2}, 49));
}

}  // namespace
}  // namespace perigee::directory
