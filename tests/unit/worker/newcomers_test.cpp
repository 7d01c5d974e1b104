/// A new worker refuses groups until its standby could take over from it.
#include <gtest/gtest.h>

#include "pair.hpp"

namespace perigee::worker {
namespace {

struct ANewWorker : testing::Test {
  Pair both{lanes_at_the_border()};

  void walk(int turns) {
    for (int i = 0; i < turns; ++i) {
      both.play(0, walking(to_plus_x));
      both.pass();
    }
  }
  std::uint32_t word_of_it() { return both.there.core->report(std::nullopt).standby_word; }
};

TEST_F(ANewWorker, TakesNothingBeforeItsStandbyHasAllOfIt) {
  both.records = false;
  both.here.join();
  walk(200);
  ASSERT_GT(both.place(0).x, border_x + 32);
  EXPECT_EQ(both.owner(0), &both.here);
  EXPECT_FALSE(both.in_sync(1));
  both.records = true;
  walk(60);
  EXPECT_TRUE(both.in_sync(1));
  EXPECT_EQ(both.owner(0), &both.there);
}

// From the worker's first report on its standby, with any content, the directory knows that the
// worker may have received groups.
TEST_F(ANewWorker, TakesWhatComesWithoutAStandbyAfterFiveSecondsOnceTheDirectoryKnowsOfIt) {
  both.fate = [](const Border::Word& word) -> std::optional<int> {
    if (word.bytes.front() == replica_answer && word.to == WorkerSlot{1}) return std::nullopt;
    return 0;
  };
  both.records = false;
  both.here.join();
  walk(290);
  EXPECT_EQ(word_of_it(), 0U);
  walk(60);
  EXPECT_EQ(word_of_it(), 1U);
  EXPECT_EQ(both.owner(0), &both.here);
  both.records = true;
  walk(60);
  EXPECT_FALSE(both.in_sync(1));
  EXPECT_EQ(both.owner(0), &both.there);
}

TEST_F(ANewWorker, TakesWhatComesWhereNobodyIsToHaveACopy) {
  both.change([](ClusterMap& map) { map.workers[1].standby.reset(); });
  both.here.join();
  walk(200);
  EXPECT_EQ(both.owner(0), &both.there);
  EXPECT_EQ(word_of_it(), 1U);
}

}  // namespace
}  // namespace perigee::worker
