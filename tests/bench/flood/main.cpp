// bench_flood: the effect of unauthenticated datagrams on established players, compared with the
// same flood at nginx.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "bench/common/scheduling.hpp"
#include "bench/common/suite.hpp"
#include "bench/doors/doors.hpp"
#include "own_network/own_network.hpp"
#include "perigee/transport/keys.hpp"
#include "process/figures.hpp"

namespace perigee::bench {
namespace {

constexpr const char* peer = "nginx";
constexpr std::size_t players = 64;
constexpr double inputs_per_s = players * 60.0;
constexpr double flood_per_s = 1'000'000;
constexpr const char* kinds[] = {"garbage", "requests", "sessions"};

struct Suffered {
  double lost = 0;         ///< of the players' inputs, 0..1
  double p99_us = 0;       ///< from send to receive
  double flood_per_s = 0;  ///< as really sent
};

/// perigee-flood on the load generator's processor, for the lifetime of this object.
class Flood {
 public:
  Flood(const std::string& kind, std::uint16_t port, double seconds)
      : child_({PERIGEE_FLOOD_BINARY, "--to", "127.0.0.1:" + std::to_string(port), "--kind", kind,
                "--per-second", std::to_string(flood_per_s), "--seconds",
                std::to_string(seconds)}) {}
  /// Datagrams per second that it sent.
  double end() {
    child_.wait();
    return std::max(process_test::figure_of(child_.output(), "per_s"), 0.0);
  }

