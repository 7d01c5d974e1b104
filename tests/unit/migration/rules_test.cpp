// Each rule is necessary: without it, a guarantee breaks. (R1 to R4, R7, R8)
#include <gtest/gtest.h>

#include "explore.hpp"
#include "sanitized.hpp"

namespace perigee::migration::checker {
namespace {

const Bounds one_failure{.moves = 1, .failures = 1, .crashes = 1, .new_standbys = 0};

/// Variable, so that one compiled checker can run with any rule left out.
Rules remaining;

std::string first_fault(const Bounds& bounds) {
  const Seen seen = explore<remaining>(bounds, 2'000'000);
  return seen.wrong.substr(0, seen.wrong.find('\n'));
}
std::string broken_without(bool Rules::* rule, const Bounds& bounds) {
  remaining = {};
  remaining.*rule = false;
  return first_fault(bounds);
}
/// The rule holds outside of sim/migration.
std::string broken_without(bool Surroundings::* rule, Bounds bounds) {
  remaining = {};
  bounds.around.*rule = false;
  return first_fault(bounds);
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
  const Bounds many{.moves = 2, .refusals = 2, .failures = 0, .new_standbys = 0};
  EXPECT_EQ(broken_without(&Rules::closed_stays_closed, many), "the group is owned twice");
}
TEST_F(WithoutTheRule, R3ThatATakeIsDurableBeforeItIsAcknowledgedTheGroupIsLost) {
  EXPECT_EQ(broken_without(&Rules::durable_take, one_failure), "the group is lost");
}
TEST_F(WithoutTheRule, R3ThatAGroupInDoubtIsFrozenTwoRegionsPlayIt) {
  EXPECT_EQ(broken_without(&Rules::frozen_in_doubt, one_failure), "two regions played one version");
}
TEST_F(WithoutTheRule, R4ThatOnlyAStandbyInSyncIsPromotedTheGroupIsOwnedTwice) {
  const Bounds breaks{.moves = 1, .refusals = 0, .crashes = 1, .new_standbys = 0};
  EXPECT_EQ(broken_without(&Surroundings::only_in_sync_promoted, breaks),
            "the group is owned twice");
}
TEST_F(WithoutTheRule, R4ThatAStandbyInSyncHasEverythingTheGroupIsOwnedTwice) {
  const Bounds replaced{
      .moves = 1, .refusals = 0, .failures = 1, .crashes = 1, .suspicions = 0, .new_standbys = 1};
  EXPECT_EQ(broken_without(&Rules::filled_before_in_sync, replaced), "the group is owned twice");
}
TEST_F(WithoutTheRule, R4ThatAnOwnerActsAloneOnRecordOnlyTheGroupIsLost) {
  EXPECT_EQ(broken_without(&Rules::alone_on_record, one_failure), "the group is lost");
}
TEST_F(WithoutTheRule, R4ThatTheRecordRepeatsTheOwnersWordTheGroupIsLost) {
  const Bounds replaced{
      .moves = 1, .refusals = 0, .crashes = 1, .suspicions = 0, .new_standbys = 1};
  EXPECT_EQ(broken_without(&Surroundings::record_repeats_word, replaced), "the group is lost");
}
TEST_F(WithoutTheRule, R7ThatNoVersionIsUsedAgainTwoRegionsPlayIt) {
  EXPECT_EQ(broken_without(&Rules::versions, one_failure), "two regions played one version");
}
TEST_F(WithoutTheRule, R8ThatAGroupStaysWithTheWorkerThatHasItTheGroupIsOwnedTwice) {
  const Bounds two_hops{
      .moves = 2, .refusals = 0, .crashes = 1, .suspicions = 0, .new_standbys = 0};
  EXPECT_EQ(broken_without(&Surroundings::asks_others_before_return, two_hops),
            "the group is owned twice");
}

}  // namespace
}  // namespace perigee::migration::checker
