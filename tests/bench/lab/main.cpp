// bench_lab: how much faster than real time a cell of the lab runs on one processor.
#include "bench/common/suite.hpp"
#include "perigee/lab/cell.hpp"

namespace perigee::bench {
namespace {

Result<Ok> lab_suite(const Run& run, Figures& figures) {
  for (const std::uint32_t players : {4U, 16U}) {
    std::vector<double> rates;
    for (int round = 0; round < run.rounds(); ++round) {
      lab::CellOptions cell{.scenario = *lab::find_scenario("L1"),
                            .preset = lab::presets().front(),
                            .link = *find_link_profile("P2"),
                            .players = players,
                            .seconds = run.quick ? 5U : 120U,
                            .warm_up_s = 10};
      const std::int64_t began = thread_time_ns();
      lab::run_cell(cell);
      const double took_s = static_cast<double>(thread_time_ns() - began) * 1e-9;
      rates.push_back((cell.seconds + cell.warm_up_s) / took_s);
    }
    figures.add("virtual_s_per_s_" + std::to_string(players), median(rates), "s/s");
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("lab", argc, argv, perigee::bench::lab_suite);
}
