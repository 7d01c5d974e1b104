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
  std::vector<Message<Traits>> sent;
  std::vector<EntryKind> logged;
  void send(const Message<Traits>& message) override { sent.push_back(message); }
  void replicate(LogIndex, const Entry& entry) override { logged.push_back(entry.kind); }

  std::vector<MessageKind> kinds() const {
    std::vector<MessageKind> out;
    for (const auto& message : sent) out.push_back(message.kind);
    return out;
  }
};

constexpr LogId here{1}, there{2}, elsewhere{3};
constexpr Tick at_border{600};

/// With a standby in sync that has received everything so far.
Region<Traits> with_standby(Notes& notes, bool with_group) {
  Region<Traits> out(here, Epoch{1});
  if (with_group) out.admit(the_group, 1, notes);
  out.wait_for_standby();
  notes = {};
  return out;
}

Message<Traits> from_there(MessageKind kind, Gver gver) {
  return {
      .kind = kind, .from = there, .to = here, .epoch = Epoch{1}, .group = the_group, .gver = gver};
}

TEST(ARegionsOwner, LetsAGroupGoOnceItsStandbyKnows) {
  Notes notes;
  auto region = with_standby(notes, true);
  region.move(the_group, there, at_border, notes);
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Prepare));
  region.on_message(from_there(MessageKind::Ready, 2), true, notes);
  EXPECT_THAT(notes.logged, ElementsAre(EntryKind::Out));
  EXPECT_TRUE(region.owns(the_group)) << "up to the tick at which it leaves";
  notes.sent.clear();
  region.arrived_at_border(the_group, {}, notes);
  EXPECT_FALSE(region.owns(the_group));
  EXPECT_THAT(notes.sent, IsEmpty()) << "the standby has not received it";
  region.on_replicated(region.appended(), notes);
  ASSERT_THAT(notes.kinds(), ElementsAre(MessageKind::Final));
  EXPECT_EQ(notes.sent[0].effect, at_border);
  EXPECT_EQ(notes.sent[0].gver, 2U);
}

// For example, the group came aboard a ship, and left with it again.
TEST(ARegionsOwner, TakesWhatWentAlongWithAnotherGroupAndComesBack) {
  Notes notes;
  Region<Traits> region(here, Epoch{1});
  region.on_message(from_there(MessageKind::Final, 700), true, notes);
  ASSERT_TRUE(region.owns(the_group));
  region.went_along(the_group, notes);
  EXPECT_FALSE(region.owns(the_group));
  notes.sent.clear();
  region.on_message(from_there(MessageKind::Prepare, 900), true, notes);
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Ready));
  region.on_message(from_there(MessageKind::Final, 900), true, notes);
  EXPECT_TRUE(region.owns(the_group));
}

TEST(ARegionsOwner, NumbersAttemptsOfWhatCameAlongFromWhereItIsTold) {
  Notes notes;
  Region<Traits> other(there, Epoch{1}), region(here, Epoch{1});
  other.on_message({.kind = MessageKind::Final,
                    .from = here,
                    .to = there,
                    .epoch = Epoch{1},
                    .group = the_group,
                    .gver = 700},
                   true, notes);
  other.went_along(the_group, notes);
  region.admit(the_group, 800, notes);
  notes.sent.clear();
  region.move(the_group, there, at_border, notes);
  ASSERT_THAT(notes.kinds(), ElementsAre(MessageKind::Prepare));
  EXPECT_GT(notes.sent[0].gver, 800U);
  Message<Traits> final = notes.sent[0];
  final.kind = MessageKind::Final;
  other.on_message(final, true, notes);
  EXPECT_TRUE(other.owns(the_group)) << "said to have it already, it would be nobody's";
}

