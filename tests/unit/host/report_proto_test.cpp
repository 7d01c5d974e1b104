#include "perigee/host/report_proto.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "directory.pb.h"

namespace perigee::host {
namespace {

TEST(TheReportsMessage, CarriesTheWholeReport) {
  const WorkerReport report{.incarnation = Incarnation{3},
                            .map_version = 1ULL << 40,
                            .entities = 70,
                            .players = 3,
                            .load_ms = 2.25,
                            .overhead_ms = 0.5,
                            .copies_ms = 0.25,
                            .handle_blocks = {HandleBlock{1}, HandleBlock{4095}},
                            .cells = {{{-32, 0, 31}, 1.5}, {{0, -8, 0}, 0.75}},
                            .regions = {{RegionId{0}, 60}, {RegionId{17}, 10}},
                            .leaving = true};
  directory::v1::WorkerReport message;
  write_report(report, message);
  EXPECT_EQ(read_report(message), report);
  EXPECT_EQ(read_report(directory::v1::WorkerReport{}), WorkerReport{});
}

TEST(TheReportsMessage, CarriesNonsenseToWhoRefusesIt) {
  directory::v1::WorkerReport message;
  message.set_load_ms(std::nan(""));
  EXPECT_FALSE(plausible(read_report(message)));
  message.set_load_ms(1);
  EXPECT_TRUE(plausible(read_report(message)));
}

}  // namespace
}  // namespace perigee::host
