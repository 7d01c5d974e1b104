// perigee-ctl, with workers that answer late or never.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>

#include "directory.grpc.pb.h"
#include "perigee/world_store/store.hpp"
#include "process/child.hpp"
#include "sim.grpc.pb.h"

namespace perigee::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* any_port = "127.0.0.1:0";

/// Workers behind one address; none of them answers before all have been asked.
class TogetherOnly final : public sim::v1::Sim::Service {
 public:
  explicit TogetherOnly(int workers) : left_(workers) {}

 private:
  grpc::Status Status(grpc::ServerContext* context, const sim::v1::StatusRequest*,
                      sim::v1::StatusReply*) override {
    std::unique_lock lock(mutex_);
    --left_;
    changed_.notify_all();
    while (left_ > 0 && !context->IsCancelled()) {
      changed_.wait_for(lock, std::chrono::milliseconds(20));
    }
    return grpc::Status::OK;
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  int left_;
};

/// Never answers.
class Silent final : public sim::v1::Sim::Service {
  grpc::Status Status(grpc::ServerContext* context, const sim::v1::StatusRequest*,
                      sim::v1::StatusReply*) override {
    while (!context->IsCancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return grpc::Status::CANCELLED;
  }
};

class AMapOf final : public directory::v1::Directory::Service {
 public:
  void add(const std::string& name, int port) {
    auto& worker = *map_.add_workers();
    worker.set_slot(static_cast<std::uint32_t>(map_.workers_size() - 1));
    worker.set_name(name);
    worker.set_alive(true);
    worker.set_grpc_address("127.0.0.1:" + std::to_string(port));
  }

 private:
  grpc::Status ListMap(grpc::ServerContext*, const directory::v1::ListMapRequest*,
                       directory::v1::ClusterMap* reply) override {
    *reply = map_;
    return grpc::Status::OK;
  }
  directory::v1::ClusterMap map_;
};

/// Serves during its lifetime.
struct Served {
  int port = 0;
  std::unique_ptr<grpc::Server> server;
  explicit Served(grpc::Service& service) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(any_port, grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service);
    server = builder.BuildAndStart();
  }
  ~Served() { server->Shutdown(std::chrono::system_clock::now()); }
};

struct AnOperatorsQuestion : testing::Test {
  static constexpr int together = 5;
  TogetherOnly workers{together};
  Silent silent, quiet;
  AMapOf map;
  Served all{workers}, first{silent}, second{quiet}, directory{map};

  std::string answer(const std::string& word, int exit_code) const {
    Child ctl({PERIGEE_CTL_BINARY, "--tls-dir", "none", "--directory",
               "127.0.0.1:" + std::to_string(directory.port), word});
    EXPECT_EQ(ctl.wait(), exit_code) << ctl.output();
    return ctl.output();
  }
};

TEST_F(AnOperatorsQuestion, GoesToAllWorkersAtOnce) {
  for (int i = 0; i < together; ++i) map.add("sim-" + std::to_string(i), all.port);
  EXPECT_THAT(answer("in-doubt", 0),
              AllOf(HasSubstr("nothing is in doubt\n"), Not(HasSubstr("does not answer"))));
  EXPECT_THAT(answer("limbo", 0), HasSubstr("nothing is in doubt\n")) << "its name until 0.1.0";
}

TEST_F(AnOperatorsQuestion, NamesEachThatDoesNotAnswer) {
  map.add("sim-slow", first.port);
  for (int i = 0; i < together; ++i) map.add("sim-" + std::to_string(i), all.port);
  map.add("sim-still", second.port);
  EXPECT_THAT(answer("in-doubt", 1),
              AllOf(HasSubstr("sim-slow does not answer at 127.0.0.1:"),
                    HasSubstr("sim-still does not answer at 127.0.0.1:"),
                    HasSubstr("nothing is in doubt at the workers that answered"),
                    Not(HasSubstr("sim-0 does not answer"))));
}

TEST_F(AnOperatorsQuestion, IsAnsweredInJsonForPrograms) {
  for (int i = 0; i < together; ++i) map.add("sim-" + std::to_string(i), all.port);
  for (const auto& words : {std::vector<std::string>{"--json", "workers"}, {"workers", "--json"}}) {
    std::vector<std::string> command{PERIGEE_CTL_BINARY, "--tls-dir", "none", "--directory",
                                     "127.0.0.1:" + std::to_string(directory.port)};
    command.insert(command.end(), words.begin(), words.end());
    Child ctl(command);
    ASSERT_EQ(ctl.wait(), 0) << ctl.output();
    std::istringstream lines(ctl.output());
    int rows = 0;
    for (std::string line; std::getline(lines, line); ++rows) {
      const auto row = nlohmann::json::parse(line);
      EXPECT_EQ(row["worker"]["name"], "sim-" + std::to_string(rows));
      EXPECT_EQ(row["status"]["players"], 0) << "fields that are 0 are there, too";
    }
    EXPECT_EQ(rows, together);
  }
}

TEST_F(AnOperatorsQuestion, IsCompletedByTheShell) {
  for (int i = 0; i < together; ++i) map.add("sim-" + std::to_string(i), all.port);
  const auto completed = [&](const std::string& words, const std::string& last) {
    const std::string script =
        "perigee-ctl() { " PERIGEE_CTL_BINARY " --tls-dir none --directory 127.0.0.1:" +
        std::to_string(directory.port) + " \"$@\"; }\nsource <(perigee-ctl completion bash)\n" +
        "COMP_WORDS=(perigee-ctl " + words + " '" + last +
        "')\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_perigee_ctl\necho \"${COMPREPLY[@]}\"\n";
    Child bash({"/bin/bash", "-c", script});
    EXPECT_EQ(bash.wait(), 0) << bash.output();
    return bash.output();
  };
  EXPECT_EQ(completed("", "und"), "undrain\n");
  EXPECT_EQ(completed("--json", "und"), "undrain\n");
  EXPECT_EQ(completed("", "--tls"), "--tls-dir\n");
  EXPECT_EQ(completed("ban", "--da"), "--days\n");
  EXPECT_EQ(completed("drain", "sim-"), "sim-0 sim-1 sim-2 sim-3 sim-4\n");
  Child fish({PERIGEE_CTL_BINARY, "completion", "fish"});
  EXPECT_EQ(fish.wait(), 0);
  EXPECT_THAT(fish.output(), HasSubstr("-a undrain -d 'let a drained worker have regions again'"));
}

/// A file with a match of two rows, and a player's profile.
struct AStoreFile : testing::Test {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("perigee-ctl-" + std::to_string(getpid()));
  const std::string where = "sqlite:" + (folder / "world.sqlite").string();

