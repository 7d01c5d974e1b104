// bench_services: the cost of directory and session service, per member, per change of the map and
// per log-in. The basis of docs/scale.md.
#include "parts.hpp"

namespace perigee::bench {
namespace {

Result<Ok> services(const Run& run, Figures& figures) {
  for (const auto part : {measure_deciding, measure_directory, measure_session}) {
    if (auto done = part(run, figures); !done) return done;
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("services", argc, argv, perigee::bench::services);
}
