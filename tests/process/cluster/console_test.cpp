// perigee-console beside a cluster: pages, rights, sockets, and floods.
#include <deque>

#include "operator.hpp"
#include "tcp_client.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

constexpr unsigned page_offset = 180;
constexpr std::uint8_t text_frame = 0x81, binary_frame = 0x82;

/// A WebSocket without a browser. Frames of the server are not masked, so what it says can be found
/// in the bytes that arrive.
class ASocket {
 public:
  ASocket(const Address& console, const std::string& path, const std::string& headers = {})
      : connection_(console, "GET " + path + " HTTP/1.1\r\nHost: " + to_string(console) +
                                 "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                 "Sec-WebSocket-Version: 13\r\n"
                                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                                 headers + "\r\n") {}
  void send(std::uint8_t kind, const std::string& message) const {
    std::string frame(1, static_cast<char>(kind));
    if (message.size() < 126) {
      frame += static_cast<char>(0x80 | message.size());
    } else {
      frame += static_cast<char>(0x80 | 126);
      frame += static_cast<char>(message.size() >> 8);
      frame += static_cast<char>(message.size());
    }
    frame += std::string(4, '\0');  // a mask that changes nothing
    connection_.send_more(frame + message);
  }
  void send_raw(const std::string& bytes) const { connection_.send_more(bytes); }
  bool receives(const std::string& text) { return connection_.receives(text); }
  std::string rest() const { return connection_.rest(); }

 private:
  TcpClient connection_;
};

class AConsole : public AnOperator {
 protected:
  void start_with_console(const std::vector<std::string>& options = {}) {
    start_all();
    start_console(options);
  }
  void start_console(const std::vector<std::string>& options = {}) {
    start(PERIGEE_CONSOLE_BINARY, options);
    ASSERT_TRUE(answers(103, "/ready", "200 OK")) << outputs();
    std::ifstream(folder / "secrets/console_token") >> token;
    ASSERT_GE(token.size(), 32U);
  }
  Address console() const {
    return Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(base + page_offset));
  }
  std::string get(const std::string& path, const std::string& headers = {}) const {
    return ask("GET", path, headers, {});
  }
  std::string post(const std::string& path, const std::string& body,
                   const std::string& headers = {}) const {
    return ask("POST", path, headers + "Content-Length: " + std::to_string(body.size()) + "\r\n",
               body);
  }
  std::string ask(const std::string& method, const std::string& path, const std::string& headers,
                  const std::string& body) const {
    const bool has_host = headers.find("Host:") != std::string::npos;
    return TcpClient(console(), method + " " + path + " HTTP/1.1\r\n" +
                                    (has_host ? "" : "Host: " + to_string(console()) + "\r\n") +
                                    "Connection: close\r\n" + headers + "\r\n" + body)
        .rest();
  }
  std::string bearer() const { return "Authorization: Bearer " + token + "\r\n"; }
  std::string token;
};

