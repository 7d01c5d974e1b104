#include "perigee/replication/track_holders.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "perigee/replication/published.hpp"

namespace perigee::replication {
namespace {

constexpr std::uint32_t stone = 3, tree = 4;

struct AHolder : testing::Test {
  TrackHolders holders{8};
  /// More than one plane has room for.
  std::vector<TrackHolders::Column> columns = enter(140);

  std::vector<TrackHolders::Column> enter(int count) {
    std::vector<TrackHolders::Column> out;
    for (int i = 0; i < count; ++i) out.push_back(holders.enter());
    return out;
  }
  void note_checked(std::uint32_t slot, Precision precision) {
    holders.note_checked(slot, precision, false);
  }
  bool has(TrackHolders::Column column, Precision wanted, std::uint32_t slot = stone) const {
    return holders.notes_of(column).has_checked(slot, static_cast<std::uint32_t>(wanted));
  }
};

TEST_F(AHolder, HasATrackThatIsPreciseEnough) {
  note_checked(stone, Precision::Middle);
  EXPECT_FALSE(has(columns[17], Precision::Coarse)) << "it was never sent one";
  holders.note(stone, columns[17], Precision::Middle);
  EXPECT_TRUE(has(columns[17], Precision::Coarse));
  EXPECT_TRUE(has(columns[17], Precision::Middle));
  EXPECT_FALSE(has(columns[17], Precision::Fine));
  EXPECT_FALSE(has(columns[16], Precision::Coarse));
  EXPECT_FALSE(has(columns[17], Precision::Coarse, tree));
}

TEST_F(AHolder, HasNothingThatWasNotCheckedInThisTick) {
  holders.note(stone, columns[0], Precision::Fine);
  EXPECT_FALSE(has(columns[0], Precision::Coarse));
  note_checked(stone, Precision::Middle);
  EXPECT_FALSE(has(columns[0], Precision::Coarse)) << "that is another class";
  note_checked(stone, Precision::Fine);
  EXPECT_TRUE(has(columns[0], Precision::Coarse));
  holders.forget_checked(stone);
  EXPECT_FALSE(has(columns[0], Precision::Coarse));
  note_checked(stone, Precision::Fine);
  EXPECT_TRUE(has(columns[0], Precision::Coarse)) << "what it has stays";
}

TEST_F(AHolder, HasOneTrackAtATime) {
  for (const Precision each : {Precision::Finest, Precision::Coarse}) {
    note_checked(stone, each);
    holders.note(stone, columns[5], each);
  }
  EXPECT_FALSE(has(columns[5], Precision::Finest));
  EXPECT_TRUE(has(columns[5], Precision::Coarse));
  holders.forget(stone, columns[5]);
  EXPECT_FALSE(has(columns[5], Precision::Coarse));
}

TEST_F(AHolder, LosesATrackWhenItsClassHasANewerOne) {
  constexpr std::array classes{Precision::Finest, Precision::Fine, Precision::Middle,
                               Precision::Coarse};
  const auto class_of = [&](std::size_t i) { return classes[i % classes.size()]; };
  for (const Precision each : classes) note_checked(stone, each);
  for (std::size_t i = 0; i < columns.size(); ++i) holders.note(stone, columns[i], class_of(i));
  holders.outdate(stone, Precision::Middle);
  EXPECT_FALSE(has(columns[2], Precision::Coarse)) << "the newer track is not checked";
  note_checked(stone, Precision::Middle);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    EXPECT_EQ(has(columns[i], Precision::Coarse), class_of(i) != Precision::Middle) << i;
    EXPECT_EQ(has(columns[i], class_of(i)), class_of(i) != Precision::Middle) << i;
  }
}

TEST_F(AHolder, KeepsWhatItHasWhenMoreObserversCome) {
  note_checked(stone, Precision::Fine);
  for (std::size_t i = 0; i < columns.size(); i += 3)
    holders.note(stone, columns[i], Precision::Fine);
  const auto more = enter(300);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    EXPECT_EQ(has(columns[i], Precision::Fine), i % 3 == 0) << i;
  }
  for (const TrackHolders::Column column : more) EXPECT_FALSE(has(column, Precision::Coarse));
}

TEST_F(AHolder, LeavesItsColumnToAnotherOne) {
  holders.note(stone, columns[7], Precision::Fine);
  holders.forget(stone, columns[7]);
  holders.leave(columns[7]);
  EXPECT_EQ(holders.enter(), columns[7]);
  note_checked(stone, Precision::Fine);
  EXPECT_FALSE(has(columns[7], Precision::Coarse));
}

TEST_F(AHolder, NeedsAFinerTrackOfWhatIsJointed) {
  for (std::uint32_t held = 0; held < precisions; ++held) {
    const auto precision = static_cast<Precision>(held);
    for (const bool jointed : {false, true}) {
      const std::uint32_t slot = jointed ? tree : stone;
      holders.forget_checked(slot);
      holders.note_checked(slot, precision, jointed);
      holders.note(slot, columns[130], precision);
      for (std::uint32_t ring = 0; ring < interest_rings; ++ring) {
        EXPECT_EQ(holders.notes_of(columns[130]).has_checked(slot, ring),
                  precision <= wanted_in(ring, jointed))
            << "class " << held << " in ring " << ring << (jointed ? ", jointed" : "");
      }
    }
  }
}

TEST_F(AHolder, HasNothingOfANewEntity) {
  holders.note(stone, columns[139], Precision::Fine);
  holders.note(tree, columns[139], Precision::Fine);
  holders.clear(stone);
  for (const std::uint32_t slot : {stone, tree}) note_checked(slot, Precision::Fine);
  EXPECT_FALSE(has(columns[139], Precision::Coarse));
  EXPECT_TRUE(has(columns[139], Precision::Coarse, tree));
}

}  // namespace
}  // namespace perigee::replication
