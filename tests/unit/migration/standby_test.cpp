// The entries that an owner may treat as durable, from the first acknowledgement of a standby to
// its loss.
#include "perigee/migration/standby.hpp"

#include <gtest/gtest.h>

namespace perigee::migration {
namespace {

Standby<> in_sync() {
  Standby<> out;
  out.fill(10);
  out.filled();
  out.on_record(true);
  return out;
}

TEST(AStandby, CountsOnceItHasWhatWasDurableWithoutIt) {
  Standby<> standby;
  EXPECT_TRUE(standby.alone());
  standby.fill(10);
  EXPECT_FALSE(standby.alone()) << "new entries wait for it";
  EXPECT_FALSE(standby.counts(9));
  EXPECT_FALSE(standby.complete());
  EXPECT_TRUE(standby.counts(10));
  EXPECT_TRUE(standby.filled()) << "the owner has it recorded";
  EXPECT_TRUE(standby.complete());
  EXPECT_FALSE(standby.in_sync()) << "not before the record says so";
  standby.on_record(false);
  EXPECT_FALSE(standby.in_sync());
  standby.on_record(true);
  EXPECT_TRUE(standby.in_sync());
  EXPECT_FALSE(standby.filled()) << "there is nothing new to record";
}

TEST(AStandby, ThatIsToHaveMoreCountsLater) {
  Standby<> standby;
  standby.fill(10);
  standby.fill_again(20);
  EXPECT_FALSE(standby.counts(19));
  EXPECT_TRUE(standby.counts(20));
}

TEST(AStandby, ThatIsLostBeforeItWasRecordedLeavesItsOwnerAlone) {
  Standby<> standby;
  standby.fill(10);
  EXPECT_FALSE(standby.lose()) << "there is nothing to record";
  EXPECT_TRUE(standby.alone());
  standby.fill(30);
  EXPECT_FALSE(standby.counts(10));
}

TEST(AStandby, ThatIsLostIsWaitedForUntilTheRecordSaysThatThereIsNone) {
  for (const bool recorded : {false, true}) {
    Standby<> standby;
    standby.fill(10);
    standby.filled();
    if (recorded) standby.on_record(true);
    EXPECT_TRUE(standby.lose()) << "it may be promoted";
    EXPECT_TRUE(standby.losing());
    EXPECT_FALSE(standby.counts(1'000)) << "whatever a standby acknowledges meanwhile";
    EXPECT_FALSE(standby.lose());
    standby.on_record(true);
    EXPECT_TRUE(standby.losing());
    standby.on_record(false);
    EXPECT_TRUE(standby.alone());
  }
}

TEST(AStandby, InSyncStaysSoWithEachRecordThatSaysSo) {
  Standby<> standby = in_sync();
  standby.on_record(true);
  EXPECT_TRUE(standby.in_sync());
  EXPECT_TRUE(standby.counts(0));
}

}  // namespace
}  // namespace perigee::migration
