// perigee-gateway as a process, between a real client and a worker played by the test.
#include <fstream>

#include "gateway_fixture.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

TEST_F(AGateway, CarriesAPlayerFromLogInToGoodbye) {
  start();
  ASSERT_TRUE(client.begin(host::Loop::clock_us(), token()));
  ASSERT_TRUE(run_until([&] { return client.connected() && session != 0; }));

  // Up to the worker and back down; repeated, because UDP and the join may lose the first ones.
  const Bytes input(20, std::byte{7});
  ASSERT_TRUE(run_until([&] {
    send_frames(stream_owner, input);
    return blocks.size() >= 5 && echo && echo->hold_steps != EchoFrame::no_hold;
  }));
  EXPECT_EQ(inputs.front(), input);
  EXPECT_EQ(blocks.front(), input);
  EXPECT_GE(stamp_age, -256) << "stamps are on the world's clock, within a tick of error";
  EXPECT_LT(stamp_age, 256 * 60);

  Telemetry telemetry{.interval_ms = 1000, .rtt_us = 30'000, .jitter_us = 900};
  telemetry.corrections[static_cast<std::size_t>(CorrectionCause::Migration)] = 3;
  telemetry.correction_sizes_mm.push_back(400);
  std::array<std::byte, telemetry_bytes_max> buffer;
  send_frames(stream_gateway, write_telemetry(telemetry, buffer));
  std::string metrics;
  EXPECT_TRUE(run_until([&] {
    metrics = get("/metrics");
    return metrics.find("client_corrections_total{cause=\"migration\"} 3") != std::string::npos;
  })) << metrics;
  EXPECT_THAT(metrics, HasSubstr("perigee_client_rtt_seconds_bucket{le=\"0.035\"} 1"));
  EXPECT_THAT(metrics, HasSubstr("perigee_client_correction_meters_bucket{le=\"0.5\"} 1"));
  EXPECT_THAT(metrics, HasSubstr("perigee_gateway_sessions 1"));
  EXPECT_THAT(metrics, HasSubstr("perigee_gateway_drops_total{reason=\"request_forged\"} 0"));

  client.disconnect(host::Loop::clock_us());
  EXPECT_TRUE(run_until([&] { return left == session; }));
  gateway->signal(SIGTERM);
  EXPECT_EQ(gateway->wait(), 0) << gateway->output();
}

TEST_F(AGateway, SaysGoodbyeToPlayersAndWorkersWhenStopped) {
  start();
  ASSERT_TRUE(client.begin(host::Loop::clock_us(), token()));
  ASSERT_TRUE(run_until([&] { return client.connected() && session != 0; }));
  gateway->signal(SIGTERM);
  EXPECT_TRUE(run_until([&] { return !client.connected() && left == session; }));
  EXPECT_EQ(client.state(), transport::ClientState::Disconnected);
  EXPECT_EQ(gateway->wait(), 0) << gateway->output();
}

TEST_F(AGateway, TakesTokensOfBothKeysAfterAHangup) {
  start();
  const auto old_token = token();
  const auto file = std::filesystem::path(folder) / host::token_key_file;
  std::string old;
  std::ifstream(file) >> old;
  std::ofstream(file) << "no key\n";
  gateway->signal(SIGHUP);
  ASSERT_TRUE(gateway->says("keeping the old keys")) << gateway->output();
  // A folder in its place is no reason to exit, either.
  std::filesystem::rename(file, file.string() + ".aside");
  std::filesystem::create_directory(file);
  gateway->signal(SIGHUP);
  ASSERT_TRUE(gateway->says("not a regular file")) << gateway->output();
  std::filesystem::remove(file);
  std::filesystem::rename(file.string() + ".aside", file);
  std::ofstream(file) << std::string(64, 'a') << "\n" << old << "\n";
  gateway->signal(SIGHUP);
  ASSERT_TRUE(gateway->says("keys reloaded")) << gateway->output();
  for (const auto& t : {old_token, token()}) {  // the second one is sealed with the new key
    ASSERT_TRUE(client.begin(host::Loop::clock_us(), t));
    ASSERT_TRUE(run_until([&] { return client.connected(); }));
    client.disconnect(host::Loop::clock_us());
    send_client();
  }
  std::ofstream(file) << std::string(64, 'a') << "\n";
  gateway->signal(SIGHUP);
  ASSERT_TRUE(gateway->says("accepted=1")) << gateway->output();
}

TEST_F(AGateway, AnswersHealthChecksWhileOthersHoldConnections) {
  start();
  std::vector<std::unique_ptr<IdleConnection>> others;
  for (int i = 0; i < 100; ++i) {
    others.push_back(std::make_unique<IdleConnection>(base + 100, ""));
    others.push_back(std::make_unique<IdleConnection>(base + 100, "GET /metrics HTT"));
    ASSERT_TRUE(others.back()->connected()) << i;
  }
  for (const char* path : {"/live", "/ready", "/metrics"}) {
    // A health check allows 2 s.
    EXPECT_THAT(http_get(base + 100, path, 2'000), HasSubstr("200 OK")) << path;
  }
}

TEST_F(AGateway, SpeaksToPlayersAndWorkersOverIPv6) {
  // The gateway listens on ::1; worker and player use dual-stack sockets.
  const auto wide = [](unsigned port) {
    return parse_address("[::]:" + std::to_string(port)).value();
  };
  worker_socket = host::UdpSocket::open(loop, wide(base + 41), {}, [this](auto datagrams) {
                    for (const auto& datagram : datagrams) on_fabric(datagram);
                  }).value();
  client_socket = host::UdpSocket::open(loop, wide(base + 21), {}, [this](auto datagrams) {
                    for (const auto& datagram : datagrams) on_client(datagram);
                  }).value();
  fabric_reach = parse_address("[::1]:" + std::to_string(base + 41)).value();
  start({"--listen", "::1", "--directory", "127.0.0.1:" + std::to_string(base + 11)});
  ASSERT_TRUE(client.begin(host::Loop::clock_us(), token()));
  ASSERT_TRUE(run_until([&] { return client.connected() && session != 0; }));
  EXPECT_EQ(client.server_address().family, Address::Family::IPv6);
  const Bytes input(20, std::byte{7});
  EXPECT_TRUE(run_until([&] {
    send_frames(stream_owner, input);
    return blocks.size() >= 5;
  }));
}

TEST_F(AGateway, RefusesABusyPortWithTheRemedy) {
  const auto taken = host::UdpSocket::open(loop, local(base), {}, [](auto) {});
  ASSERT_TRUE(taken);
  gateway.emplace(command(PERIGEE_GATEWAY_BINARY, {"--gateway-session", "none"}));
  EXPECT_EQ(gateway->wait(), 1);
  EXPECT_THAT(gateway->output(), HasSubstr("--port-base"));
}

}  // namespace
}  // namespace perigee::process_test
