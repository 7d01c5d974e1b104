#include "perigee/base/worker_report.hpp"

#include <gtest/gtest.h>

namespace perigee {
namespace {

TEST(AWorkersReport, KeepsItsDearestCellsAndAllOfItsCost) {
  std::vector<CellCost> cells;
  double all_ms = 0;
  for (std::int32_t i = 0; i < 2000; ++i) {
    cells.push_back({{i, 0, -i}, 0.001 * i});
    all_ms += 0.001 * i;
  }
  keep_dearest(cells);
  ASSERT_EQ(cells.size(), WorkerReport::cells_max);
  double kept_ms = 0;
  for (const CellCost& cost : cells) {
    EXPECT_GE(cost.cell[0], 2000 - static_cast<std::int32_t>(WorkerReport::cells_max));
    kept_ms += cost.ms;
  }
  EXPECT_NEAR(kept_ms, all_ms, 1e-9);
}

TEST(AWorkersReport, KeepsFewCellsAsTheyAre) {
  std::vector<CellCost> cells{{{1, 2, 3}, 0.5}, {{0, 0, 0}, 1}};
  keep_dearest(cells);
  EXPECT_EQ(cells, (std::vector<CellCost>{{{0, 0, 0}, 1}, {{1, 2, 3}, 0.5}}));
  std::vector<CellCost> free(2000);
  keep_dearest(free);
  EXPECT_EQ(free.size(), WorkerReport::cells_max);
}

TEST(AWorkersReport, IsMadeAtTheBeginningOfEachSecond) {
  constexpr Micros day_us = 1'795'528'324'000'000;
  for (int slot = 0; slot < 256; slot += 17) {
    for (Micros phase_us = 0; phase_us < reports_apart_us; phase_us += 7'777) {
      Micros now_us = day_us + phase_us;
      for (int report = 0; report < 3; ++report) {
        const Micros until_us = until_report_us(now_us, WorkerSlot::at(slot));
        now_us += until_us;
        EXPECT_LT(now_us % reports_apart_us, reported_within_us) << slot << " from " << phase_us;
        EXPECT_GE(until_us, report == 0 ? reports_apart_us / 2 : reports_apart_us);
        EXPECT_LE(until_us, report == 0 ? reports_apart_us * 3 / 2 : reports_apart_us);
      }
    }
  }
}

TEST(AWorkersReport, IsNotMadeTwiceBecauseAClockIsSetRight) {
  constexpr Micros turn_us = 1'795'528'324'000'000;
  EXPECT_EQ(until_report_us(turn_us - 100, WorkerSlot{0}), reports_apart_us + 100);
  EXPECT_EQ(until_report_us(turn_us + 100, WorkerSlot{0}), reports_apart_us - 100);
}

TEST(AWorkersReport, NamesCellsByTheirSmallestCorner) {
  EXPECT_EQ(cost_cell_at({0, -0.001, 249.9}), (CostCell{0, -1, 0}));
  EXPECT_EQ(cost_cell_at(middle_of({-3, 0, 7})), (CostCell{-3, 0, 7}));
}

}  // namespace
}  // namespace perigee
