#include "perigee/lab/urgent_reports.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

/// The directory receives no heartbeats but those of urgent reports.
struct SomeUrgentReports : testing::Test, LabParts {
  SomeUrgentReports() {
    reports.on_start(0);
    reports.on_start(1);
  }
  /// Four seconds pass, then the worker reports, then three seconds pass.
  void report_after_silence(std::size_t index) {
    pass(4);
    reports.request(index);
    reports.request(index);
    pass(3);
  }
  void pass(int seconds) {
    for (int i = 0; i < 10 * seconds; ++i) {
      run_for(second_us / 10);
      directory.core().advance(queue.now_us());
    }
  }
  bool alive(std::size_t index) const { return directory.map().workers[index].alive; }

  int changes = 0;
  UrgentReports reports{{queue, net, directory, processes, [this] { ++changes; }}};
};

TEST_F(SomeUrgentReports, ReachTheDirectory) {
  report_after_silence(0);
  EXPECT_TRUE(alive(0));
  EXPECT_FALSE(alive(1)) << "silent for seven seconds";
  EXPECT_EQ(changes, 0) << "a report without a suspicion changes nothing";
}

TEST_F(SomeUrgentReports, AreLostBehindACut) {
  net.at(the_directory, 0).cuts = 1;
  report_after_silence(0);
  EXPECT_FALSE(alive(0));
}

TEST_F(SomeUrgentReports, EndWithTheirProcess) {
  pass(4);
  reports.request(0);
  processes.end(0);
  pass(3);
  EXPECT_FALSE(alive(0));
}

}  // namespace
}  // namespace perigee::lab
