// The workers of benchmarks: Skiff with a cloud of crates above each station that drift and turn
// and never come to rest, so that a tick costs as much as in a full world.
#include <cstdlib>

#include "drifting_crates.hpp"
#include "perigee/worker/process.hpp"

// The last argument is the number of layers of FleetWorld::layer_crates in the clouds.
int main(int argc, char** argv) {
  const int layers = argc > 1 ? std::atoi(argv[argc - 1]) : 0;
  return perigee::worker::run_process(argc - 1, argv, perigee::test::CloudedSkiff(11, layers));
}
