// bench_gateway: the cost of the UDP gateway, compared with the obvious alternative.
#include <array>
#include <memory>
#include <tuple>

#include "bench/common/scheduling.hpp"
#include "bench/common/suite.hpp"
#include "bench/doors/doors.hpp"
#include "bench/gateway/drive.hpp"
#include "bench/gateway/pipeline.hpp"
#include "own_network/own_network.hpp"

namespace perigee::bench {
namespace {

constexpr const char* peer = "nginx";
/// High, but within the load generator's and a client's limits.
struct Load {
  std::size_t clients;
  double inputs_per_s;
  double snapshots_per_s;
};
constexpr Load loads[] = {{64, 120'000, 15'360},       // slots at 120 Hz
                          {1'000, 120'000, 120'000}};  // and at 60 Hz

struct Contender {
  const char* name;
  DoorUnderTest* door = nullptr;
  std::vector<double> samples{};
  std::vector<double> p50_us{}, p99_us{};  ///< medians and tails of the same rounds
};

void add(Figures& figures, const std::string& name, const std::vector<double>& ours,
         const std::vector<double>& theirs, const std::string& unit) {
  if (ours.empty()) return;
  if (theirs.empty()) return figures.add(name, median(ours), unit);
  figures.add_against(peer, name, median(ours), median(theirs), unit);
}

void note_latencies(Contender& contender, std::vector<double>& latencies_us) {
  if (latencies_us.empty()) return;
  contender.p50_us.push_back(percentile(latencies_us, 0.5));
  contender.p99_us.push_back(percentile(latencies_us, 0.99));
}

constexpr int turns_again_max = 20;

Result<Ok> measure_rates(const Run& run, Figures& figures, Direction direction, double per_s,
                         DoorUnderTest& perigee, DoorUnderTest* nginx) {
  const bool up = direction == Direction::Inputs;
  const std::string clients = std::to_string(perigee.clients());
  const std::string name = std::string(up ? "inputs" : "snapshots") + "_per_core_s_" + clients;
  Contender ours{.name = "perigee", .door = &perigee};
  Contender theirs{.name = "nginx", .door = nginx};
  const std::int64_t span_us = run.quick ? 100'000 : 1'500'000;
  for (DoorUnderTest* door : {&perigee, nginx}) {  // touches memory for the first time
    if (door != nullptr) drive(*door, direction, per_s, span_us / 5);
  }
  const auto turn = [&](Contender& contender) {
    if (contender.door == nullptr) return;
    Passage passage = drive(*contender.door, direction, per_s, span_us);
    // On an overloaded machine a short turn may be over before the door gets the processor at all.
    for (int again = 0; again < turns_again_max && passage.per_core_s <= 0; ++again) {
      passage = drive(*contender.door, direction, per_s, span_us);
    }
    contender.samples.push_back(passage.per_core_s);
    note_latencies(contender, passage.latencies_us);
    print_progress(name + " " + contender.name + ": " +
                   std::to_string(static_cast<int>(passage.per_core_s)) + ", " +
                   std::to_string(static_cast<int>(passage.share * 1000)) + " of 1000 came out");
  };
  interleave(run.rounds(), [&] { turn(ours); }, [&] { turn(theirs); });
  for (const Contender* contender : {&ours, &theirs}) {
    if (!contender->samples.empty() && median(contender->samples) <= 0) {
      return Error{name + ": nothing came out of " + contender->name};
    }
  }
  add(figures, name, ours.samples, theirs.samples, "1/s");
  add(figures, "latency_loaded_p50_us_" + clients, ours.p50_us, theirs.p50_us, "us");
  add(figures, "latency_loaded_p99_us_" + clients, ours.p99_us, theirs.p99_us, "us");
  return Ok{};
}

void measure_latency(const Run& run, Figures& figures, const std::string& name,
                     DoorUnderTest& perigee, DoorUnderTest* nginx) {
  Contender ours{.name = "perigee", .door = &perigee};
  Contender theirs{.name = "nginx", .door = nginx};
  const auto turn = [&](Contender& contender) {
    if (contender.door == nullptr) return;
    auto latencies_us = input_latencies_us(*contender.door, run.quick ? 20 : 1'000);
    if (latencies_us.empty()) return;
    note_latencies(contender, latencies_us);
    print_progress(name + " " + contender.name + ": " + std::to_string(contender.p50_us.back()) +
                   " us, p99 " + std::to_string(contender.p99_us.back()));
  };
  interleave(run.rounds(), [&] { turn(ours); }, [&] { turn(theirs); });
  add(figures, name + "_p50_us", ours.p50_us, theirs.p50_us, "us");
  add(figures, name + "_p99_us", ours.p99_us, theirs.p99_us, "us");
}

Result<Ok> measure_load(const Run& run, Figures& figures, const Load& load, Stand& stand,
                        const std::optional<NginxProcess>& nginx) {
  std::vector<std::string> options{"--gateway-clients-max", "1024", "--gateway-payloads-per-s-max",
                                   "2000"};
  const auto gateway = stand.start_gateway(0, options);
  if (!gateway) return gateway.error();
  const auto ours = through_perigee(stand, *gateway, load.clients);
  if (!ours) return ours.error();
  std::unique_ptr<DoorUnderTest> theirs;
  if (nginx) {
    auto door = through_nginx(*nginx, load.clients);
    if (!door) return door.error();
    theirs = std::move(*door);
  }
  for (const auto& [direction, per_s] : {std::pair{Direction::Inputs, load.inputs_per_s},
                                         {Direction::Snapshots, load.snapshots_per_s}}) {
    const auto done = measure_rates(run, figures, direction, per_s, **ours, theirs.get());
    if (!done) return done;
  }
  if (load.clients == loads[0].clients) {
    measure_latency(run, figures, "latency_asleep", **ours, theirs.get());
    options.insert(options.end(), {"--gateway-busy-poll-us", "2000"});
    stand.stop_gateway(0);
    const auto awake = stand.start_gateway(0, options);
    if (!awake) return awake.error();
    const auto door = through_perigee(stand, *awake, load.clients);
    if (!door) return door.error();
    measure_latency(run, figures, "latency_busy_poll", **door, theirs.get());
  }
  stand.stop_gateway(0);
  return Ok{};
}

Result<Ok> measure_doors(const Run& run, Figures& figures) {
  Stand stand;
  if (const auto opened = stand.open(); !opened) return opened.error();
  std::optional<NginxProcess> nginx;
  if (nginx_present()) {
    const auto started = stand.start_nginx();
    if (!started) return started.error();
    nginx = *started;
  } else {
    print_progress("nginx is left out: apt-get install nginx-light libnginx-mod-stream");
  }
  for (const Load& load : loads) {
    if (const auto done = measure_load(run, figures, load, stand, nginx); !done) return done;
  }
  return Ok{};
}

/// The gateway with each seal of the fabric, in turns.
Result<Ok> measure_seals(const Run& run, Figures& figures) {
  struct Sealed {
    const char* name;
    std::unique_ptr<Stand> stand{};
    std::unique_ptr<DoorUnderTest> door{};
    std::vector<double> per_core_s{};
  };
  const Load& load = loads[0];
  std::array<Sealed, 3> seals{{{"plain"}, {"tag"}, {"encrypt"}}};
  for (Sealed& each : seals) {
    const auto nth = static_cast<std::uint16_t>(&each - seals.data());
    each.stand = std::make_unique<Stand>(static_cast<std::uint16_t>(21'000 + 1'000 * nth));
    if (const auto opened = each.stand->open(each.name); !opened) return opened.error();
    const auto gateway = each.stand->start_gateway(0, {"--gateway-payloads-per-s-max", "2000"});
    if (!gateway) return gateway.error();
    auto door = through_perigee(*each.stand, *gateway, load.clients);
    if (!door) return door.error();
    each.door = std::move(*door);
  }
  const std::int64_t span_us = run.quick ? 100'000 : 1'000'000;
  for (const auto& [direction, per_s, what] :
       {std::tuple{Direction::Inputs, load.inputs_per_s, "inputs"},
        std::tuple{Direction::Snapshots, load.snapshots_per_s, "snapshots"}}) {
    for (Sealed& each : seals) each.per_core_s.clear();
    const auto turn = [&](Sealed& each) {
      const Passage passage = drive(*each.door, direction, per_s, span_us);
      if (passage.per_core_s > 0) each.per_core_s.push_back(passage.per_core_s);
      print_progress(std::string(what) + " " + each.name + ": " +
                     std::to_string(static_cast<int>(passage.per_core_s)));
    };
    interleave(
        3 * run.rounds(), [&] { turn(seals[0]); }, [&] { turn(seals[1]); },
        [&] { turn(seals[2]); });
    for (const Sealed& each : seals) {
      if (each.per_core_s.empty()) return Error{std::string(what) + ": nothing came out"};
      figures.add(std::string(what) + "_per_core_s_fabric_" + each.name, median(each.per_core_s),
                  "1/s");
    }
  }
  return Ok{};
}

Result<Ok> gateway_suite(const Run& run, Figures& figures) {
  if (const auto network = own_network::enter(); !network) return network.error();
  go_first();
  if (const auto crypto = transport::init_crypto(); !crypto) return crypto.error();
  measure_pipeline(run, figures);
  if (const auto done = measure_seals(run, figures); !done) return done;
  return measure_doors(run, figures);
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("gateway", argc, argv, perigee::bench::gateway_suite);
}
