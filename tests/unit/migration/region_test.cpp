// A single region owner: its messages, and the conditions for which each message waits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model.hpp"

namespace perigee::migration {
namespace {

using checker::the_group;
using checker::Traits;
using testing::ElementsAre;
using testing::IsEmpty;

struct Notes final : Effects<Traits> {
  std::vector<Message<Traits>> said;
  std::vector<EntryKind> logged;
  std::vector<Traits::Outcome> journalled, reported;
  std::vector<StandbyStatus> recorded;
  void send(const Message<Traits>& message) override { said.push_back(message); }
  void replicate(LogIndex, const Entry<Traits>& entry) override { logged.push_back(entry.kind); }
  void journal(Epoch, GroupId, const Traits::Outcome& outcome) override {
    journalled.push_back(outcome);
  }
  void tell(GroupId, const Traits::Outcome& outcome) override { reported.push_back(outcome); }
  void record(StandbyStatus state) override { recorded.push_back(state); }

  std::vector<MessageKind> kinds() const {
    std::vector<MessageKind> out;
    for (const auto& message : said) out.push_back(message.kind);
    return out;
  }
};

constexpr RegionId here = 1, there = 2;
constexpr Tick at_border{600};

/// With a standby in sync that has received everything so far.
Region<Traits> with_standby(Notes& notes, bool with_group) {
  Region<Traits> out(here, 1);
  if (with_group) out.admit(the_group, {}, notes);
  out.on_standby_joined();
  out.on_replicated(out.appended(), notes);
  out.on_recorded(StandbyStatus::InSync, notes);
  notes = {};
  return out;
}

Message<Traits> from_there(MessageKind kind, Gver gver) {
  return {.kind = kind, .from = there, .to = here, .epoch = 1, .group = the_group, .gver = gver};
}

TEST(ARegionsOwner, LetsAGroupGoOnceItsStandbyKnows) {
  Notes notes;
  auto region = with_standby(notes, true);
  region.move(the_group, there, at_border, notes);
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Prepare));
  region.on_message(from_there(MessageKind::Ready, 2), true, notes);
  EXPECT_THAT(notes.logged, ElementsAre(EntryKind::Out));
  EXPECT_TRUE(region.owns(the_group)) << "up to the tick at which it leaves";
  notes.said.clear();
  region.arrived_at_border(the_group, {}, notes);
  EXPECT_FALSE(region.owns(the_group));
  EXPECT_THAT(notes.said, IsEmpty()) << "the buddy has not heard of it";
  region.on_replicated(region.appended(), notes);
  ASSERT_THAT(notes.kinds(), ElementsAre(MessageKind::Final));
  EXPECT_EQ(notes.said[0].effect, at_border);
  EXPECT_EQ(notes.said[0].gver, 2U);
}

// For example, the group came aboard a ship, and left with it again.
TEST(ARegionsOwner, TakesWhatWentAlongWithAnotherGroupAndComesBack) {
  Notes notes;
  Region<Traits> region(here, 1);
  region.on_message(from_there(MessageKind::Final, 700), true, notes);
  ASSERT_TRUE(region.owns(the_group));
  region.went_along(the_group, notes);
  EXPECT_FALSE(region.owns(the_group));
  notes.said.clear();
  region.on_message(from_there(MessageKind::Prepare, 900), true, notes);
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Ready));
  region.on_message(from_there(MessageKind::Final, 900), true, notes);
  EXPECT_TRUE(region.owns(the_group));
}

TEST(ARegionsOwner, NumbersAttemptsOfWhatCameAlongFromWhereItIsTold) {
  Notes notes;
  Region<Traits> other(there, 1), region(here, 1);
  other.on_message({.kind = MessageKind::Final,
                    .from = here,
                    .to = there,
                    .epoch = 1,
                    .group = the_group,
                    .gver = 700},
                   true, notes);
  other.went_along(the_group, notes);
  region.admit(the_group, {}, notes, 800);
  notes.said.clear();
  region.move(the_group, there, at_border, notes);
  ASSERT_THAT(notes.kinds(), ElementsAre(MessageKind::Prepare));
  EXPECT_GT(notes.said[0].gver, 800U);
  Message<Traits> final = notes.said[0];
  final.kind = MessageKind::Final;
  other.on_message(final, true, notes);
  EXPECT_TRUE(other.owns(the_group)) << "said to have it already, it would be nobody's";
}

TEST(ARegionsOwner, TakesAGroupAtOnceAndSaysSoOnceItsStandbyKnows) {
  Notes notes;
  auto region = with_standby(notes, false);
  region.on_message(from_there(MessageKind::Final, 2), true, notes);
  EXPECT_TRUE(region.owns(the_group));
  EXPECT_THAT(notes.said, IsEmpty());
  region.on_replicated(region.appended(), notes);
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Taken));
}