 private:
  process_test::Child child_;
};

/// The players' ordinary traffic for a while.
Suffered play(DoorUnderTest& door, double seconds) {
  Suffered out;
  std::size_t sent = 0;
  std::size_t came = 0;
  std::vector<double> latencies_us;
  const auto marked = [&](std::uint64_t mark) {
    if (mark == 0) return;
    ++came;
    latencies_us.push_back(static_cast<double>(now_ns() - static_cast<std::int64_t>(mark)) * 1e-3);
  };
  door.tend();
  door.take_inputs();
  const std::int64_t begin_ns = now_ns();
  const auto passed_s = [&] { return static_cast<double>(now_ns() - begin_ns) * 1e-9; };
  for (std::size_t turn = 0; passed_s() < seconds + 0.1; ++turn) {
    const auto due = static_cast<std::size_t>(std::min(passed_s(), seconds) * inputs_per_s);
    for (; sent < due; ++sent) {
      door.send_input(sent % players, static_cast<std::uint64_t>(now_ns()));
    }
    door.flush();
    door.take_inputs(marked);
    door.take_snapshots();
    if (turn % 4'096 == 4'095) door.tend();
    usleep(100);  // the flood needs the processor, too
  }
  out.lost = 1 - static_cast<double>(came) / static_cast<double>(sent);
  if (!latencies_us.empty()) out.p99_us = percentile(latencies_us, 0.99);
  return out;
}

Suffered play_under(const char* kind, DoorUnderTest& door, std::uint16_t port, double seconds) {
  Flood flood(kind, port, seconds + 0.4);
  usleep(200'000);  // by then it has reached its rate
  Suffered out = play(door, seconds);
  out.flood_per_s = flood.end();
  print_progress(std::string(kind) + ": " + std::to_string(out.lost * 100) + " % lost, p99 " +
                 std::to_string(static_cast<int>(out.p99_us)) + " us under " +
                 std::to_string(static_cast<int>(out.flood_per_s)) + " a second");
  return out;
}

struct Samples {
  std::vector<double> lost, added_p99_us, offered;
  void add(const Suffered& quiet, const Suffered& flooded) {
    lost.push_back(flooded.lost * 100);
    added_p99_us.push_back(std::max(flooded.p99_us - quiet.p99_us, 0.0));
    offered.push_back(flooded.flood_per_s);
  }
};

void add(Figures& figures, const std::string& name, const std::vector<double>& ours,
         const std::vector<double>& theirs, const std::string& unit) {
  if (theirs.empty()) return figures.add(name, median(ours), unit);
  figures.add_against(peer, name, median(ours), median(theirs), unit);
}

void measure_losses(const Run& run, Figures& figures, DoorUnderTest& ours, std::uint16_t our_port,
                    DoorUnderTest* theirs, std::uint16_t their_port) {
  const double seconds = run.quick ? 0.3 : 3;
  for (const char* kind : kinds) {
    Samples perigee, nginx;
    const auto turn = [&](DoorUnderTest* door, std::uint16_t port, Samples& samples) {
      if (door == nullptr) return;
      const Suffered quiet = play(*door, seconds / 3);
      samples.add(quiet, play_under(kind, *door, port, seconds));
    };
    interleave(
        run.rounds(), [&] { turn(&ours, our_port, perigee); },
        [&] { turn(theirs, their_port, nginx); });
    const std::string suffix = kind;
    add(figures, "legit_loss_" + suffix, perigee.lost, nginx.lost, "%");
    add(figures, "latency_added_p99_us_" + suffix, perigee.added_p99_us, nginx.added_p99_us, "us");
    add(figures, "offered_per_s_" + suffix, perigee.offered, nginx.offered, "1/s");
  }
}

Result<Ok> measure_joins(const Run& run, Figures& figures, Stand& stand,
                         const GatewayProcess& gateway) {
  constexpr Micros limit_us = 2'000'000;
  const std::size_t clients = run.quick ? 10 : 100;
  constexpr Micros spacing_us = 20'000;
  Flood flood("requests", gateway.address.port,
              2.5 + static_cast<double>(clients) * spacing_us * 1e-6);
  usleep(200'000);
  auto times_us = join_times_us(stand, gateway, clients, spacing_us, limit_us);
  if (!times_us) return times_us.error();
  const auto in_time = std::count_if(times_us->begin(), times_us->end(),
                                     [](Micros time_us) { return time_us < limit_us; });
  figures.add("join_within_2s_requests",
              100.0 * static_cast<double>(in_time) / static_cast<double>(clients), "%");
  figures.add("join_p50_ms_requests", static_cast<double>(percentile(*times_us, 0.5)) * 1e-3, "ms");
  figures.add("join_p99_ms_requests", static_cast<double>(percentile(*times_us, 0.99)) * 1e-3,
              "ms");
  figures.add("join_offered_per_s", flood.end(), "1/s");
  return Ok{};
}

void measure_growth(const Run& run, Figures& figures, DoorUnderTest& door, std::uint16_t port) {
  const double seconds = run.quick ? 0.3 : 20;
  const std::size_t bytes = resident_bytes(door.pid());
  const std::size_t descriptors = open_descriptors(door.pid());
  for (const char* kind : kinds) play_under(kind, door, port, seconds);
  const auto growth = [](std::size_t after, std::size_t before) {
    return static_cast<double>(after) - static_cast<double>(before);
  };
  figures.add("memory_growth_kib", growth(resident_bytes(door.pid()), bytes) / 1'024, "KiB");
  figures.add("descriptors_growth", growth(open_descriptors(door.pid()), descriptors), "1");
}

Result<Ok> flood_suite(const Run& run, Figures& figures) {
  if (const auto network = own_network::enter(); !network) return network.error();
  go_first();
  if (const auto crypto = transport::init_crypto(); !crypto) return crypto.error();
  Stand stand;
  if (const auto opened = stand.open(); !opened) return opened.error();
  const auto gateway = stand.start_gateway(0, {});
  if (!gateway) return gateway.error();
  const auto ours = through_perigee(stand, *gateway, players);
  if (!ours) return ours.error();
  std::unique_ptr<DoorUnderTest> theirs;
  std::uint16_t their_port = 0;
  if (nginx_present()) {
    const auto nginx = stand.start_nginx();
    if (!nginx) return nginx.error();
    auto door = through_nginx(*nginx, players);
    if (!door) return door.error();
    theirs = std::move(*door);
    their_port = nginx->port;
  } else {
    print_progress("nginx is left out: apt-get install nginx-light libnginx-mod-stream");
  }
  measure_losses(run, figures, **ours, gateway->address.port, theirs.get(), their_port);
  measure_growth(run, figures, **ours, gateway->address.port);
  return measure_joins(run, figures, stand, *gateway);
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("flood", argc, argv, perigee::bench::flood_suite);
}
