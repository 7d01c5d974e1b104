// One worker replaces another during play, and any of them may die meanwhile.
#include <optional>

#include "replacing.hpp"

namespace perigee::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct AReplacement : Replacing {
  Things things;
  std::optional<Child> order;

  /// Starts the replacement, up to the point at which sim-2 has sim-0's regions by the map and
  /// receives the entities in them.
  void begin() {
    start_two();
    people_play();
    things = owned_with(players_there, {0, 1});
    ASSERT_GT(status(20).players(), 0U);
    start_worker(2);
    order.emplace(replacing(0, 2));
    ASSERT_TRUE(at_once([&] { return status(22).regions_size() > 0; })) << order->output();
  }
  /// The remaining workers have all entities, each once.
  void expect_all_at(std::initializer_list<unsigned> workers) {
    EXPECT_TRUE(soon([&] { return owned_by(workers) == things; }))
        << testing::PrintToString(owned_by(workers)) << " instead of "
        << testing::PrintToString(things) << says({"workers"}, 0) << says({"regions"}, 0)
        << order->output();
    EXPECT_TRUE(soon(
        [&] { return says({"in-doubt"}, 0).find("nothing is in doubt") != std::string::npos; }));
    people_leave();
    expect_none({"disconnects", "avatars_changed", "malformed"});
  }
};

TEST_F(AReplacement, HasAllThatTheFormerOneHadAndNobodyNotices) {
  begin();
  EXPECT_EQ(order->wait(), 0) << order->output();
  EXPECT_THAT(order->output(), HasSubstr("sim-0 may be stopped"));
  EXPECT_EQ(status(20).players(), 0U);
  EXPECT_GT(status(22).players(), 0U);
  sims[0]->signal(SIGTERM);
  EXPECT_EQ(sims[0]->wait(), 0) << sims[0]->output();
  expect_all_at({1, 2});
  std::printf("%slongest gap %.0f ms\n", order->output().c_str(), figure("longest_gap_ms"));
}

TEST_F(AReplacement, ThatDiesAtOnceTakesNothingAlong) {
  begin();
  sims[2]->signal(SIGKILL);
  EXPECT_EQ(order->wait(), 1) << order->output();
  EXPECT_THAT(order->output(),
              AllOf(HasSubstr("sim-2 has died"), HasSubstr("perigee-ctl undrain sim-0")));
  expect_all_at({0, 1});
}

TEST_F(AReplacement, ThatDiesLaterHasAStandbyThatGoesOn) {
  begin();
  ASSERT_TRUE(at_once([&] { return status(22).players() > 0; }));
  sims[2]->signal(SIGKILL);
  order->wait();
  expect_all_at({0, 1});
}

TEST_F(AReplacement, HasAllThatTheFormerOneHadIfThatOneDiesMeanwhile) {
  begin();
  sims[0]->signal(SIGKILL);
  EXPECT_EQ(order->wait(), 1) << order->output();
  EXPECT_THAT(order->output(), HasSubstr("sim-0 has died"));
  expect_all_at({1, 2});
}

TEST_F(AReplacement, IsRefusedInASentenceIfItDoesNotFit) {
  start_two();
  start_worker(4, PERIGEE_FIRST_GAME_SIM_BINARY);
  EXPECT_TRUE(answers(114, "/ready", "run another game")) << http_get(base + 114, "/ready");
  EXPECT_THAT(says({"workers"}, 0),
              AllOf(HasSubstr("refused, "), HasSubstr("sim-4: "), HasSubstr("stop those first")));
  EXPECT_THAT(says({"replace", "sim-0", "sim-4"}, 1),
              AllOf(HasSubstr("the directory refuses sim-4"), HasSubstr("nothing has changed")));
  EXPECT_TRUE(soon([&] { return series(102, "perigee_directory_refusals_total") >= 1; }));
  EXPECT_THAT(says({"replace", "sim-7", "sim-1"}, 1), HasSubstr("no worker named sim-7"));
  EXPECT_THAT(says({"replace", "sim-0", "sim-0"}, 2), HasSubstr("cannot replace itself"));
  EXPECT_THAT(says({"replace", "sim-0", "sim-9", "--patience", "1"}, 1),
              AllOf(HasSubstr("waiting for sim-9 to start"), HasSubstr("start it")));
}

}  // namespace
}  // namespace perigee::process_test
