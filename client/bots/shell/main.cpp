// perigee-bots: headless players of Skiff.
#include "perigee/skiff/skiff.hpp"
#include "process.hpp"

int main(int argc, char** argv) {
  return perigee::bots::run_process(argc, argv, perigee::skiff::Skiff{});
}
