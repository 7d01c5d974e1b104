// bench_log_in: how long a log-in takes, without TLS, with mutual TLS inside of the cluster, and
// with TLS also for players. Three clusters at once; log-ins at them in turns.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bench/common/suite.hpp"
#include "cluster.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/skiff/skiff.hpp"
#include "perigee/world/schema.hpp"
#include "player.hpp"

namespace perigee::bench {
namespace {

using Stub = session::v1::Session::Stub;

constexpr double ms_per_ns = 1e-6;

struct Times {
  std::vector<double> standing_ms;  ///< the call, on a connection that stands
  std::vector<double> fresh_ms;     ///< the same with its connection
  std::vector<double>
      connected_ms;  ///< from the call on a standing connection to the gateway's grant
};

/// Returns the token; an error is the service's sentence.
Result<std::string> log_in(Stub& stub, const std::string& secret, unsigned i) {
  static const std::uint64_t schema = world::agreed_schema(skiff::Skiff());
  session::v1::LogInRequest request;
  request.set_player_name("player-" + std::to_string(i));
  request.set_credential(secret);
  request.set_wire_version(wire_version);
  request.set_schema_hash(schema);
  session::v1::LogInReply reply;
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
  const grpc::Status called = stub.LogIn(&context, request, &reply);
  if (!called.ok()) return Error{"no log-in: " + called.error_message()};
  return reply.connect_token();
}

struct Contender {
  explicit Contender(const char* called, Tls tls) : name(called), cluster(tls) {}
  std::string name;
  Cluster cluster;
  std::unique_ptr<Stub> standing;
  Times times;

  Result<Ok> measure(unsigned i) {
    const std::int64_t begun = now_ns();
    const auto token = log_in(*standing, cluster.secret(), i);
    if (!token) return token.error();
    times.standing_ms.push_back(static_cast<double>(now_ns() - begun) * ms_per_ns);
    Player player;
    if (!player.connect(std::as_bytes(std::span(*token)))) {
      return Error{"the gateway of the cluster '" + name + "' did not let a player in"};
    }
    times.connected_ms.push_back(static_cast<double>(now_ns() - begun) * ms_per_ns);
    player.disconnect();
    const std::int64_t anew = now_ns();
    const auto again = log_in(*cluster.connect(), cluster.secret(), i);
    if (!again) return again.error();
    times.fresh_ms.push_back(static_cast<double>(now_ns() - anew) * ms_per_ns);
    return Ok{};
  }
  void show(Figures& figures) {
    const auto add = [&](const std::string& what, std::vector<double>& samples) {
      figures.add(what + "_p50_ms", percentile(samples, 0.5), "ms");
      figures.add(what + "_p99_ms", percentile(samples, 0.99), "ms");
    };
    add("log_in_" + name + "_standing", times.standing_ms);
    add("log_in_" + name + "_new", times.fresh_ms);
    add("connected_" + name, times.connected_ms);
  }
};

Result<Ok> log_ins(const Run& run, Figures& figures) {
  print_progress("three clusters");
  std::array<Contender, 3> all{Contender("plain", Tls::None), Contender("inside", Tls::Inside),
                               Contender("outside", Tls::Outside)};
  for (Contender& each : all) {
    if (!each.cluster.ready()) return Error{"the cluster '" + each.name + "' is not ready"};
    each.standing = each.cluster.connect();
    if (const auto first = log_in(*each.standing, each.cluster.secret(), 0); !first) {
      return first.error();
    }
  }
  const unsigned count = run.quick ? 5 : 500;
  for (unsigned i = 1; i <= count; ++i) {
    if (i % 100 == 0) print_progress(std::to_string(i) + " of " + std::to_string(count));
    for (Contender& each : all) {
      if (const auto done = each.measure(i); !done) return done;
    }
  }
  for (Contender& each : all) each.show(figures);
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("log_in", argc, argv, perigee::bench::log_ins);
}
