// The operator's dashboards, with a real Prometheus that scrapes a cluster with players.
#include "cluster.hpp"

namespace perigee::process_test {
namespace {

const std::string root = PERIGEE_ROOT;

class ADashboard : public ACluster {
 protected:
  void SetUp() override {
    Child tools({"/bin/sh", "-c", "command -v prometheus && command -v curl && command -v jq"});
    if (tools.wait() != 0) GTEST_SKIP() << "prometheus, curl or jq is not installed";
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
};

// D7: bad links and no handling of late inputs, so that there are corrections to display
TEST_F(ADashboard, HasAnAnswerToEveryQuestionItAsks) {
  start_all();
  Child players(bots({"--count", "10", "--seconds", "600", "--profile", "P5", "--techniques",
                      "timeline=on-arrival,rollback=off"}));
  ASSERT_TRUE(players.says("playing 10")) << players.output();
  const std::string port = std::to_string(base + 190);
  Child prometheus({"/usr/bin/env", "prometheus", "--config.file=" + prometheus_config(),
                    "--storage.tsdb.path=" + (folder / "tsdb").string(),
                    "--web.listen-address=127.0.0.1:" + port});
  ASSERT_TRUE(answers(190, "/-/ready", "200 OK")) << prometheus.output();
  std::this_thread::sleep_for(std::chrono::seconds(20));

  const std::string url = "http://127.0.0.1:" + port;
  const std::string scripts = root + "/tests/process/cluster/";
  for (const auto& board : fs::directory_iterator(root + "/deploy/grafana")) {
    if (board.path().extension() != ".json") continue;
    Child asked({scripts + "dashboard_answers.sh", url, board.path().string()});
    EXPECT_TRUE(asked.says("expressions asked")) << asked.output();
    EXPECT_EQ(asked.wait(), 0) << asked.output();
  }
  Child alerts({scripts + "alerts_answer.sh", url, root + "/deploy/prometheus/alerts.yml"});
  EXPECT_EQ(alerts.wait(), 0) << alerts.output();
  prometheus.signal(SIGTERM);
  EXPECT_EQ(prometheus.wait(), 0) << prometheus.output();
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
}

}  // namespace
}  // namespace perigee::process_test
