// perigee-sim: a simulation worker that runs Skiff.
#include "perigee/skiff/skiff.hpp"
#include "process.hpp"

int main(int argc, char** argv) {
  return perigee::worker::run_process(argc, argv, perigee::skiff::Skiff{});
}