TEST(ARegionsOwner, RefusesForGood) {
  Notes notes;
  auto region = with_standby(notes, false);
  region.on_message(from_there(MessageKind::Final, 2), false, notes);
  region.on_replicated(region.appended(), notes);
  region.on_message(from_there(MessageKind::Final, 2), true, notes);
  EXPECT_FALSE(region.owns(the_group));
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Refused, MessageKind::Refused));
  region.on_message(from_there(MessageKind::Final, 4), true, notes);
  EXPECT_TRUE(region.owns(the_group)) << "the next attempt is another question";
}

TEST(ARegionsOwner, RemembersSoManyRefusalsOfAGroupAndTakesNoneOfTheOlder) {
  Notes notes;
  Region<Traits> region(here, 1);
  for (Gver gver = 2; gver < 100'000; gver += 2) {
    region.on_message(from_there(MessageKind::Ask, gver), true, notes);
  }
  EXPECT_EQ(region.ledger().groups.at(the_group).refused.size(), Traits::refusals_max);
  notes.said.clear();
  region.on_message(from_there(MessageKind::Final, 400), true, notes);
  EXPECT_FALSE(region.owns(the_group));
  EXPECT_THAT(notes.said, IsEmpty()) << "nobody asks about it";
  region.on_message(from_there(MessageKind::Final, 100'001), true, notes);
  EXPECT_TRUE(region.owns(the_group));
}

TEST(ARegionsOwner, RemembersWhoWentAndNothingOfWhatTheyWere) {
  Notes notes;
  Region<Traits> region(here, 1);
  auto came = from_there(MessageKind::Final, 2);
  came.state.decided[0] = 3;
  region.on_message(came, true, notes);
  region.move(the_group, there, at_border, notes);
  region.on_message(from_there(MessageKind::Ready, 3), true, notes);
  EXPECT_THAT(region.ledger().open, ElementsAre(the_group));
  region.arrived_at_border(the_group, came.state, notes);
  region.on_message(from_there(MessageKind::Taken, 3), true, notes);
  const auto& known = region.ledger().groups.at(the_group);
  EXPECT_EQ(known.place, Place::Elsewhere);
  EXPECT_EQ(known.taken.gver, 2U) << "who asks again hears it again";
  EXPECT_EQ(known.state, Traits::State{});
  EXPECT_THAT(region.ledger().open, IsEmpty());
  EXPECT_EQ(region.final_of(the_group), nullptr);
  notes.said.clear();
  region.poll(notes);
  EXPECT_THAT(notes.said, IsEmpty()) << "a poll looks at nobody who is elsewhere";
}

TEST(ARegionsOwner, GoesOnWithWhatWasRefusedAsANewVersion) {
  Notes notes;
  auto region = with_standby(notes, true);
  region.move(the_group, there, at_border, notes);
  region.on_message(from_there(MessageKind::Ready, 2), true, notes);
  region.arrived_at_border(the_group, {}, notes);
  region.on_message(from_there(MessageKind::Refused, 2), true, notes);
  EXPECT_TRUE(region.owns(the_group));
  EXPECT_EQ(region.ledger().groups.at(the_group).gver, 3U);
  region.move(the_group, there, at_border, notes);
  EXPECT_EQ(notes.said.back().gver, 4U);
}

TEST(ARegionsOwner, DoesNotHearAnswersToOtherAttempts) {
  Notes notes;
  auto region = with_standby(notes, true);
  region.move(the_group, there, at_border, notes);
  region.give_up(the_group);
  region.move(the_group, there, at_border, notes);
  region.on_message(from_there(MessageKind::Ready, 2), true, notes);
  EXPECT_THAT(notes.logged, IsEmpty()) << "that was the attempt before";
  region.on_message(from_there(MessageKind::Ready, 3), true, notes);
  auto from_elsewhere = from_there(MessageKind::Taken, 3);
  from_elsewhere.from = there + 1;
  region.on_message(from_elsewhere, true, notes);
  EXPECT_THAT(notes.logged, ElementsAre(EntryKind::Out));
}

TEST(ARegionsOwner, WithoutItsStandbyWaitsUntilThatIsOnRecord) {
  Notes notes;
  auto region = with_standby(notes, true);
  region.on_standby_lost(notes);
  EXPECT_THAT(notes.recorded, ElementsAre(StandbyStatus::None));
  region.decide(the_group, {0, 5}, notes);
  EXPECT_THAT(notes.journalled, IsEmpty());
  region.on_recorded(StandbyStatus::InSync, notes);
  EXPECT_THAT(notes.recorded, ElementsAre(StandbyStatus::None, StandbyStatus::None))
      << "asks again";
  region.on_recorded(StandbyStatus::None, notes);
  EXPECT_THAT(notes.journalled, ElementsAre(Traits::Outcome{0, 5}));
}

// Otherwise a region with a decision in every tick would never have a standby in sync.
TEST(ARegionsOwner, WaitsForAStandbyThatHasNotEverythingYet) {
  Notes notes;
  Region<Traits> region(here, 1);
  region.admit(the_group, {}, notes);
  const LogIndex before = region.appended();
  region.on_standby_joined();
  region.decide(the_group, {0, 5}, notes);
  EXPECT_THAT(notes.journalled, IsEmpty());
  region.on_replicated(before, notes);
  EXPECT_THAT(notes.recorded, ElementsAre(StandbyStatus::InSync))
      << "it has all that was durable without it";
  EXPECT_THAT(notes.journalled, IsEmpty());
  region.on_replicated(region.appended(), notes);
  EXPECT_THAT(notes.journalled, ElementsAre(Traits::Outcome{0, 5}));
}

TEST(ARegionsOwner, IsAloneAsBeforeIfItsStandbyIsLostWhileItFills) {
  for (const bool with_group : {false, true}) {
    Notes notes;
    Region<Traits> region(here, 1);
    if (with_group) region.admit(the_group, {}, notes);
    region.on_standby_joined();
    if (with_group) region.decide(the_group, {0, 5}, notes);
    region.on_standby_lost(notes);
    EXPECT_TRUE(region.alone());
    EXPECT_THAT(notes.recorded, IsEmpty()) << "nobody has ever been told otherwise";
    EXPECT_EQ(notes.journalled.size(), with_group ? 1U : 0U);
    region.on_standby_joined();
    region.on_replicated(region.appended(), notes);
    EXPECT_THAT(notes.recorded, ElementsAre(StandbyStatus::InSync));
  }
}

TEST(ARegionsOwner, TellsAnOutcomeOnceTheJournalHasIt) {
  Notes notes;
  auto region = with_standby(notes, true);
  region.decide(the_group, {0, 5}, notes);
  EXPECT_THAT(notes.journalled, IsEmpty());
  region.on_replicated(region.appended(), notes);
  EXPECT_THAT(notes.journalled, ElementsAre(Traits::Outcome{0, 5}));
  EXPECT_THAT(notes.reported, IsEmpty());
  region.on_committed(the_group, {0, 5}, notes);
  EXPECT_THAT(notes.reported, ElementsAre(Traits::Outcome{0, 5}));
  EXPECT_THAT(region.ledger().groups.at(the_group).pending, IsEmpty());
}

TEST(AStandby, ThatTakesOverAsksAboutWhatWasLeaving) {
  Notes notes;
  auto region = with_standby(notes, true);
  region.move(the_group, there, at_border, notes);
  region.on_message(from_there(MessageKind::Ready, 2), true, notes);
  notes = {};
  Region<Traits> successor(here, 2, region.ledger());
  successor.poll(notes);
  EXPECT_FALSE(successor.owns(the_group)) << "frozen until that is known";
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Ask));
  successor.on_message(from_there(MessageKind::Taken, 2), true, notes);
  EXPECT_EQ(successor.ledger().groups.at(the_group).place, Place::Elsewhere);
}

