// Groups that no worker simulates, because their receiver stalls: an operator sees which, and why.
#include <utility>

#include "operator.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

struct AGroupInDoubt : AnOperator {
  static constexpr int attempts_max = 10;

  double gone_from(unsigned worker) const {
    return series(110 + worker, "perigee_sim_migrations_total{result=\"out\"}");
  }
  /// No group has gone back to the first worker for longer than arrived groups have to stay.
  bool all_is_back() const {
    double gone = -1;
    const auto no_more = [&] {
      const double before = std::exchange(gone, gone_from(1));
      return before == gone;
    };
    return soon(no_more, 60, std::chrono::milliseconds(1'500));
  }
  /// Moves the region to the second worker, again and again, and stops that worker meanwhile:
  /// earlier if all groups had been sent, later if none had. It is stopped on return. False: it was
  /// never stopped in between.
  bool stops_half_way(const std::string& region, const Child& second) {
    int early_ms = 0, late_ms = 600 * slowness;
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
      const double had_gone = gone_from(0);
      const int at_ms = (early_ms + late_ms) / 2;
      move_region(region, "sim-1");
      std::this_thread::sleep_for(std::chrono::milliseconds(at_ms));
      second.signal(SIGSTOP);
      if (soon([&] { return status(20).groups_in_doubt() > 0; }, 2)) return true;
      (gone_from(0) == had_gone ? early_ms : late_ms) = at_ms;
      second.signal(SIGCONT);
      move_region(region, "sim-0");
      if (!all_is_back()) return false;
    }
    return false;
  }
  bool nothing_is_in_doubt() const {
    Child listing(ctl({"in-doubt"}));
    return listing.wait() == 0 && listing.output().find("nothing is in doubt") != std::string::npos;
  }
};

// Without a standby it is declared dead only after 5 s, and the groups sent to it come back.
TEST_F(AGroupInDoubt, IsListedWithWhatHelpsUntilItIsSettled) {
  start_all({"--directory-standbys=false"});
  Child people(bots({"--count", "12", "--seconds", "600", "--json"}));
  ASSERT_TRUE(people.says("playing 12")) << people.output();
  Child& second = *std::next(processes.begin(), 3);
  EXPECT_TRUE(nothing_is_in_doubt());
  const std::string region = std::to_string(status(20).regions(0).region());
  ASSERT_TRUE(stops_half_way(region, second));
  EXPECT_THAT(says({"in-doubt"}, 1), HasSubstr("sim-1 does not answer: kill sim-1"));
  EXPECT_TRUE(soon([&] { return nothing_is_in_doubt(); }));
  EXPECT_TRUE(soon([&] { return status(20).players() == 12; })) << "everybody plays";
  second.signal(SIGCONT);
  EXPECT_TRUE(second.says("starting a new incarnation"));
  EXPECT_TRUE(nothing_is_in_doubt());
}

}  // namespace
}  // namespace perigee::process_test
