// A night of virtual time: hundreds of clusters, each with its own seed, players, machines and
// mishaps. PERIGEE_TEST_LENGTH=long plays it; PERIGEE_NIGHT_HOURS sets the virtual hours of each of
// the four tests.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "ordeal.hpp"
#include "perigee/base/hash.hpp"
#include "sanitized.hpp"
#include "second.hpp"

namespace perigee::lab {
namespace {

using Clock = std::chrono::steady_clock;

/// Each kind of players has seeds of its own.
constexpr std::uint64_t seeds_per_kind = 100'000;
constexpr auto progress_every = std::chrono::seconds(30);
/// A night that has found this many faulty seeds has told enough.
constexpr int faulty_max = 5;
/// Memory is judged from this cluster on: until then the heap grows to the size of the largest one.
constexpr int warm_up_clusters = 20;
constexpr double growth_max = 1.5, growth_mb_max = 64;

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident_pages = 0;
  file >> pages >> resident_pages;
  return resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// Half of the seeds have mishaps one by one, a third has busy machines.
OrdealPlan plan_of(std::uint64_t seed, OrdealPlan::Players players) {
  Random random(mix64(seed, std::uint64_t{0x0716}));
  OrdealPlan plan{.drains = true, .players = players};
  plan.apart = random.below(2) == 0;
  plan.late = random.below(3) == 0;
  return plan;
}

int failures() {
  return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

class Night {
 public:
  void live(std::uint64_t seed, OrdealPlan::Players players) {
    const int failures_before = failures();
    const Lived one = live_through(seed, plan_of(seed, players));
    ++clusters_;
    lived_us_ += one.lived_us;
    mishaps_ += one.mishaps;
    failovers_ += one.failovers;
    outcomes_ += one.outcomes;
    faulty_ += failures() > failures_before;
    if (clusters_ == warm_up_clusters) warm_mb_ = resident_mb();
    if (Clock::now() - told_ < progress_every) return;
    told_ = Clock::now();
    tell();
  }
  double hours() const { return static_cast<double>(lived_us_) * 1e-6 / 3'600; }
  int faulty() const { return faulty_; }
  void tell() const {
    const double minutes = std::chrono::duration<double>(Clock::now() - began_).count() / 60;
    std::printf(
        "%.2f virtual hours in %.1f min: %d clusters, %zu mishaps, %d failovers, %zu outcomes, "
        "%.0f MB\n",
        hours(), minutes, clusters_, mishaps_, failovers_, outcomes_, resident_mb());
    std::fflush(stdout);
  }
  void expect_no_growth() const {
    if (!warm_mb_) return;
    EXPECT_LE(resident_mb(), std::max(*warm_mb_ * growth_max, *warm_mb_ + growth_mb_max))
        << "memory after " << warm_up_clusters << " clusters: " << *warm_mb_ << " MB";
  }

 private:
  int clusters_ = 0, failovers_ = 0, faulty_ = 0;
  std::size_t mishaps_ = 0, outcomes_ = 0;
  Micros lived_us_ = 0;
  std::optional<double> warm_mb_;
  const Clock::time_point began_ = Clock::now();
  Clock::time_point told_ = began_;
};

using Who = OrdealPlan::Players;
class ANight : public testing::TestWithParam<OrdealPlan::Players> {};

TEST_P(ANight, LosesNoOutcomeAndNoAvatar) {
  if (const char* one = std::getenv("PERIGEE_TEST_SEED")) {
    const std::uint64_t seed = std::strtoull(one, nullptr, 10);
    live_through(seed, plan_of(seed, GetParam()));
    return;
  }
  if (shortened() && GetParam() != Who::Fighters) GTEST_SKIP() << "the same code as the fighters'";
  const char* wanted = std::getenv("PERIGEE_NIGHT_HOURS");
  const double hours = wanted != nullptr ? std::atof(wanted) : long_run() ? 2 : 0;
  Night night;
  std::uint64_t seed = seeds_per_kind * static_cast<std::uint64_t>(GetParam());
  do {
    night.live(++seed, GetParam());
  } while (night.hours() < hours && night.faulty() < faulty_max);
  night.tell();
  night.expect_no_growth();
}

INSTANTIATE_TEST_SUITE_P(With, ANight,
                         testing::Values(Who::Voyagers, Who::Sailors, Who::Diggers, Who::Fighters),
                         [](const auto& each) { return std::string(name_of(each.param)); });

}  // namespace
}  // namespace perigee::lab
