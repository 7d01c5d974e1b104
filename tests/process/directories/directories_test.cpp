// Two directories that share an etcd: one leads, the other one takes over, and players notice
// nothing. Nor do they if etcd stalls.
#include "directory.grpc.pb.h"
#include "etcd_server/etcd_server.hpp"
#include "long_run.hpp"
#include "process/cluster/operator.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

struct TwoDirectories : AnOperator {
  /// In addition to the cluster's ports.
  static constexpr unsigned etcd_port = 200, beside = 3;
  static constexpr unsigned admins[] = {102, 102 + beside};
  static constexpr unsigned members = 4;  ///< gateway, session, two workers
  EtcdServer etcd{base + etcd_port};
  Child* directories[2] = {};
  std::list<Child> people;

  std::string targets() const {
    return "127.0.0.1:" + std::to_string(base + 11) +
           ",127.0.0.1:" + std::to_string(base + 11 + beside);
  }
  /// Without standbys: a busy machine would lose workers after 100 ms of silence.
  void start_directory(unsigned which) {
    directories[which] = &processes.emplace_back(std::vector<std::string>{
        PERIGEE_DIRECTORY_BINARY, "--port-base", std::to_string(base + which * beside),
        "--state-dir", (folder / std::to_string(which)).string(), "--directory-workers", "2",
        "--directory-regions", "2", "--directory-balance=false", "--directory-standbys=false",
        "--directory-store", "etcd", "--directory-etcd", etcd.endpoint(), "--directory-lease-s",
        "3"});
    EXPECT_TRUE(answers(admins[which], "/ready", "200 OK")) << directories[which]->output();
  }
  bool leads(unsigned which) const { return series(admins[which], "perigee_directory_leads") == 1; }
  /// Starts everything; the first directory leads.
  void begin() {
    start_directory(0);
    ASSERT_TRUE(soon([&] { return leads(0); })) << outputs();
    start_directory(1);
    start(PERIGEE_GATEWAY_BINARY, {"--directory", targets()});
    start(PERIGEE_SIM_BINARY, {"--index", "0", "--directory", targets()});
    start(PERIGEE_SIM_BINARY, {"--index", "1", "--directory", targets()});
    start(PERIGEE_SESSION_BINARY, {"--directory", targets()});
    for (const unsigned port : {100U, 110U, 111U, 101U}) {
      ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
    }
    people.emplace_back(bots({"--count", "8", "--seconds", "600", "--json"}));
    ASSERT_TRUE(people.back().says("playing 8")) << people.back().output();
    things = owned();
    region = std::to_string(status(20).regions(0).region());
    EXPECT_FALSE(leads(1));
  }
  /// All members receive the map from this directory.
  bool is_followed(unsigned which) const {
    return soon([&] {
      return leads(which) && series(admins[which], "perigee_directory_watchers") == members;
    });
  }
  std::string asks(std::vector<std::string> words, int* code = nullptr) const {
    std::vector<std::string> all{PERIGEE_CTL_BINARY, "--tls-dir", "none", "--directory", targets()};
    all.insert(all.end(), words.begin(), words.end());
    Child child(all);
    const int ended = child.wait();
    if (code != nullptr) *code = ended;
    return child.output();
  }
  /// Retries, because a region cannot be moved until its owner has reported its last change.
  bool moves_to(const std::string& worker) const {
    return soon([&] {
      int code = -1;
      asks({"move", region, worker}, &code);
      return code == 0;
    });
  }
  /// Number of incarnations of each worker, as the leader knows it; 0: unknown.
  std::vector<unsigned> incarnations(unsigned leader) const {
    const auto stub = directory::v1::Directory::NewStub(
        host::open_channel("127.0.0.1:" + std::to_string(base + 11 + leader * beside)));
    PatientCall context;
    directory::v1::ClusterMap map;
    const grpc::Status called = stub->ListMap(&context, {}, &map);
    EXPECT_TRUE(called.ok()) << called.error_message();
    std::vector<unsigned> out;
    for (const auto& worker : map.workers())
      out.push_back(worker.alive() ? worker.incarnation() : 0);
    return out;
  }
  /// After every fault: no player was disconnected, no worker died, each entity exists once.
  void expect_nothing_lost(unsigned leader) {
    EXPECT_EQ(incarnations(leader), (std::vector<unsigned>{1, 1}));
    EXPECT_TRUE(soon([&] { return owned() == things; })) << "each thing once";
    EXPECT_EQ(series(admins[leader], "perigee_directory_deaths_total"), 0);
    people.back().signal(SIGINT);
    EXPECT_EQ(people.back().wait(), 0) << people.back().output();
    EXPECT_EQ(figure_of(people.back().output(), "playing"), 8) << people.back().output();
    EXPECT_EQ(figure_of(people.back().output(), "disconnects"), 0) << people.back().output();
    EXPECT_EQ(figure_of(people.back().output(), "avatars_changed"), 0) << people.back().output();
  }
  Things things;
  std::string region;  ///< the region of sim-0
};

