/// The frame of a benchmark program `bench_SUITE`. A suite is one function that fills in figures:
///
///   Result<Ok> codec(const Run& run, Figures& figures) { ... }
///   int main(int argc, char** argv) { return perigee::bench::run_suite("codec", argc, argv,
///   codec); }
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "bench/common/figures.hpp"
#include "bench/common/measure.hpp"
#include "perigee/base/result.hpp"

namespace perigee::bench {

struct Run {
  bool quick = false;  ///< a second or two, for tests that check only the format
  std::string logs;    ///< a folder for the output of a fleet's processes; empty: none
  /// Rounds of interleave(): an odd number, at least five when the figures matter.
  int rounds() const { return quick ? 1 : 5; }
};

/// Progress, to standard error.
void print_progress(const std::string& text);

using Suite = std::function<Result<Ok>(const Run& run, Figures& figures)>;
/// Reads --json, --quick and --logs, runs the suite, and prints its figures and `reference_ns`;
/// returns the exit code. The environment variable PERIGEE_COMMIT has the commit.
int run_suite(std::string_view name, int argc, char** argv, const Suite& suite);

}  // namespace perigee::bench