TEST(ARegionsOwner, TakesAGroupAtOnceAndSaysSoOnceItsStandbyKnows) {
  Notes notes;
  auto region = with_standby(notes, false);
  region.on_message(from_there(MessageKind::Final, 2), true, notes);
  EXPECT_TRUE(region.owns(the_group));
  EXPECT_THAT(notes.sent, IsEmpty());
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
  Region<Traits> region(here, Epoch{1});
  for (Gver gver = 2; gver < 100'000; gver += 2) {
    region.on_message(from_there(MessageKind::Ask, gver), true, notes);
  }
  EXPECT_EQ(region.ledger().groups.at(the_group).refused.size(), Traits::refusals_max);
  notes.sent.clear();
  region.on_message(from_there(MessageKind::Final, 400), true, notes);
  EXPECT_FALSE(region.owns(the_group));
  EXPECT_THAT(notes.sent, IsEmpty()) << "nobody asks about it";
  region.on_message(from_there(MessageKind::Final, 100'001), true, notes);
  EXPECT_TRUE(region.owns(the_group));
}

TEST(ARegionsOwner, RemembersWhoWentAndNothingOfWhatTheyWere) {
  Notes notes;
  Region<Traits> region(here, Epoch{1});
  region.on_message(from_there(MessageKind::Final, 2), true, notes);
  region.move(the_group, there, at_border, notes);
  region.on_message(from_there(MessageKind::Ready, 3), true, notes);
  EXPECT_THAT(region.ledger().open, ElementsAre(the_group));
  region.arrived_at_border(the_group, 2, notes);
  EXPECT_NE(region.final_of(the_group), nullptr);
  region.on_message(from_there(MessageKind::Taken, 3), true, notes);
  const auto& known = region.ledger().groups.at(the_group);
  EXPECT_EQ(known.place, Place::Elsewhere);
  EXPECT_EQ(known.taken.gver, 2U) << "a repeated query gets the same reply";
  EXPECT_THAT(region.ledger().open, IsEmpty());
  EXPECT_EQ(region.final_of(the_group), nullptr);
  notes.sent.clear();
  region.poll(notes);
  EXPECT_THAT(notes.sent, IsEmpty()) << "a poll looks at nobody who is elsewhere";
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
  EXPECT_EQ(notes.sent.back().gver, 4U);
}

TEST(ARegionsOwner, IgnoresAnswersToOtherAttempts) {
  Notes notes;
  auto region = with_standby(notes, true);
  region.move(the_group, there, at_border, notes);
  region.give_up(the_group);
  region.move(the_group, there, at_border, notes);
  region.on_message(from_there(MessageKind::Ready, 2), true, notes);
  EXPECT_THAT(notes.logged, IsEmpty()) << "that was the attempt before";
  region.on_message(from_there(MessageKind::Ready, 3), true, notes);
  auto from_elsewhere = from_there(MessageKind::Taken, 3);
  from_elsewhere.from = elsewhere;
  region.on_message(from_elsewhere, true, notes);
  EXPECT_THAT(notes.logged, ElementsAre(EntryKind::Out));
}

TEST(ARegionsOwner, WithoutItsStandbySaysWhatHasWaitedOnceItActsAlone) {
  Notes notes;
  auto region = with_standby(notes, false);
  region.on_message(from_there(MessageKind::Final, 2), true, notes);
  EXPECT_THAT(notes.sent, IsEmpty());
  region.act_alone(notes);
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Taken));
  region.on_message(from_there(MessageKind::Ask, 2), true, notes);
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Taken, MessageKind::Taken));
}

TEST(ARegionsOwner, SaysAgainWhatWasDurableBeforeItHadAStandby) {
  Notes notes;
  Region<Traits> region(here, Epoch{1});
  region.on_message(from_there(MessageKind::Final, 2), true, notes);
  region.wait_for_standby();
  notes.sent.clear();
  region.on_message(from_there(MessageKind::Final, 2), true, notes);
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Taken));
  region.on_message(from_there(MessageKind::Ask, 5), true, notes);
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Taken)) << "the refusal waits";
  region.on_replicated(region.appended(), notes);
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Taken, MessageKind::Refused));
}

TEST(AStandby, ThatTakesOverAsksAboutWhatWasLeaving) {
  Notes notes;
  auto region = with_standby(notes, true);
  region.move(the_group, there, at_border, notes);
  region.on_message(from_there(MessageKind::Ready, 2), true, notes);
  notes = {};
  Region<Traits> successor(here, Epoch{2}, region.ledger());
  successor.poll(notes);
  EXPECT_FALSE(successor.owns(the_group)) << "frozen until that is known";
  EXPECT_THAT(notes.kinds(), ElementsAre(MessageKind::Ask));
  successor.on_message(from_there(MessageKind::Taken, 2), true, notes);
  EXPECT_EQ(successor.ledger().groups.at(the_group).place, Place::Elsewhere);
}

}  // namespace
}  // namespace perigee::migration
