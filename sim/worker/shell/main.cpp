// perigee-sim: a simulation worker that runs Skiff.
#include <array>

#include "perigee/skiff/skiff.hpp"
#include "process.hpp"

int main(int argc, char** argv) {
  using namespace perigee;
  const skiff::Skiff stations;
  const skiff::Skiff asteroids(skiff::Tunables{.stage = skiff::Stage::Asteroids});
  const std::array stages{
      worker::Stage{skiff::stage_names[static_cast<std::size_t>(skiff::Stage::Stations)], stations},
      worker::Stage{skiff::stage_names[static_cast<std::size_t>(skiff::Stage::Asteroids)],
                    asteroids}};
  return worker::run_process(argc, argv, stages);
}