  AStoreFile() {
    std::filesystem::create_directory(folder);
    const auto store = world_store::open(where).value();
    const world_store::Owner owner{7, WorkerSlot{0}, Incarnation{1}};
    EXPECT_TRUE(store->adopt(7).ok());
    const std::vector<std::byte> bytes{std::byte{0xab}, std::byte{1}};
    const std::vector<world_store::ResultRow> rows{{7, 5, 3, 0, 1'800'000'000, bytes},
                                                   {7, 5, 3, 1, 1'800'000'000, bytes},
                                                   {7, 5, 4, 0, 0, bytes}};
    EXPECT_TRUE(store->add_results(owner, rows).ok());
    const std::vector<world_store::ProfileRow> profiles{{81, 1, Tick{600}, 2, bytes}};
    EXPECT_TRUE(store->save_profiles(owner, profiles).ok());
  }
  ~AStoreFile() override { std::filesystem::remove_all(folder); }
  std::string ctl(std::vector<std::string> words, int exit_code) const {
    words.insert(words.begin(), PERIGEE_CTL_BINARY);
    Child ctl(words);
    EXPECT_EQ(ctl.wait(), exit_code) << ctl.output();
    return ctl.output();
  }
};

TEST_F(AStoreFile, IsReadByOperators) {
  EXPECT_THAT(ctl({"results", "--store", where}, 0),
              AllOf(HasSubstr("2027-01-15T08:00:00Z"), HasSubstr("ab01"), HasSubstr("3 results")));
  EXPECT_THAT(ctl({"results", "--store", where, "--match", "3", "--json"}, 0),
              AllOf(HasSubstr(R"({"match":3,"place":1,"origin":"5","cluster":7,)"),
                    HasSubstr("2 results"), Not(HasSubstr("\"match\":4"))));
  EXPECT_THAT(ctl({"profile", "81", "--store", where}, 0),
              HasSubstr("version 2, saved in tick 600, 2 bytes\nab01\n"));
}

TEST_F(AStoreFile, HasProfilesByPlayersIdsAlone) {
  EXPECT_THAT(ctl({"profile", "@81", "--store", where}, 0), HasSubstr("version 2"));
  for (const char* other : {"Ada", "81x", "0", "@"}) {
    EXPECT_EQ(ctl({"profile", other, "--store", where}, 2),
              "perigee-ctl: '" + std::string(other) +
                  "' is not a player's id; the last column of perigee-ctl sessions has the ids of "
                  "players\n");
  }
}

TEST(ACommandLine, ThatIsWrongIsAnsweredWithTheWordAndTheHelp) {
  const auto answer = [](std::vector<std::string> words) {
    words.insert(words.begin(), PERIGEE_CTL_BINARY);
    Child ctl(words);
    EXPECT_EQ(ctl.wait(), 2) << ctl.output();
    return ctl.output();
  };
  EXPECT_EQ(answer({"foo"}), "perigee-ctl: unknown subcommand 'foo'; see perigee-ctl --help\n");
  EXPECT_EQ(answer({"foo", "--all"}),
            "perigee-ctl: unknown subcommand 'foo'; see perigee-ctl --help\n");
  EXPECT_EQ(answer({}), "perigee-ctl: A subcommand is required; see perigee-ctl --help\n");
  EXPECT_EQ(answer({"--wrong"}), "perigee-ctl: unknown option '--wrong'; see perigee-ctl --help\n");
  EXPECT_EQ(answer({"kick", "--wrong"}),
            "perigee-ctl kick: unknown option '--wrong'; see perigee-ctl kick --help\n");
  EXPECT_EQ(answer({"kick"}), "perigee-ctl kick: whom is required; see perigee-ctl kick --help\n");
  EXPECT_THAT(answer({"record", "Ada", "--for", "x"}),
              AllOf(HasSubstr("--for"), HasSubstr("see perigee-ctl record --help\n")));
}

TEST_F(AStoreFile, ThatIsMissingIsNotMade) {
  EXPECT_THAT(ctl({"profile", "82", "--store", where}, 1),
              HasSubstr("nothing was saved for player 82"));
  const std::string other = where + "x";
  EXPECT_THAT(ctl({"results", "--store", other}, 1), HasSubstr("does not exist"));
  EXPECT_FALSE(std::filesystem::exists(other.substr(7)));
  EXPECT_THAT(ctl({"results", "--store", "file"}, 1),
              HasSubstr("'file' is neither sqlite:PATH nor postgres:CONNECTION"));
}

}  // namespace
}  // namespace perigee::process_test
