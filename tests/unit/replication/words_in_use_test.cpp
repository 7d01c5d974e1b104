#include "perigee/replication/words_in_use.hpp"

#include <gtest/gtest.h>

#include <set>

#include "perigee/base/hash.hpp"

namespace perigee::replication {
namespace {

std::vector<std::size_t> visited(const WordsInUse& words) {
  std::vector<std::size_t> out;
  words.for_each([&](std::size_t word) { out.push_back(word); });
  return out;
}

TEST(WordsThatAreInUse, AreAPlainSetVisitedInOrder) {
  const std::uint64_t seed = 23;
  SCOPED_TRACE(seed);
  Random random(seed);
  constexpr std::uint32_t words_max = 200;  // not a multiple of 64
  WordsInUse words(words_max);
  std::set<std::size_t> plain;
  for (int i = 0; i < 5000; ++i) {
    const std::uint32_t word = random.below(words_max);
    if (random.below(2) == 0) {
      words.add(word);
      plain.insert(word);
    } else {
      words.remove(word);
      plain.erase(word);
    }
    ASSERT_EQ(words.contains(word), plain.contains(word));
    ASSERT_EQ(words.count(), plain.size());
  }
  EXPECT_EQ(visited(words), std::vector(plain.begin(), plain.end()));
}

TEST(WordsThatAreInUse, ReachTheFirstAndTheLast) {
  WordsInUse words(129);
  for (const std::size_t word : {0U, 63U, 64U, 128U}) words.add(word);
  EXPECT_EQ(visited(words), (std::vector<std::size_t>{0, 63, 64, 128}));
}

TEST(WordsThatAreInUse, MayBeRemovedWhileTheyAreVisited) {
  WordsInUse words(300);
  for (std::size_t word = 0; word < 300; word += 3) words.add(word);
  std::size_t visits = 0;
  words.for_each([&](std::size_t word) {
    ++visits;
    words.remove(word);
  });
  EXPECT_EQ(visits, 100U);
  EXPECT_TRUE(visited(words).empty());
}

TEST(WordsThatAreInUse, AreNoneWhereThereIsNoTable) { EXPECT_TRUE(visited(WordsInUse()).empty()); }

}  // namespace
}  // namespace perigee::replication
