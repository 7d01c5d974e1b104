#include "perigee/rooms/one_a_turn.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace perigee::rooms {
namespace {

struct CallsOneATurn : testing::Test {
  /// What a loop runs in its next turn.
  std::vector<OneATurn::Call> posted;
  std::vector<int> done;
  OneATurn calls{[this](OneATurn::Call call) { posted.push_back(std::move(call)); }};

  void turn() {
    for (auto& call : std::exchange(posted, {})) call();
  }
};

TEST_F(CallsOneATurn, AreMadeInOrder) {
  for (int i = 1; i <= 3; ++i) calls.add([this, i] { done.push_back(i); });
  EXPECT_THAT(done, testing::IsEmpty());
  turn();
  EXPECT_THAT(done, testing::ElementsAre(1));
  turn();
  EXPECT_THAT(done, testing::ElementsAre(1, 2));
  calls.add([this] { done.push_back(4); });
  turn();
  turn();
  EXPECT_THAT(done, testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(posted, testing::IsEmpty());
  calls.add([this] { done.push_back(5); });
  turn();
  EXPECT_THAT(done, testing::ElementsAre(1, 2, 3, 4, 5));
}

}  // namespace
}  // namespace perigee::rooms
