// The protocol keeps its guarantees in every order of events: no group is owned twice or lost, and
// no two regions simulate the same version of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>

#include "explore.hpp"
#include "long_run.hpp"
#include "sanitized.hpp"

namespace perigee::migration::checker {
namespace {

/// Under a sanitizer a few states suffice: memory errors show in any of them.
constexpr std::size_t states_max = sanitized ? 50'000 : 20'000'000;

struct Case {
  const char* name;
  Bounds bounds;
  bool takes_long = false;
  /// The number of states must reach this, so that the case really covers them.
  std::size_t states_min = 1'000;
};
void PrintTo(const Case& tried, std::ostream* out) { *out << tried.name; }

class ThePromises : public testing::TestWithParam<Case> {};

TEST_P(ThePromises, AreKeptInEveryState) {
  if (GetParam().takes_long && !long_run()) GTEST_SKIP() << "minutes: set PERIGEE_TEST_LENGTH=long";
  const Seen seen = explore<all_rules>(GetParam().bounds, states_max);
  EXPECT_EQ(seen.wrong, "");
  EXPECT_GT(seen.ends, 0U);
  EXPECT_GE(seen.states, std::min(GetParam().states_min, states_max));
  EXPECT_TRUE(seen.whole || sanitized) << "there are more";
  std::printf("%zu states, %zu steps between them, %zu ends\n", seen.states, seen.steps, seen.ends);
}

const Bounds none{.moves = 1,
                  .refusals = 0,
                  .failures = 0,
                  .crashes = 0,
                  .breaks = 0,
                  .suspicions = 0,
                  .new_standbys = 0};

Bounds with(Bounds bounds, const std::function<void(Bounds&)>& change) {
  change(bounds);
  return bounds;
}
const Bounds any_failure =
    with(none, [](Bounds& b) { b.failures = b.crashes = b.breaks = b.suspicions = 1; });

INSTANTIATE_TEST_SUITE_P(
    All, ThePromises,
    testing::Values(
        Case{"ThreeHops", with(none, [](Bounds& b) { b.moves = 3, b.refusals = 1; })},
        Case{"TwoRefusals", with(none, [](Bounds& b) { b.moves = 3, b.refusals = 2; })},
        Case{"AnyFailure", any_failure},
        Case{"AnyFailureWithARefusal", with(any_failure, [](Bounds& b) { b.refusals = 1; })},
        Case{"AnyFailureInTwoHops", with(any_failure, [](Bounds& b) { b.moves = 2; })},
        Case{"RefusalsAndAnyFailure",
             with(any_failure, [](Bounds& b) { b.moves = b.refusals = 2; }), true},
        Case{"TwoCrashes", with(none, [](Bounds& b) { b.failures = b.crashes = 2; })},
        Case{"ANewStandbyAndACrash",
             with(none, [](Bounds& b) { b.failures = b.crashes = b.new_standbys = 1; })},
        Case{"ABreakANewStandbyAndACrash",
             with(none,
                  [](Bounds& b) { b.failures = 2, b.crashes = b.breaks = b.new_standbys = 1; }),
             true, 3'000'000},
        Case{"AZombieAndACrash", with(none,
                                      [](Bounds& b) {
                                        b.refusals = 1, b.failures = 2;
                                        b.crashes = b.suspicions = 1;
                                      })},
        Case{"AnyTwoFailures",
             with(none,
                  [](Bounds& b) {
                    b.failures = b.crashes = 2;
                    b.breaks = b.suspicions = b.new_standbys = 1;
                  }),
             true, 11'000'000}),
    [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace perigee::migration::checker