TEST_F(AConsole, ServesItsPagesAndLetsTheTokenAct) {
  start_with_console();
  const std::string page = get("/");
  EXPECT_THAT(page, HasSubstr("200 OK"));
  EXPECT_THAT(page, HasSubstr("content-security-policy: default-src 'self'"));
  EXPECT_THAT(get("/dashboards/overview.json"), HasSubstr("perigee-overview"));
  EXPECT_THAT(get("/../secrets/console_token"), HasSubstr("404"));

  EXPECT_THAT(get("/api/hello"), HasSubstr("\"mayAct\":false"));
  EXPECT_THAT(get("/api/hello", bearer()), HasSubstr("\"mayAct\":true"));
  EXPECT_THAT(get("/api/hello", "Authorization: Bearer wrong\r\n"), HasSubstr("401"));
  EXPECT_THAT(get("/api/hello", "Host: evil.example\r\n"), HasSubstr("is not called"));
  EXPECT_THAT(post("/api/act/kill_worker", R"({"worker":"sim-0"})"), HasSubstr("403"));
  EXPECT_THAT(post("/api/act/kill_worker", R"({"worker":"sim-0"})",
                   bearer() + "Origin: http://evil.example\r\n"),
              HasSubstr("may not use this console"));
  EXPECT_THAT(post("/api/act/kill_worker", R"({"worker":"nobody"})", bearer()), HasSubstr("400"));
  EXPECT_THAT(post("/api/act/kill_worker", "{\"wor", bearer()), HasSubstr("INVALID_ARGUMENT"));
  EXPECT_THAT(post("/api/act/launch", "{}", bearer()), HasSubstr("there is no act launch"));
  EXPECT_TRUE(soon([&] {
    return post("/api/act/kill_worker", R"({"worker":"sim-0"})", bearer())
               .find(R"("successor":"sim-1")") != std::string::npos;
  }));
  const std::string audit = get("/api/audit");
  EXPECT_THAT(audit, HasSubstr(R"("who":"without a token","act":"kill_worker")"));
  EXPECT_THAT(audit, HasSubstr(R"("request":{"worker":"sim-0"},"result":"OK")"));
  EXPECT_THAT(audit, HasSubstr(R"("request":"no JSON: {\"wor","result":"INVALID_ARGUMENT")"));
  std::ifstream file(folder / "audit/console.jsonl");
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line); ++lines) EXPECT_TRUE(line.ends_with('}'));
  EXPECT_GE(lines, 4U);

  const std::string log_in = R"({"playerName":"Ada","wireVersion":999,"schemaHash":"1"})";
  EXPECT_THAT(post("/v1/log_in", log_in), HasSubstr("403"));
  EXPECT_THAT(post("/v1/log_in", log_in, bearer()), HasSubstr("FAILED_PRECONDITION"));
  EXPECT_THAT(get("/api/prometheus/query?query=up"), HasSubstr("console.prometheus"));
}

