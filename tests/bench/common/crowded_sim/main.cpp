// The workers of benchmarks: Skiff, and above each station a cloud of crates that drift and turn
// and never rest, so that a tick costs what one of a full world does.
#include <cstdlib>

#include "drifting_crates.hpp"
#include "process.hpp"

// The last argument is of the clouds: how many layers of FleetWorld::layer_crates.
int main(int argc, char** argv) {
  const int layers = argc > 1 ? std::atoi(argv[argc - 1]) : 0;
  return perigee::worker::run_process(argc - 1, argv, perigee::test::CloudedSkiff(11, layers));
}