TEST(ARecord, IsChangedByWhoHasSeenItsNewestVersionOnly) {
  Record record{.region = here, .owner = 0, .standby = 1, .standby_status = StandbyStatus::InSync};
  EXPECT_FALSE(set_standby(record, 1, 2, {}, StandbyStatus::None));
  EXPECT_FALSE(set_standby(record, 2, 1, {}, StandbyStatus::None)) << "of another epoch";
  EXPECT_TRUE(set_standby(record, 1, 1, {}, StandbyStatus::None));
  EXPECT_FALSE(promote(record, 1, 2)) << "it was dismissed";
}

TEST(ARecord, IsTakenOverByAStandbyInSyncOnce) {
  Record record{.region = here, .owner = 0, .standby = 1, .standby_status = StandbyStatus::Copying};
  EXPECT_FALSE(promote(record, 1, 1));
  EXPECT_TRUE(set_standby(record, 1, 1, WorkerId{1}, StandbyStatus::InSync));
  EXPECT_FALSE(promote(record, 2, 2)) << "not the buddy";
  EXPECT_TRUE(promote(record, 1, 2));
  EXPECT_EQ(record.epoch, 2U);
  EXPECT_EQ(record.owner, 1);
  EXPECT_FALSE(set_standby(record, 1, 2, {}, StandbyStatus::None)) << "the former owner";
}

}  // namespace
}  // namespace perigee::migration
