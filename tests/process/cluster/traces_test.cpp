// Traces of a real cluster at a collector that the test plays: spans of several processes in one
// trace, and players that notice nothing of a collector that is away.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "fleet.hpp"
#include "process/played_http_service.hpp"

namespace perigee::process_test {
namespace {

using nlohmann::json;

/// One span of a request, with the service of its resource.
struct TracedSpan {
  std::string service, instance, name, trace, id, parent, error;
  std::int64_t start_us = 0, end_us = 0;
  json attributes;
};

std::int64_t micros_of(const json& nanos) { return std::stoll(nanos.get<std::string>()) / 1'000; }

std::string text_of(const json& attributes, const std::string& key) {
  for (const json& each : attributes) {
    if (each.at("key") != key) continue;
    const json& value = each.at("value");
    return value.contains("stringValue") ? value["stringValue"].get<std::string>()
                                         : value.at("intValue").get<std::string>();
  }
  return {};
}

std::vector<TracedSpan> spans_in(const std::string& request) {
  std::vector<TracedSpan> out;
  const json body = json::parse(request.substr(request.find("\r\n\r\n") + 4));
  for (const json& of : body.at("resourceSpans")) {
    const json& resource = of.at("resource").at("attributes");
    for (const json& scope : of.at("scopeSpans")) {
      for (const json& span : scope.at("spans")) {
        out.push_back({.service = text_of(resource, "service.name"),
                       .instance = text_of(resource, "service.instance.id"),
                       .name = span.at("name"),
                       .trace = span.at("traceId"),
                       .id = span.at("spanId"),
                       .parent = span.value("parentSpanId", ""),
                       .error = span.at("status").value("message", ""),
                       .start_us = micros_of(span.at("startTimeUnixNano")),
                       .end_us = micros_of(span.at("endTimeUnixNano")),
                       .attributes = span.at("attributes")});
      }
    }
  }
  return out;
}

/// All processes of the fleet send their spans to one endpoint.
struct ATracedFleet : AFleet {
  ~ATracedFleet() override {
    unsetenv("PERIGEE_OTLP_ENDPOINT");
    unsetenv("PERIGEE_OTLP_FREQUENT_SPANS_PER_S");
  }
  static void trace_to(const std::string& endpoint) {
    setenv("PERIGEE_OTLP_ENDPOINT", endpoint.c_str(), 1);
    setenv("PERIGEE_OTLP_FREQUENT_SPANS_PER_S", "1000", 1);
  }
  std::vector<TracedSpan> spans() {
    const auto requests = collector.requests();
    for (; read < requests.size(); ++read) {
      EXPECT_EQ(requests[read].rfind("POST /v1/traces HTTP/1.1\r\n", 0), 0U) << requests[read];
      EXPECT_THAT(requests[read], testing::HasSubstr("Content-Type: application/json\r\n"));
      for (TracedSpan& span : spans_in(requests[read])) all.push_back(std::move(span));
    }
    return all;
  }
  /// The first one of that name, in that trace if one is given, that passes; waits for it.
  template <class Passes>
  TracedSpan arrives(const std::string& name, const std::string& trace, Passes passes) {
    TracedSpan found;
    EXPECT_TRUE(soon([&] {
      for (const TracedSpan& span : spans()) {
        if (span.name != name || (!trace.empty() && span.trace != trace) || !passes(span)) continue;
        found = span;
        return true;
      }
      return false;
    })) << name
        << " " << trace;
    EXPECT_LE(found.start_us, found.end_us);
    return found;
  }
  TracedSpan arrives(const std::string& name, const std::string& trace = {}) {
    return arrives(name, trace, [](const TracedSpan&) { return true; });
  }
  void expect_quiet_end(Child& people) {
    people.signal(SIGINT);
    EXPECT_EQ(people.wait(), 0) << people.output();
    EXPECT_EQ(figure_of(people.output(), "disconnects"), 0) << people.output();
    EXPECT_EQ(figure_of(people.output(), "avatars_changed"), 0) << people.output();
  }
  /// Kills the busiest worker, which it returns: all goes to the others, and no span is sent.
  unsigned expect_a_failover_without_spans() {
    const unsigned victim = busiest();
    const Things things = owned_with(players, {0, 1, 2});
    sims[victim]->signal(SIGKILL);
    EXPECT_TRUE(soon([&] { return owned_by({(victim + 1) % 3, (victim + 2) % 3}) == things; }));
    EXPECT_EQ(series(101, "perigee_otlp_spans_total{result=\"sent\"}"), 0);
    return victim;
  }

  PlayedHttpService collector{
      [](const std::string&) { return PlayedHttpService::json(200, "{}"); }};
  std::vector<TracedSpan> all;
  std::size_t read = 0;
};

/// Each process reads its two clocks one after the other.
constexpr std::int64_t clocks_us = 5'000 * slowness;

TEST_F(ATracedFleet, FollowsLogInsAcrossSessionServiceAndGateway) {
  trace_to(collector.url(""));
  start_three();
  Child people(bots({"--count", "4", "--seconds", "600", "--json"}));
  ASSERT_TRUE(people.says("playing 4")) << people.output();
  const TracedSpan log_in =
      arrives("log_in", "", [](const TracedSpan& span) { return span.error.empty(); });
  EXPECT_EQ(log_in.service, "perigee-session");
  EXPECT_EQ(log_in.parent, "");
  EXPECT_NE(text_of(log_in.attributes, "perigee.client_id"), "");
  const auto child = [&](const char* name, const char* service) {
    const TracedSpan span = arrives(name, log_in.trace);
    EXPECT_EQ(span.parent, log_in.id) << name;
    EXPECT_EQ(span.service, service);
    return span;
  };
  for (const char* part : {"log_in.authenticate", "log_in.store"}) {
    const TracedSpan span = child(part, "perigee-session");
    EXPECT_GE(span.start_us, log_in.start_us - clocks_us) << part;
    EXPECT_LE(span.end_us, log_in.end_us + clocks_us) << part;
  }
  const TracedSpan at_gateway = child("gateway.claim", "perigee-gateway");
  const TracedSpan at_session = child("session.claim", "perigee-session");
  const TracedSpan joined = child("gateway.join", "perigee-gateway");
  EXPECT_GE(at_gateway.start_us, log_in.end_us - clocks_us) << "after the token";
  EXPECT_GE(at_session.start_us, at_gateway.start_us - clocks_us);
  EXPECT_LE(at_session.end_us, at_gateway.end_us + clocks_us);
  EXPECT_GE(joined.start_us, at_gateway.end_us - clocks_us);
  EXPECT_EQ(text_of(at_session.attributes, "perigee.outcome"), "granted");
  EXPECT_TRUE(soon([&] { return series(101, "perigee_otlp_spans_total{result=\"sent\"}") > 0; }));
  expect_quiet_end(people);
}

TEST_F(ATracedFleet, FollowsAFailoverAMoveADrainAndMigrationsAcrossProcesses) {
  trace_to(collector.url(""));
  start_three();
  Child people(bots({"--count", std::to_string(players), "--seconds", "600", "--json"}));
  ASSERT_TRUE(people.says("playing 12")) << people.output();

  const unsigned giver = busiest();
  const std::string region = std::to_string(status(20 + giver).regions(0).region());
  move_region(region, "sim-" + std::to_string((giver + 1) % 3));
  const TracedSpan move = arrives("region.move");
  EXPECT_EQ(move.service, "perigee-directory");
  EXPECT_EQ(text_of(move.attributes, "perigee.cause"), "order");
  EXPECT_EQ(text_of(move.attributes, "perigee.region"), region);
  const TracedSpan left = arrives("region.leave", move.trace);
  EXPECT_EQ(left.service, "perigee-sim");
  EXPECT_EQ(left.parent, move.id);
  EXPECT_EQ(left.error, "");
  EXPECT_GE(left.end_us, move.end_us - clocks_us);

  const TracedSpan received = arrives("migration.receive");
  const TracedSpan sent = arrives("migration", received.trace);
  EXPECT_EQ(received.parent, sent.id);
  EXPECT_NE(received.instance, sent.instance) << "two workers";
  EXPECT_LE(sent.start_us, received.start_us + clocks_us) << "it is offered first";
  EXPECT_LE(received.end_us, sent.end_us + clocks_us) << "and its receiver answers";

  ASSERT_TRUE(in_sync({0, 1, 2}));
  const unsigned victim = busiest();
  const std::int64_t killed_us = host::Loop::wall_us();
  sims[victim]->signal(SIGKILL);
  const TracedSpan failover = arrives("failover");
  EXPECT_EQ(failover.service, "perigee-directory");
  EXPECT_EQ(failover.error, "");
  EXPECT_EQ(text_of(failover.attributes, "perigee.cause"), "suspicion");
  EXPECT_GE(failover.start_us, killed_us - clocks_us);
  const TracedSpan taken_over = arrives("failover.take_over", failover.trace);
  EXPECT_EQ(taken_over.parent, failover.id);
  EXPECT_NE(taken_over.instance, "sim-" + std::to_string(victim));
  EXPECT_GE(taken_over.start_us, failover.start_us - clocks_us);
  const TracedSpan suspicion = arrives("failover.suspicion", failover.trace);
  EXPECT_GE(suspicion.start_us, killed_us - clocks_us);
  EXPECT_LE(suspicion.start_us, failover.start_us + clocks_us) << "it is the cause";

  start_worker(victim);
  const unsigned drained = (victim + 1) % 3;
  ASSERT_TRUE(answers(110 + victim, "/joined", "200 OK"));
  says({"drain", "sim-" + std::to_string(drained)}, 0);
  const TracedSpan drain = arrives("drain");
  EXPECT_EQ(drain.service, "perigee-directory");
  const TracedSpan leaving = arrives("drain.leave", drain.trace);
  EXPECT_EQ(leaving.instance, "sim-" + std::to_string(drained));
  EXPECT_EQ(leaving.parent, drain.id);
  expect_quiet_end(people);
}

TEST_F(ATracedFleet, PlaysOnWithoutACollector) {
  trace_to("http://127.0.0.1:" + std::to_string(base + 249));
  start_three();
  Child people(bots({"--count", std::to_string(players), "--seconds", "600", "--json"}));
  ASSERT_TRUE(people.says("playing 12")) << people.output();
  EXPECT_TRUE(processes.back().says("does not take spans")) << outputs();
  expect_a_failover_without_spans();
  expect_quiet_end(people);
}

TEST_F(ATracedFleet, PlaysOnWithACollectorThatHangs) {
  PlayedHttpService hanging([](const std::string&) {
    return PlayedHttpService::Reply{.bytes = "HTTP/1.1 200", .hang = true};
  });
  trace_to(hanging.url(""));
  start_three();
  Child people(bots({"--count", std::to_string(players), "--seconds", "600", "--json"}));
  ASSERT_TRUE(people.says("playing 12")) << people.output();
  const unsigned victim = expect_a_failover_without_spans();
  expect_quiet_end(people);
  for (Child& process : processes) process.signal(SIGTERM);
  for (Child& process : processes) {
    if (&process == sims[victim]) continue;
    EXPECT_EQ(process.wait(), 0) << process.output();
  }
}

}  // namespace
}  // namespace perigee::process_test
