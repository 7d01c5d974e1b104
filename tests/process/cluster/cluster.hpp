/// A whole cluster of processes on loopback, in its own folder and on its own ports.
#pragma once

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <list>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "perigee/host/grpc_channel.hpp"
#include "process/child.hpp"
#include "process/figures.hpp"
#include "process/patient_call.hpp"
#include "sim.grpc.pb.h"

namespace perigee::process_test {

namespace fs = std::filesystem;

class ACluster : public testing::Test {
 protected:
  ACluster() {
    std::string name = (fs::temp_directory_path() / "perigee-test-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~ACluster() override {
    processes.clear();
    fs::remove_all(folder);
  }

  std::vector<std::string> command(const std::string& binary, std::vector<std::string> more = {}) {
    std::vector<std::string> all{binary, "--port-base", std::to_string(base), "--state-dir",
                                 folder.string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Child& start(const std::string& binary, std::vector<std::string> more = {}) {
    return processes.emplace_back(command(binary, std::move(more)));
  }
  /// With fixed borders.
  Child& start_directory(const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{"--directory-workers", "2", "--directory-regions", "2",
                                 "--directory-balance=false"};
    all.insert(all.end(), more.begin(), more.end());
    return start(PERIGEE_DIRECTORY_BINARY, all);
  }
  void start_all(const std::vector<std::string>& directory = {},
                 const std::string& sim = PERIGEE_SIM_BINARY) {
    start_directory(directory);
    start(PERIGEE_GATEWAY_BINARY);
    start(sim, {"--index", "0"});
    start(sim, {"--index", "1"});
    start(PERIGEE_SESSION_BINARY);
    for (const unsigned port : {102U, 100U, 110U, 111U, 101U}) {
      ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
    }
  }
  std::vector<std::string> bots(std::vector<std::string> more,
                                const std::string& binary = PERIGEE_BOTS_BINARY) const {
    std::vector<std::string> all{binary, "--session", "127.0.0.1:" + std::to_string(base + 10),
                                 "--state-dir", folder.string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  bool answers(unsigned offset, const std::string& path, const std::string& text) const {
    return comes([&] { return http_get(base + offset, path).find(text) != std::string::npos; });
  }
  std::string outputs() {
    std::string all = "\n";
    for (Child& process : processes) {
      process.signal(SIGTERM);
      process.wait();
      all += process.output();
    }
    return all;
  }
  /// Value of a series; -1 if it is missing.
  double series(unsigned offset, const std::string& name) const {
    return value_of(http_get(base + offset, "/metrics"), name);
  }
  static double value_of(const std::string& metrics, const std::string& name) {
    const std::size_t at = metrics.find("\n" + name + " ");
    return at == std::string::npos ? -1 : std::stod(metrics.substr(at + name.size() + 2));
  }
  /// Polls for up to `seconds` × `slowness`.
  template <class Done>
  bool soon(Done done, int seconds = 60,
            std::chrono::milliseconds every = std::chrono::milliseconds(50)) const {
    return comes(done, every, std::chrono::seconds(seconds * slowness));
  }
  /// Returns as soon as the file has grown.
  static bool grows(const fs::path& file) {
    const auto before = fs::file_size(file);
    return comes([&] { return fs::file_size(file) > before; }, std::chrono::milliseconds(2));
  }
  using Things = std::map<std::string, unsigned>;
  /// Owned entities of these workers together, as reported one after the other.
  Things asked_of(std::initializer_list<unsigned> workers) const {
    Things all;
    for (const unsigned worker : workers) {
      const auto reply = status(20 + worker);
      for (const auto& entities : reply.entities()) all[entities.kind()] += entities.count();
    }
    return all;
  }
  /// The same, without errors by entities that cross a border between the reports and count twice
  /// or not at all: asks until two answers are the same, with a pause longer than a migration.
  Things owned_by(std::initializer_list<unsigned> workers) const {
    Things all = asked_of(workers);
    for (int i = 0; i < 20; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100 * slowness));
      if (std::exchange(all, asked_of(workers)) == all) break;
    }
    return all;
  }
  /// The same, once the avatars of this many players are among them.
  Things owned_with(unsigned players, std::initializer_list<unsigned> workers) const {
    Things all;
    EXPECT_TRUE(soon([&] { return (all = owned_by(workers))["character"] == players; }))
        << testing::PrintToString(all);
    return all;
  }
  Things owned() const { return owned_by({0, 1}); }
  void expect_clean_metrics(unsigned offset) const {
    const std::string answer = http_get(base + offset, "/metrics");
    const std::string file = (folder / ("metrics-" + std::to_string(offset))).string();
    std::ofstream(file) << answer.substr(answer.find("\r\n\r\n") + 4);
    Child promtool({"/bin/sh", "-c", "promtool check metrics <" + file});
    EXPECT_EQ(promtool.wait(), 0) << promtool.output();
  }
  sim::v1::StatusReply status(unsigned offset) const {
    const auto set = host::certificate_folder("", folder, "operator");  // empty: without TLS
    const auto tls = set.empty() ? nullptr : host::ClusterTls::open(set).value();
    const auto stub = sim::v1::Sim::NewStub(
        host::open_channel("127.0.0.1:" + std::to_string(base + offset), {.tls = tls.get()}));
    PatientCall context;
    sim::v1::StatusReply reply;
    const grpc::Status called = stub->Status(&context, {}, &reply);
    EXPECT_TRUE(called.ok()) << called.error_message();
    return reply;
  }

  const unsigned base = free_port_base();
  fs::path folder;
  std::list<Child> processes;
};

}  // namespace perigee::process_test
