// The operator's dashboards, with a real Prometheus that scrapes a cluster with players.
#include <optional>

#include "cluster.hpp"

namespace perigee::process_test {
namespace {

const std::string root = PERIGEE_ROOT;

class ADashboard : public ACluster {
 protected:
  void SetUp() override {
    Child tools(
        {"/bin/sh", "-c",
         "command -v prometheus && command -v python3 && command -v curl && command -v jq"});
    if (tools.wait() != 0) GTEST_SKIP() << "prometheus, python3, curl or jq is not installed";
  }
  /// With the jobs and the alerts of deploy/prometheus.
  std::string prometheus_config() const {
    const fs::path file = folder / "prometheus.yml";
    std::ofstream out(file);
    out << "global: {scrape_interval: 1s, evaluation_interval: 1s}\n"
        << "rule_files: [" << root << "/deploy/prometheus/alerts.yml]\nscrape_configs:\n";
    const auto job = [&](const char* name, std::initializer_list<unsigned> ports) {
      out << "  - job_name: " << name << "\n    static_configs: [{targets: [";
      for (const unsigned port : ports) out << "'127.0.0.1:" << base + port << "',";
      out << "]}]\n";
    };
    job("directory", {102});
    job("gateway", {100});
    job("session", {101});
    job("sim", {110, 111});
    return file.string();
  }
  void start_prometheus() {
    since = std::chrono::system_clock::now();
    prometheus.emplace(std::vector<std::string>{
        "/usr/bin/env", "prometheus", "--config.file=" + prometheus_config(),
        "--storage.tsdb.path=" + (folder / "tsdb").string(),
        "--web.listen-address=127.0.0.1:" + std::to_string(base + 190)});
  }
  /// Whether each of the five processes was scraped at least three times. A Prometheus begins
  /// seconds after its start.
  bool scraped() const {
    return answers(190, "/api/v1/query?query=count(sum_over_time(up[1m])%3E2)", "\"5\"]");
  }
  /// Of every kind, 1,500 datagrams a second for two seconds; and a connection without HTTP/2.
  void strangers_come() const {
    std::list<Child> floods;
    for (const char* kind : {"garbage", "requests", "sessions"}) {
      floods.emplace_back(std::vector<std::string>{PERIGEE_FLOOD_BINARY, "--to",
                                                   "127.0.0.1:" + std::to_string(base), "--kind",
                                                   kind, "--per-second", "1500", "--seconds", "2"});
    }
    const IdleConnection stranger(base + 10, "GET / HTTP/1.1\r\n\r\n");
    const std::string wrong = (folder / "wrong_secret").string();
    std::ofstream(wrong) << "not the credential";
    fs::permissions(wrong, fs::perms::owner_read | fs::perms::owner_write);
    Child refused(bots({"--count", "1", "--secret-file", wrong}));
    EXPECT_TRUE(refused.says("log-in refused: wrong credential")) << refused.output();
    for (Child& flood : floods) EXPECT_EQ(flood.wait(), 0) << flood.output();
  }
  /// Exit code of a script of the dashboards' checks.
  int ask(std::vector<std::string> script, std::vector<std::string> more) const {
    script.push_back("http://127.0.0.1:" + std::to_string(base + 190));
    script.insert(script.end(), more.begin(), more.end());
    Child asked(script);
    const int exit_code = asked.wait();
    EXPECT_EQ(exit_code, 0) << asked.output();
    return exit_code;
  }
  std::string since_unix_s() const {
    using std::chrono::seconds;
    return std::to_string(std::chrono::duration_cast<seconds>(since.time_since_epoch()).count());
  }

  std::chrono::system_clock::time_point since;
  std::optional<Child> prometheus;
};

// D7: bad links and no handling of late inputs, so that there are corrections to display; a flood,
// a refused log-in and a dead worker, so that these are visible, too
TEST_F(ADashboard, HasAnAnswerToEveryQuestionItAsks) {
  start_prometheus();
  start_all();
  ASSERT_TRUE(scraped()) << prometheus->output();
  Child players(bots({"--count", "10", "--seconds", "600", "--profile", "P5", "--techniques",
                      "timeline=on-arrival,rollback=off"}));
  ASSERT_TRUE(players.says("playing 10")) << players.output();
  for (const unsigned worker : {110U, 111U}) {
    ASSERT_TRUE(soon([&] { return series(worker, "perigee_sim_standby_in_sync") == 1; }));
  }
  Child& victim = *std::next(processes.begin(), 3);
  victim.signal(SIGKILL);
  strangers_come();

  ask({"/usr/bin/env", "python3", "-B", root + "/tests/dashboards/ask_dashboards.py"},
      {root, since_unix_s(), std::to_string(patience.count() / 2)});
  ask({root + "/tests/process/cluster/alerts_answer.sh"}, {root + "/deploy/prometheus/alerts.yml"});
  prometheus->signal(SIGTERM);
  EXPECT_EQ(prometheus->wait(), 0) << prometheus->output();
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
}

}  // namespace
}  // namespace perigee::process_test
