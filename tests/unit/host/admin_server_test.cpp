#include "perigee/host/admin_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <list>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "perigee/host/loop.hpp"
#include "tcp_client.hpp"
#include "temporary_folder.hpp"

namespace perigee::host {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

enum class Reason : std::uint8_t { Malformed, Replayed, last = Replayed };
constexpr std::array<std::string_view, 2> reasons{"malformed", "replayed"};
constexpr std::array tick_bounds_s{0.004, 0.008, 1.0 / 60, 0.033};
struct Tested : MetricTable<Tested> {
  Counter received = counter(
      {.name = "gateway_received_datagrams_total", .help = "From players.", .note = "60 a second"});
  CounterOf<Reason> dropped = counters<Reason>(
      {.name = "gateway_dropped_total", .label = "reason", .help = "Not used.", .note = "none"},
      reasons);
  Gauge sessions = gauge({.name = "gateway_sessions", .help = "Connected.", .note = "few"});
  Histogram tick = histogram({.name = "sim_tick_seconds",
                              .help = "Duration of a tick.",
                              .note = "short",
                              .bounds = tick_bounds_s});
};
constexpr Tested tested;

/// Response of `curl` as "body status".
std::string get(const Address& address, const std::string& path) {
  const std::string command =
      "curl -s -m 5 -w ' %{http_code}' http://" + to_string(address) + path + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  for (char buffer[4096]; pipe != nullptr;) {
    const std::size_t got = fread(buffer, 1, sizeof buffer, pipe);
    if (got == 0) break;
    text.append(buffer, got);
  }
  pclose(pipe);
  return text;
}

class AnAdminServer : public testing::Test {
 protected:
  Metrics metrics{"test"};
  MetricSeries<Tested> series{metrics, tested};
  Loop loop;
  const Address listen = free_port();
  std::unique_ptr<AdminServer> server =
      AdminServer::start(loop, metrics, {listen, "port_base = 1\n"}).value();
};

TEST_F(AnAdminServer, ShowsWhatTheTablesCounted) {
  series.add(tested.received, 3);
  series.add(tested.dropped[Reason::Replayed]);
  series.follow(tested.dropped[Reason::Malformed], 5);
  series.set(tested.sessions, 12);
  series.observe(tested.tick, 1.0 / 60);
  series.observe(tested.tick, 0.5);
  series.flush();
  series.flush();
  const std::string text = get(listen, "/metrics");
  EXPECT_THAT(text, HasSubstr("perigee_gateway_received_datagrams_total 3\n"));
  EXPECT_THAT(text, HasSubstr("perigee_gateway_dropped_total{reason=\"replayed\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("perigee_gateway_dropped_total{reason=\"malformed\"} 5\n"));
  EXPECT_THAT(text, HasSubstr("perigee_gateway_sessions 12\n"));
  EXPECT_THAT(text, HasSubstr("perigee_sim_tick_seconds_count 2\n"));
  EXPECT_THAT(text, HasSubstr("perigee_sim_tick_seconds_bucket{le=\"0.008\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("le=\"0.01666666666666667\"} 1\n"))
      << "a tick of exactly its period is in time";
  EXPECT_THAT(text, HasSubstr("perigee_build_info{"));
}

TEST_F(AnAdminServer, HasTablesThatDescribeThemselves) {
  EXPECT_THAT(metrics.markdown(),
              HasSubstr("| `perigee_gateway_dropped_total` | counter | reason: "));
  EXPECT_THAT(metrics.markdown(), HasSubstr("| `perigee_sim_tick_seconds` | histogram, s | | "));
  EXPECT_THAT(metrics.notes(), HasSubstr("| `perigee_sim_tick_seconds` | short |\n"));
}

double value_in(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("\n" + name + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
}

TEST(AProcess, ExportsItsCpuTimeAndItsMemory) {
  const Metrics metrics("test");
  const std::string before = metrics.scrape();
  const double cpu_s = value_in(before, "perigee_process_cpu_seconds_total");
  const double resident_bytes = value_in(before, "perigee_process_resident_memory_bytes");
  constexpr std::size_t more_bytes = 64U << 20U;
  const std::vector<char> memory(more_bytes, 'a');  // filling it takes milliseconds
  const std::string after = metrics.scrape();
  EXPECT_GT(value_in(after, "perigee_process_cpu_seconds_total"), cpu_s);
  EXPECT_GE(value_in(after, "perigee_process_resident_memory_bytes"),
            resident_bytes + static_cast<double>(memory.size() / 2));
}

struct Renamed : MetricTable<Renamed> {
  Counters moves = counters({.name = "sim_migrations_total",
                             .label = "result",
                             .help = "Moves.",
                             .note = "few",
                             .former_name = "sim_handoffs_total"});
  Counter moved_in = value(moves, "in");
  Counter moved_out = value(moves, "out", "left");
};
constexpr Renamed renamed;

TEST(AMetric, IsExportedUnderItsFormerName) {
  Metrics metrics("test");
  MetricSeries<Renamed> series(metrics, renamed);
  series.add(renamed.moved_in, 3);
  series.add(renamed.moved_out, 2);
  series.flush();
  const std::string text = metrics.scrape();
  EXPECT_THAT(text, HasSubstr("\nperigee_sim_migrations_total{result=\"in\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("\nperigee_sim_handoffs_total{result=\"in\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("\nperigee_sim_migrations_total{result=\"out\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("\nperigee_sim_handoffs_total{result=\"left\"} 2\n"));
  EXPECT_THAT(text, Not(HasSubstr("perigee_sim_handoffs_total{result=\"out\"}")));
  EXPECT_THAT(text, HasSubstr("# HELP perigee_sim_handoffs_total Former name of "
                              "perigee_sim_migrations_total"));
  EXPECT_THAT(metrics.markdown(),
              HasSubstr("Moves. Until 0.1.0 `perigee_sim_handoffs_total`, `left` for `out`. |\n"));
}

TEST_F(AnAdminServer, KeepsItsTotalsWhenANewCoreCountsFromZero) {
  Counts<Reason> exported;
  Counts<Reason> totals;
  totals.add(Reason::Replayed, 5);
  series.add_since(tested.dropped, exported, totals);
  series.add_since(tested.dropped, exported, totals);
  exported = {};
  series.add_since(tested.dropped, exported, totals);
  series.flush();
  EXPECT_THAT(metrics.scrape(),
              HasSubstr("perigee_gateway_dropped_total{reason=\"replayed\"} 10\n"));
}

TEST_F(AnAdminServer, SatisfiesPromtool) {
  series.flush();
  TemporaryFolder folder;
  std::ofstream(folder.path() / "metrics.txt") << metrics.scrape();
  const std::string command =
      "promtool check metrics <" + (folder.path() / "metrics.txt").string() + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(AnAdminServer, IsReadyOnlyWhenTold) {
  EXPECT_EQ(get(listen, "/ready"), "starting\n 503");
  server->set_not_ready("no directory");
  EXPECT_EQ(get(listen, "/ready"), "no directory\n 503");
  server->set_ready();
  EXPECT_EQ(get(listen, "/ready"), "ready\n 200");
}

TEST_F(AnAdminServer, AnswersForFurtherConditions) {
  EXPECT_THAT(get(listen, "/joined"), HasSubstr(" 404"));
  server->set_unmet("/joined", "not registered");
  EXPECT_EQ(get(listen, "/joined"), "not registered\n 503");
  server->set_unmet("/joined", {});
  EXPECT_EQ(get(listen, "/joined"), "joined\n 200");
  EXPECT_EQ(get(listen, "/ready"), "starting\n 503");
}

TEST_F(AnAdminServer, ServesConfigLifeAndOwnPages) {
  server->serve("/hello", [] { return HttpAnswer{200, "text/html", "<b>hello</b>"}; });
  EXPECT_EQ(get(listen, "/live"), "live\n 200");
  EXPECT_EQ(get(listen, "/config"), "port_base = 1\n 200");
  EXPECT_EQ(get(listen, "/hello"), "<b>hello</b> 200");
  EXPECT_THAT(get(listen, "/nothing"), HasSubstr(" 404"));
}

TEST_F(AnAdminServer, AnswersWhileOthersAreIdleAndSlow) {
  std::list<TcpClient> others;
  for (int i = 0; i < 150; ++i) {
    others.emplace_back(listen, "");
    others.emplace_back(listen, "GET /metrics HT");
  }
  // The server has room for fewer than 300: the oldest idle connections have been closed.
  EXPECT_EQ(get(listen, "/live"), "live\n 200");
  EXPECT_EQ(others.front().rest(), "");
  EXPECT_THAT(metrics.scrape(),
              HasSubstr("perigee_admin_dropped_connections_total{reason=\"crowded\"}"));
}

TEST_F(AnAdminServer, ClosesAConnectionWithoutARequest) {
  const TcpClient idle(listen, "GET /live HTTP/1.1\r\nHost:");
  const TcpClient silent(listen, "");
  EXPECT_THAT(idle.rest(), HasSubstr("HTTP/1.1 408 "));
  EXPECT_EQ(silent.rest(), "");
  EXPECT_THAT(metrics.scrape(),
              HasSubstr("perigee_admin_dropped_connections_total{reason=\"slow\"} 2\n"));
}

TEST_F(AnAdminServer, AnswersAClientThatHasClosedItsHalf) {
  const TcpClient done(listen, "GET /metrics HTTP/1.1\r\n\r\n");
  done.close_half();
  EXPECT_THAT(done.rest(), HasSubstr("perigee_build_info{"));
}

TEST_F(AnAdminServer, SaysWhyItRefuses) {
  EXPECT_THAT(TcpClient(listen, "\x16\x03\x01\n\n").rest(), HasSubstr("HTTP/1.1 400 "));
  EXPECT_THAT(TcpClient(listen, std::string(9'000, 'x')).rest(), HasSubstr("HTTP/1.1 431 "));
  EXPECT_THAT(TcpClient(listen, "POST /live HTTP/1.1\r\nContent-Length: 9\r\n\r\n").rest(),
              AllOf(HasSubstr("HTTP/1.1 405 "), HasSubstr("\r\nAllow: GET, HEAD\r\n")));
  EXPECT_THAT(TcpClient(listen, "GET /config HTTP/1.1\r\nContent-Length: 1\r\n\r\nx").rest(),
              HasSubstr("HTTP/1.1 413 "));
  EXPECT_THAT(TcpClient(listen, "HEAD /live HTTP/1.1\r\n\r\n").rest(),
              testing::EndsWith("\r\n\r\n"));
  EXPECT_THAT(metrics.scrape(),
              HasSubstr("perigee_admin_dropped_connections_total{reason=\"malformed\"} 3\n"));
}

TEST_F(AnAdminServer, RefusesABusyPortWithARemedy) {
  const auto twin = AdminServer::start(loop, metrics, {listen, ""});
  ASSERT_FALSE(twin.ok());
  EXPECT_THAT(twin.error().message, HasSubstr("choose another --port-base"));
}

}  // namespace
}  // namespace perigee::host