TEST_F(AConsole, LetsOperatorsDoWhatTheirScopesSay) {
  const std::string alice = "0123456789abcdef-alice", bob = "0123456789abcdef-bob";
  const fs::path operators = folder / "operators";
  std::ofstream(operators) << "alice players " << alice << "\nbob map " << bob << "\n";
  fs::permissions(operators, fs::perms::owner_read | fs::perms::owner_write);
  start_with_console({"--console-operators", operators.string()});
  const auto as = [](const std::string& own) { return "Authorization: Bearer " + own + "\r\n"; };
  EXPECT_THAT(get("/api/hello", as(alice)), HasSubstr(R"("operator":"alice")"));
  const std::string hello = get("/api/hello", as(alice));
  EXPECT_THAT(hello, HasSubstr(R"("scopes":"players")"));
  EXPECT_THAT(hello, HasSubstr(R"("kick_session":"players")")) << "its page disables other buttons";
  EXPECT_THAT(hello, HasSubstr(R"("kill_worker":"map")"));
  EXPECT_THAT(post("/api/act/set_balance", R"({"on":true})", as(alice)),
              HasSubstr("alice has the scope players; this needs map"));
  EXPECT_THAT(post("/api/act/set_balance", R"({"on":true})", as(bob)), HasSubstr("200 OK"));
  EXPECT_THAT(post("/api/act/kick_session", R"({"playerName":"Ada"})", as(bob)),
              HasSubstr("this needs players"));
  EXPECT_THAT(post("/api/act/kick_session", R"({"playerName":"Ada"})", as(alice)),
              HasSubstr("no player of that name"));
  const std::string audit = get("/api/audit");
  EXPECT_THAT(audit, HasSubstr(R"("result":"PERMISSION_DENIED","message":"alice has the scope)"));
  EXPECT_THAT(audit, HasSubstr(R"("who":"alice")"));
  EXPECT_THAT(audit, HasSubstr(R"("who":"bob")"));

  fs::permissions(operators, fs::perms::others_read, fs::perm_options::add);
  Child refused(command(PERIGEE_CONSOLE_BINARY, {"--console-operators", operators.string()}));
  EXPECT_EQ(refused.wait(), 1);
  EXPECT_THAT(refused.output(), HasSubstr("console.operators: "));
}

TEST_F(AConsole, ShowsTheClusterAndRelaysToItsGatewaysOnly) {
  start_with_console();
  ASocket live(console(), "/live");
  EXPECT_TRUE(live.receives("101 Switching Protocols"));
  EXPECT_TRUE(live.receives("{\"map\":"));
  EXPECT_TRUE(live.receives("\"name\":\"sim-1\""));
  EXPECT_TRUE(live.receives("\"status\":{"));
  live.send(text_frame, R"({"watch":"entities"})");
  EXPECT_TRUE(live.receives("\"kinds\":["));
  EXPECT_TRUE(live.receives(std::string("\x01\x00\x00\x00", 4))) << "an observation of sim-0";
  Child players(bots({"--count", "2", "--seconds", "600"}));
  live.send(text_frame, R"({"watch":"all"})");
  EXPECT_TRUE(live.receives("\"report\":{\"players\":[{\"clientId\":"));
  EXPECT_TRUE(live.receives("\"playing\":true"));
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  live.send(text_frame, "{}");
  EXPECT_THAT(live.rest(), HasSubstr("write {\"watch\""));

  const std::string gateway = "/relay?gateway=127.0.0.1:" + std::to_string(base);
  EXPECT_THAT(ASocket(console(), "/relay?gateway=127.0.0.1:9").rest(),
              HasSubstr("no gateway of this cluster"));
  EXPECT_THAT(ASocket(console(), "/relay").rest(), HasSubstr("gateway=IP:PORT"));
  EXPECT_THAT(ASocket(console(), gateway, "Origin: http://evil.example\r\n").rest(),
              HasSubstr("may not use this console"));
  EXPECT_THAT(ASocket(console(), gateway + "&token=wrong").rest(),
              HasSubstr("not a token of the console"));
  {
    ASocket relay(console(), gateway);
    ASSERT_TRUE(relay.receives("101"));
    relay.send(binary_frame, std::string(100, 'x'));
    EXPECT_TRUE(soon([&] {
      return series(103, "perigee_console_relay_datagrams_total{direction=\"up\"}") == 1;
    }));
    relay.send(text_frame, "link P2 loss-permille=50");
    relay.send(text_frame, "link P99");
    EXPECT_THAT(relay.rest(), HasSubstr("P99"));
  }
  ASocket oversized(console(), gateway);
  oversized.send(binary_frame, std::string(1'226, 'x'));
  EXPECT_THAT(oversized.rest(), HasSubstr("1 to 1225 bytes"));
  EXPECT_TRUE(soon([&] { return series(103, "perigee_console_sockets") == 0; }));
}

TEST_F(AConsole, ClosesAViewerThatDoesNotRead) {
  start_with_console();
  ASocket stuck(console(), "/live");
  stuck.send(text_frame, R"({"watch":"all"})");
  EXPECT_TRUE(soon([&] { return series(103, "perigee_console_sockets_stuck_total") == 1; }));
  ASocket live(console(), "/live");
  EXPECT_TRUE(live.receives("{\"map\":"));
  EXPECT_TRUE(soon([&] { return series(103, "perigee_console_sockets") == 1; }));
}

// Idle connections, garbage, requests and frames without an end.
TEST_F(AConsole, ServesHonestPagesDuringAFlood) {
  start_console();
  std::deque<TcpClient> idle;
  for (int i = 0; i < 300; ++i) idle.emplace_back(console(), i % 2 == 0 ? "" : "GET / HT");
  std::deque<ASocket> stubborn;
  const auto honest = [&] { return get("/").find("200 OK") != std::string::npos; };
  EXPECT_TRUE(soon(honest, 30)) << "slow requests are given up after 5 s";
  for (const char* garbage : {"\x16\x03\x01\x02", "GET\r\n\r\n", "POST / HTTP/1.1\r\n\r\n",
                              "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"}) {
    idle.emplace_back(console(), garbage);
  }
  for (int i = 0; i < 4; ++i) {
    stubborn.emplace_back(console(), "/live");
    stubborn.back().send_raw(std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10));
    stubborn.back().send_raw(std::string(20'000, 'x'));
  }
  EXPECT_THAT(post("/api/act/set_rate", std::string(20'000, ' '), bearer()),
              testing::Not(HasSubstr("200 OK")));
  EXPECT_TRUE(soon(honest, 30));
  EXPECT_TRUE(soon([&] { return series(103, "perigee_console_sockets") == 0; }))
      << "messages without an end are refused";
  processes.back().signal(SIGTERM);
  EXPECT_EQ(processes.back().wait(), 0) << processes.back().output();
}

}  // namespace
}  // namespace perigee::process_test
