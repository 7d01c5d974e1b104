// The workers of benchmarks: Skiff, and above each station a cloud of crates that drift and turn
// and never rest, so that a tick costs what one of a full world does.
#include "drifting_crates.hpp"
#include "process.hpp"

int main(int argc, char** argv) {
  // 2,420 crates: three workers' ticks take about 4 ms with 100 players.
  return perigee::worker::run_process(argc, argv, perigee::test::CloudedSkiff(11, 10));
}
