#include "perigee/lab/world_store_access.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct AWorldStoreAccess : testing::Test, LabParts {
  AWorldStoreAccess() : LabParts(1) {
    after_stored = [this](const world::JournalEntry& entry) { stored.push_back(entry.amount); };
  }
  void write(std::int32_t amount) {
    worker::OutcomeRow row;
    row.number = ++rows;
    row.entry = {.tick = Tick{10}, .actor = processes[0].handle_base.number, .amount = amount};
    row.entry.index = static_cast<std::uint8_t>(rows);
    processes[0].core->outputs.to_store(row);
  }
  static constexpr Micros delay_us = 1'000;
  std::uint64_t rows = 0;
  std::vector<std::int32_t> stored;
  std::function<void(const world::JournalEntry&)> after_stored;
  WorldStoreAccess access{{queue, processes, game, delay_us, after_stored}};
};

TEST_F(AWorldStoreAccess, WritesInOrderAfterADelay) {
  access.connect(0, directory.map());
  write(3);
  write(4);
  EXPECT_TRUE(stored.empty());
  run_for(delay_us);
  EXPECT_EQ(stored, (std::vector<std::int32_t>{3, 4}));
}

TEST_F(AWorldStoreAccess, WaitsWhileTheStoreFails) {
  access.connect(0, directory.map());
  access.begin_failure();
  access.begin_failure();
  write(3);
  access.end_failure();
  run_for(5 * delay_us);
  EXPECT_TRUE(stored.empty()) << "one failure lasts";
  access.end_failure();
  run_for(delay_us);
  EXPECT_EQ(stored, std::vector<std::int32_t>{3});
}

TEST_F(AWorldStoreAccess, ForgetsTheWritesOfAnEndedProcess) {
  access.connect(0, directory.map());
  write(3);
  processes.end(0);
  run_for(delay_us);
  EXPECT_TRUE(stored.empty());
}

TEST_F(AWorldStoreAccess, MayHaveNoStore) {
  WorldStoreAccess none({queue, processes, game, std::nullopt, after_stored});
  EXPECT_FALSE(none.exists());
  none.connect(0, directory.map());
  none.fence_the_dead(0, directory.map());
  EXPECT_FALSE(processes[0].core->outputs.to_store) << "the worker does not wait for one";
}

}  // namespace
}  // namespace perigee::lab
