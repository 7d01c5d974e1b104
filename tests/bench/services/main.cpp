// bench_services: what directory and session service take, by member, by change of the map and by
// log-in. What docs/scale.md is reckoned from.
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