TEST_F(TwoDirectories, GoOnAsOneWhenTheLeaderIsKilled) {
  begin();
  directories[0]->signal(SIGKILL);
  ASSERT_TRUE(is_followed(1)) << outputs();
  EXPECT_THAT(asks({"workers"}), HasSubstr("sim-1"));
  EXPECT_TRUE(moves_to("sim-1")) << asks({"move", region, "sim-1"});
  EXPECT_TRUE(soon([&] { return status(21).regions_size() == 2; }));
  // A restarted directory is on standby.
  directories[0]->wait();
  start_directory(0);
  EXPECT_TRUE(leads(1));
  EXPECT_FALSE(leads(0));
  directories[1]->signal(SIGTERM);
  EXPECT_EQ(directories[1]->wait(), 0);
  ASSERT_TRUE(is_followed(0)) << outputs();
  expect_nothing_lost(0);
}

TEST_F(TwoDirectories, ReceiveNothingMoreOfALeaderThatStoodStill) {
  begin();
  directories[0]->signal(SIGSTOP);
  ASSERT_TRUE(is_followed(1)) << outputs();
  EXPECT_TRUE(moves_to("sim-1"));
  EXPECT_TRUE(soon([&] { return status(21).regions_size() == 2; }));
  directories[0]->signal(SIGCONT);
  EXPECT_TRUE(directories[0]->says("leadership lost"));
  std::this_thread::sleep_for(3s);
  EXPECT_FALSE(leads(0));
  EXPECT_TRUE(is_followed(1));
  EXPECT_EQ(status(21).regions_size(), 2) << "as the other one has decided meanwhile";
  EXPECT_TRUE(moves_to("sim-0"));
  expect_nothing_lost(1);
}

TEST_F(TwoDirectories, LetPeoplePlayOnWhileEtcdStandsStill) {
  begin();
  const auto stopped_s = long_run() ? 60s : 8s;
  etcd.stop();
  const auto since = std::chrono::steady_clock::now();
  const auto lasts = [&] { return std::chrono::steady_clock::now() - since < stopped_s; };
  EXPECT_TRUE(soon([&] { return series(102, "perigee_directory_store_answers") == 0; }));
  EXPECT_THAT(http_get(base + 102, "/ready"), HasSubstr("etcd"));
  for (int asked = 0; asked == 0 || lasts(); ++asked) {
    int code = 0;
    EXPECT_THAT(asks({"move", region, "sim-1"}, &code), HasSubstr("etcd"));
    EXPECT_EQ(code, 1);
    std::this_thread::sleep_for(500ms);
  }
  EXPECT_EQ(status(20).regions_size(), 1) << "no other map was sent";
  etcd.go_on();
  EXPECT_TRUE(moves_to("sim-1")) << asks({"move", region, "sim-1"});
  EXPECT_TRUE(soon([&] { return status(21).regions_size() == 2; }));
  const unsigned leader = leads(0) ? 0 : 1;
  EXPECT_TRUE(is_followed(leader));
  EXPECT_TRUE(answers(102, "/ready", "200 OK"));
  expect_nothing_lost(leader);
}

}  // namespace
}  // namespace perigee::process_test
