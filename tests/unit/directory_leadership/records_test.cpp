#include "perigee/directory_leadership/records.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "perigee/coordination/store.hpp"
#include "perigee/directory/failover_records.hpp"

namespace perigee::directory {
namespace {

constexpr Micros second = 1'000'000;
const Moment first_boot{{.monotonic_us = 100 * second, .wall_us = 9'000 * second}, "first"};

Address address(int i) {
  return Address::v4(10, 0, static_cast<std::uint8_t>(i / 200), static_cast<std::uint8_t>(i % 200),
                     40'040);
}

std::vector<std::string> differing(const Records& a, const Records& b) {
  std::vector<std::string> out;
  for (const auto& [key, text] : b) {
    const auto found = a.find(key);
    if (found == a.end() || found->second != text) out.push_back(key);
  }
  return out;
}

struct ADirectorysRecords : testing::Test {
  CoreSettings settings;
  Core core{settings, 7, 1'000 * second};
  Micros now_us = 1'000 * second;
  WorldClock clock{900 * second};

  void join(int i) {
    core.register_worker(now_us, {"sim-" + std::to_string(i), address(i), address(i), 5, 6});
  }
  Records records() const { return write_records(core.saved(), clock, first_boot); }
};

TEST_F(ADirectorysRecords, AreReadAsTheyWereWritten) {
  for (int i = 0; i < 20; ++i) join(i);
  core.register_gateway(now_us, {"gateway", address(201), address(201), 8});
  ASSERT_TRUE(core.sign_off(now_us, MemberKind::Worker, 17, "sim-17", 7, 6));
  ASSERT_TRUE(core.set_rate(now_us, 70));
  core.set_balance(false);
  core.add_fabric_key(now_us, {});
  const Saved saved = core.saved();
  const auto read = read_records(records(), settings, first_boot);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->saved.map, saved.map);
  EXPECT_EQ(read->saved.gateways.at(0).instance, 8U);
  EXPECT_EQ(read->saved.workers.at(17), saved.workers.at(17))
      << "with the time of its last heartbeat";
  EXPECT_EQ(read->saved.workers.at(3).instance, 6U);
  EXPECT_EQ(read->saved.handle_blocks, saved.handle_blocks);
  EXPECT_EQ(read->saved.space, saved.space);
  EXPECT_EQ(read->saved.balance, saved.balance);
  EXPECT_EQ(read->saved.rate_percent, saved.rate_percent);
  EXPECT_EQ(read->saved.fabric, saved.fabric);
  EXPECT_EQ(read->saved.fabric.newest, 1U);
  EXPECT_EQ(read->clock.offset_us, clock.offset_us);
}

/// The text as a directory of before 0.1.0 wrote it.
std::string with_former_names(std::string text) {
  const std::array<std::pair<std::string_view, std::string_view>, 6> names{{
      {" incarnation:", " life:"},
      {"cluster_id:", "incarnation:"},
      {"standby:", "buddy:"},
      {"standby_in_sync:", "buddy_in_sync:"},
      {"failover_records {", "bequests {"},
      {"created_epoch:", "born:"},
  }};
  for (const auto& [present, former] : names) {
    for (std::size_t at = 0; (at = text.find(present, at)) != std::string::npos;) {
      text.replace(at, present.size(), former);
      at += former.size();
    }
  }
  return text;
}

TEST_F(ADirectorysRecords, AreReadUnderTheirFormerNames) {
  for (int i = 0; i < 3; ++i) join(i);
  Saved saved = core.saved();
  saved.workers.at(1).name = "life:buddy";  // a name is no field
  saved.map.failover_records.push_back({.handle_base = HandleBase{4'194'304},
                                        .successor = WorkerSlot{2},
                                        .successor_handle_base = HandleBase{8'388'608},
                                        .epoch = Epoch{3}});
  saved.map.workers.at(0).standby = WorkerSlot{2};
  saved.map.regions.at(0).created_epoch = Epoch{1};
  Records former = write_records(saved, clock, first_boot);
  ASSERT_FALSE(read_records(former, settings, first_boot)->saved.map.failover_records.empty());
  for (auto& [key, text] : former) text = with_former_names(std::move(text));
  const auto read = read_records(former, settings, first_boot);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->saved.map, saved.map);
  EXPECT_EQ(read->saved.workers.at(1).name, "life:buddy");
  EXPECT_EQ(read->saved.workers.at(2).instance, saved.workers.at(2).instance);
}

TEST_F(ADirectorysRecords, ChangeLittleWithALittleChange) {
  for (int i = 0; i < 40; ++i) join(i);
  const Records before = records();
  ASSERT_TRUE(core.heartbeat(now_us + second, MemberKind::Worker, 3, "sim-3", 7, 6));
  EXPECT_EQ(differing(before, records()), std::vector<std::string>()) << "that somebody lives";
  ASSERT_TRUE(core.drain(now_us, "sim-35"));
  EXPECT_EQ(differing(before, records()),
            (std::vector<std::string>{"directory/workers/01", "directory/world"}));
}

TEST_F(ADirectorysRecords, OfTheLargestWorldFitIntoOneTransaction) {
  const std::string tail(name_chars_max - 4, 'x');
  for (int i = 0; i < static_cast<int>(workers_max); ++i) {
    core.register_worker(now_us, {std::to_string(i) + tail, address(i), address(i), ~0ULL, ~0ULL});
  }
  for (int i = 0; i < static_cast<int>(gateways_max); ++i) {
    core.register_gateway(now_us, {std::to_string(i) + tail, address(i), address(i), ~0ULL});
  }
  Saved saved = core.saved();
  while (saved.map.regions.size() < regions_max) saved.map.regions.push_back(saved.map.regions[1]);
  while (saved.space.nodes.size() < 2 * regions_max) saved.space.nodes.push_back({.at = -33});
  while (saved.map.failover_records.size() < FailoverRecords::records_max) {
    saved.map.failover_records.push_back({HandleBase{~0U}, WorkerSlot::at(workers_max - 1),
                                          HandleBase{~0U}, Epoch{~0U}, ~0U, Micros{1} << 60, true});
  }
  coordination::Txn txn;
  for (const auto& [key, text] : write_records(saved, clock, first_boot)) {
    txn.puts.push_back({key, text});
  }
  const auto fits = coordination::check(txn);
  EXPECT_TRUE(fits) << fits.error().message;
}

TEST_F(ADirectorysRecords, AreRefusedWhenSomeAreMissing) {
  for (int i = 0; i < 40; ++i) join(i);
  for (const auto& [key, text] : records()) {
    Records rest = records();
    rest.erase(key);
    EXPECT_FALSE(read_records(rest, settings, first_boot)) << key;
    rest = records();
    rest[key] = "{" + text;
    EXPECT_FALSE(read_records(rest, settings, first_boot)) << key;
  }
}

// On another machine time continues by the wall clock, and never goes back. Setting the machine's
// clock while the world runs has no effect on it.
TEST_F(ADirectorysRecords, LetTimeGoOnElsewhereByWallTimeAndNeverBack) {
  const Micros written_us = clock.at(first_boot.clocks.monotonic_us);
  const auto later = [&](Micros wall_us) {
    const Moment elsewhere{{.monotonic_us = 5 * second, .wall_us = wall_us}, "second"};
    const auto read = read_records(records(), settings, elsewhere);
    return read->clock.at(elsewhere.clocks.monotonic_us);
  };
  EXPECT_EQ(later(9'030 * second), written_us + 30 * second);
  EXPECT_EQ(later(8'000 * second), written_us);
}

}  // namespace
}  // namespace perigee::directory
