// Sim.ArmRecorder, ListRecordings and FetchRecording of running workers, perigee-ctl, and the
// console.
#include <grpcpp/grpcpp.h>

#include "operator.hpp"
#include "perigee/replay/recording.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

class Recordings : public AnOperator {
 protected:
  static std::uint64_t number_in(const std::string& text, std::size_t from) {
    return std::strtoull(text.c_str() + text.find_first_of("0123456789", from), nullptr, 10);
  }
  /// Clients that play, by `perigee-ctl sessions`.
  std::vector<std::uint64_t> clients() const {
    const std::string list = says({"sessions"}, 0);
    std::vector<std::uint64_t> out;
    for (std::size_t at = list.find('\n'); at + 1 < list.size() && at != std::string::npos;
         at = list.find('\n', at + 1)) {
      if (list[at + 1] >= '1' && list[at + 1] <= '9') out.push_back(number_in(list, at));
    }
    return out;
  }
  std::unique_ptr<sim::v1::Sim::Stub> worker(unsigned index) const {
    return sim::v1::Sim::NewStub(grpc::CreateChannel(
        "127.0.0.1:" + std::to_string(base + 20 + index), grpc::InsecureChannelCredentials()));
  }
  grpc::Status arm(unsigned index, std::uint64_t client, std::uint32_t for_s) const {
    PatientCall context;
    sim::v1::ArmRecorderRequest request;
    request.set_client_id(client);
    request.set_for_s(for_s);
    sim::v1::ArmRecorderReply reply;
    return worker(index)->ArmRecorder(&context, request, &reply);
  }
  sim::v1::ListRecordingsReply listed(unsigned index) const {
    PatientCall context;
    sim::v1::ListRecordingsReply reply;
    EXPECT_TRUE(worker(index)->ListRecordings(&context, {}, &reply).ok());
    return reply;
  }
  grpc::Status fetch(unsigned index, const sim::v1::FetchRecordingRequest& request,
                     std::string& bytes) const {
    PatientCall context;
    sim::v1::FetchRecordingReply reply;
    const grpc::Status status = worker(index)->FetchRecording(&context, request, &reply);
    bytes = reply.recording();
    return status;
  }
  grpc::Status fetch_file(unsigned index, const std::string& name, std::string& bytes) const {
    sim::v1::FetchRecordingRequest request;
    request.set_file(name);
    return fetch(index, request, bytes);
  }
  /// Of the first worker.
  std::string audited() const {
    std::ifstream file(folder / "audit/sim-0.jsonl");
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(Recordings, AreArmedListedFetchedAndFreed) {
  start_all();
  Child players(bots({"--count", "12", "--seconds", "600"}));
  ASSERT_TRUE(players.says("playing 12")) << players.output();
  // Players fly between the two workers.
  std::uint64_t here = 0;
  std::string exhausted;
  EXPECT_TRUE(soon([&] {
    for (const std::uint64_t client : clients()) {
      const grpc::Status status = arm(0, client, 600);
      if (status.ok()) here = client;
      if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) {
        exhausted = status.error_message();
      }
    }
    return here != 0 && !exhausted.empty();
  }));
  EXPECT_NE(exhausted.find("all 4 recorders of sim-0 are in use"), std::string::npos) << exhausted;
  EXPECT_EQ(arm(0, 12345, 600).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(arm(0, here, 3601).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(audited(), HasSubstr(R"("act":"ArmRecorder","request":{"clientId":")" +
                                   std::to_string(here) + R"(","forS":600},"result":"OK"})"));
  EXPECT_THAT(audited(), HasSubstr(R"("request":{"clientId":"12345","forS":600},)"
                                   R"("result":"NOT_FOUND")"));

  EXPECT_TRUE(soon([&] { return listed(0).armed(0).ticks() > 60; }));
  EXPECT_EQ(listed(0).recorders(), 4U);
  EXPECT_TRUE(soon([&] { return series(110, "perigee_sim_recorders_in_use") >= 1; }));

  sim::v1::FetchRecordingRequest request;
  request.set_client_id(listed(0).armed(0).client_id());
  std::string bytes;
  ASSERT_TRUE(fetch(0, request, bytes).ok());
  const auto recording = replay::read_recording(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(recording.ok()) << recording.error().message;
  EXPECT_EQ(recording->header.side, replay::Side::Worker);
  EXPECT_EQ(recording->header.game, "skiff");
  EXPECT_GE(recording->ticks.size(), 60U);
  EXPECT_FALSE(recording->claims.empty());
  EXPECT_FALSE(recording->things.empty());
  request.set_client_id(12345);
  EXPECT_EQ(fetch(0, request, bytes).error_code(), grpc::StatusCode::NOT_FOUND);

  EXPECT_TRUE(arm(0, here, 0).ok());
  EXPECT_EQ(arm(0, here, 0).error_code(), grpc::StatusCode::NOT_FOUND) << "freed already";
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_TRUE(soon([&] {
    const auto list = listed(0);
    return std::all_of(list.armed().begin(), list.armed().end(),
                       [](const auto& armed) { return armed.left(); });
  })) << "players that left need no recorder";
}

TEST_F(Recordings, AreOrderedOnTheCommandLine) {
  start_all();
  Child players(bots({"--count", "2", "--seconds", "600"}));
  ASSERT_TRUE(players.says("playing 2")) << players.output();
  EXPECT_NE(says({"record", "bot-0"}, 0).find("1 of 4 recorders in use"), std::string::npos);
  const std::string file = (folder / "bot.flight").string();
  EXPECT_TRUE(soon([&] {
    Child fetched(ctl({"recording", "bot-0", file}));
    return fetched.wait() == 0;
  }));
  Child replayed({PERIGEE_REPLAY_BINARY, file});
  EXPECT_EQ(replayed.wait(), 0) << replayed.output();
  EXPECT_NE(replayed.output().find("0 bits differ"), std::string::npos) << replayed.output();
  EXPECT_NE(says({"recordings"}, 0).find("here"), std::string::npos);
  EXPECT_NE(says({"record", "bot-0", "--stop"}, 0).find("no longer recorded"), std::string::npos);
  says({"recording", "bot-0", file}, 1);
  says({"record", "nobody"}, 1);
}

TEST_F(Recordings, OfTheFlightFolderLeaveItNeverFor) {
  const fs::path flights = folder / "flights";
  fs::create_directories(flights);
  std::ofstream(flights / "flight-1-2-worker.flight") << "bytes";
  std::ofstream(folder / "secret.flight") << "secret";
  start_directory();
  for (const std::string index : {"0", "1"}) {
    start(PERIGEE_SIM_BINARY, {"--index", index, "--sim-flight-dir", flights.string()});
  }
  ASSERT_TRUE(answers(110, "/ready", "200 OK")) << outputs();
  ASSERT_EQ(listed(0).files_size(), 1);
  EXPECT_EQ(listed(0).files(0).name(), "flight-1-2-worker.flight");
  std::string bytes;
  ASSERT_TRUE(fetch_file(0, "flight-1-2-worker.flight", bytes).ok());
  EXPECT_EQ(bytes, "bytes");
  for (const std::string wrong : {"../secret.flight", "none.flight", "", "..", ".flight/"}) {
    EXPECT_EQ(fetch_file(0, wrong, bytes).error_code(), grpc::StatusCode::NOT_FOUND) << wrong;
  }
  EXPECT_THAT(audited(), HasSubstr(R"("act":"FetchRecording","request":)"
                                   R"({"file":"flight-1-2-worker.flight"},"result":"OK"})"));
  EXPECT_THAT(audited(),
              HasSubstr(R"("request":{"file":"../secret.flight"},"result":"NOT_FOUND")"));
}

}  // namespace
}  // namespace perigee::process_test
