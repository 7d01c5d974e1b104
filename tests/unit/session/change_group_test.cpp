// Changes of several threads in one transaction.
#include "perigee/session/change_group.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <thread>
#include <vector>

namespace perigee::session {
namespace {

using Changes = std::span<const std::function<void()>>;

struct AChangeGroup : testing::Test {
  std::vector<std::size_t> groups;
  bool fails = false;
  std::latch arrived{1};  ///< the first group waits for it
  ChangeGroup changes{[this](Changes all) -> Result<Ok> {
    if (groups.empty()) arrived.wait();
    groups.push_back(all.size());
    for (const auto& change : all) change();
    if (fails) return Error{"the disk is full"};
    return Ok{};
  }};
};

TEST_F(AChangeGroup, TakesAllThatCameDuringTheOneBefore) {
  constexpr int threads = 20;
  std::atomic<int> done = 0, waiting = 0;
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < threads; ++i) {
      callers.emplace_back([&] {
        ++waiting;
        EXPECT_TRUE(changes.run([&] { ++done; }).ok());
      });
    }
    while (waiting < threads) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    arrived.count_down();
  }
  EXPECT_EQ(done, threads);
  std::size_t sum = 0;
  for (const std::size_t size : groups) sum += size;
  EXPECT_EQ(sum, std::size_t{threads}) << "each change once";
  EXPECT_LT(groups.size(), std::size_t{threads}) << "together";
}

TEST_F(AChangeGroup, FailsForEverybodyInIt) {
  arrived.count_down();
  fails = true;
  const auto failed = changes.run([] {});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "the disk is full");
  fails = false;
  EXPECT_TRUE(changes.run([] {}).ok());
}

TEST_F(AChangeGroup, IsBounded) {
  std::vector<std::jthread> callers;
  constexpr std::size_t threads = ChangeGroup::changes_max + 10;
  for (std::size_t i = 0; i < threads; ++i) {
    callers.emplace_back([&] { EXPECT_TRUE(changes.run([] {}).ok()); });
  }
  arrived.count_down();
  callers.clear();
  for (const std::size_t size : groups) EXPECT_LE(size, ChangeGroup::changes_max);
}

}  // namespace
}  // namespace perigee::session
