// Each rule is necessary: without it, a guarantee breaks. (R1 to R8)
#include <gtest/gtest.h>

#include "explore.hpp"
#include "sanitized.hpp"

namespace perigee::migration::checker {
namespace {

const Bounds one_failure{.moves = 1, .decisions = 1, .failures = 1, .crashes = 1, .rejoins = 0};

/// Variable, so that one compiled checker can run with any rule left out.
Rules remaining;

std::string broken_without(bool Rules::* rule, const Bounds& bounds) {
  remaining = {};
  remaining.*rule = false;
  const Seen seen = explore<remaining>(bounds, 1'000'000);
  return seen.wrong.substr(0, seen.wrong.find('\n'));
}

class WithoutTheRule : public testing::Test {
 protected:
  void SetUp() override {
    if (shortened()) GTEST_SKIP() << "shortened: the run without the tested rule is left out";
  }
};

TEST_F(WithoutTheRule, R1ThatTheIntentIsDurableTheGroupIsOwnedTwice) {
  EXPECT_EQ(broken_without(&Rules::intent, one_failure), "the group is owned twice");
}
TEST_F(WithoutTheRule, R2ThatNoIsBindingTheGroupIsOwnedTwice) {
  EXPECT_EQ(broken_without(&Rules::binding_answers, one_failure), "the group is owned twice");
}
TEST_F(WithoutTheRule, R2ThatItIsStillBindingOnceItIsNotRememberedTheGroupIsOwnedTwice) {
  const Bounds many{.moves = 2, .decisions = 0, .refusals = 2, .failures = 0, .rejoins = 0};
  EXPECT_EQ(broken_without(&Rules::closed_stays_closed, many), "the group is owned twice");
}
TEST_F(WithoutTheRule, R3ThatATakeIsDurableBeforeItIsToldTheGroupIsLost) {
  EXPECT_EQ(broken_without(&Rules::durable_take, one_failure), "the group is lost");
}
TEST_F(WithoutTheRule, R3ThatAGroupInDoubtIsFrozenTwoRegionsPlayIt) {
  EXPECT_EQ(broken_without(&Rules::frozen_in_doubt, one_failure), "two regions played one version");
}
TEST_F(WithoutTheRule, R4ThatOnlyAStandbyInSyncIsPromotedTheGroupIsOwnedTwice) {
  const Bounds rejoins{.moves = 1, .decisions = 0, .refusals = 0, .crashes = 1, .restores = false};
  EXPECT_EQ(broken_without(&Rules::only_in_sync_promoted, rejoins), "the group is owned twice");
}
TEST_F(WithoutTheRule, R4ThatAnOwnerActsAloneOnRecordOnlyTheGroupIsLost) {
  EXPECT_EQ(broken_without(&Rules::alone_on_record, one_failure), "the group is lost");
}
TEST_F(WithoutTheRule, R5ThatTheStandbyHearsFirstAToldOutcomeIsForgotten) {
  EXPECT_EQ(broken_without(&Rules::standby_before_journal, one_failure),
            "a told outcome is not true any more");
}
TEST_F(WithoutTheRule, R5ThatWhatIsPendingTravelsTheJournalMissesIt) {
  EXPECT_EQ(broken_without(&Rules::pending_travels, one_failure),
            "the journal does not have an outcome");
}
TEST_F(WithoutTheRule, R5ThatTheJournalIsReadAToldOutcomeIsForgotten) {
  EXPECT_EQ(broken_without(&Rules::journal_is_read, one_failure),
            "a told outcome is not true any more");
}
TEST_F(WithoutTheRule, R6ThatTheEpochIsComparedWhereItIsWrittenTheJournalAndTheWorldDiffer) {
  EXPECT_EQ(broken_without(&Rules::fencing, one_failure), "the journal does not have an outcome");
}
TEST_F(WithoutTheRule, R7ThatNoVersionIsUsedAgainTwoRegionsPlayIt) {
  EXPECT_EQ(broken_without(&Rules::versions, one_failure), "two regions played one version");
}
TEST_F(WithoutTheRule, R8ThatAFormerOwnersWordIsVoidTheGroupIsLost) {
  EXPECT_EQ(broken_without(&Rules::floors, one_failure), "the group is lost");
}

}  // namespace
}  // namespace perigee::migration::checker
