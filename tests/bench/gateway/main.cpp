// bench_gateway: what the UDP door costs, beside what somebody would take instead of it.
#include "bench/common/suite.hpp"
#include "bench/gateway/pipeline.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::bench {
namespace {

Result<Ok> gateway_suite(const Run& run, Figures& figures) {
  if (const auto crypto = transport::init_crypto(); !crypto) return crypto.error();
  measure_pipeline(run, figures);
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("gateway", argc, argv, perigee::bench::gateway_suite);
}
