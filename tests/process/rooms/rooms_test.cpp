// perigee-rooms as a process: a matchmaker by gRPC, players over UDP, an operator with perigee-ctl.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/times.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include "perigee/base/hash.hpp"
#include "perigee/transport/connect_token.hpp"
#include "perigee/world_store/store.hpp"
#include "process/child.hpp"
#include "process/patient_call.hpp"
#include "rooms.grpc.pb.h"

namespace perigee::process_test {
namespace {

namespace fs = std::filesystem;
namespace v1 = perigee::rooms::v1;
using testing::HasSubstr;

/// Processor time of a process so far, all of its threads.
double cpu_s(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string field;
  for (int i = 0; i < 11; ++i) fields >> field;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

class AProcessOfRooms : public testing::Test {
 protected:
  AProcessOfRooms() { fs::create_directories(folder); }
  ~AProcessOfRooms() override {
    process.reset();
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  void start(std::vector<std::string> more = {}) {
    std::vector<std::string> command{PERIGEE_ROOMS_BINARY,
                                     "--port-base",
                                     std::to_string(base),
                                     "--state-dir",
                                     folder,
                                     "--game",
                                     game};
    command.insert(command.end(), more.begin(), more.end());
    process = std::make_unique<Child>(std::move(command));
    ASSERT_TRUE(process->says("ready")) << process->output();
    stub = v1::Rooms::NewStub(grpc::CreateChannel(target(), grpc::InsecureChannelCredentials()));
  }
  std::string target() const { return "127.0.0.1:" + std::to_string(base + 81); }
  std::vector<std::string> bots(std::vector<std::string> more) const {
    std::vector<std::string> command{PERIGEE_BOTS_BINARY, "--game", game, "--rooms", target()};
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }
  /// The output; expects exit code 0.
  std::string ctl(std::vector<std::string> words) const {
    std::vector<std::string> command{PERIGEE_CTL_BINARY, "--tls-dir", "none", "--rooms", target()};
    command.insert(command.end(), words.begin(), words.end());
    Child child(std::move(command));
    EXPECT_EQ(child.wait(), 0) << child.output();
    return child.output();
  }
  template <class Request, class Reply>
  grpc::Status call(grpc::Status (v1::Rooms::Stub::*method)(grpc::ClientContext*, const Request&,
                                                            Reply*),
                    const Request& request, Reply& reply) {
    PatientCall context;
    return (stub.get()->*method)(&context, request, &reply);
  }
  v1::Room create(const v1::CreateRoomRequest& request = {}) {
    v1::Room room;
    const grpc::Status status = call(&v1::Rooms::Stub::CreateRoom, request, room);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return room;
  }
  grpc::Status create_status(const v1::CreateRoomRequest& request) {
    v1::Room room;
    return call(&v1::Rooms::Stub::CreateRoom, request, room);
  }
  grpc::Status invite(std::uint64_t room, v1::InviteReply& reply, std::uint64_t player_id = 0,
                      std::uint64_t schema_hash = 0) {
    v1::InviteRequest request;
    request.set_room(room);
    request.set_name("ada");
    request.set_player_id(player_id);
    request.set_schema_hash(schema_hash);
    return call(&v1::Rooms::Stub::Invite, request, reply);
  }
  grpc::Status end(std::uint64_t room, v1::Room& reply) {
    v1::EndRoomRequest request;
    request.set_room(room);
    return call(&v1::Rooms::Stub::EndRoom, request, reply);
  }
  std::string audited() const {
    std::ifstream file(fs::path(folder) / "audit/rooms.jsonl");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string metrics() const { return http_get(base + 120, "/metrics"); }
  double metric(const std::string& series) const {
    const std::string text = metrics();
    const std::size_t at = text.find("\n" + series + " ");
    return at == std::string::npos ? -1 : std::stod(text.substr(at + series.size() + 2));
  }

  std::string game = PERIGEE_GAME;
  const unsigned base = free_port_base();
  const std::string folder =
      (fs::temp_directory_path() / ("rooms-test-" + std::to_string(getpid()))).string();
  std::unique_ptr<Child> process;
  std::unique_ptr<v1::Rooms::Stub> stub;
};

TEST_F(AProcessOfRooms, ObeysAMatchmaker) {
  start({"--rooms-max", "3", "--rooms-players-max", "2"});
  v1::CreateRoomRequest request;
  request.set_key("match-1");
  request.set_label("duel");
  const v1::Room room = create(request);
  EXPECT_NE(room.room(), 0U);
  EXPECT_EQ(room.state(), "waiting");
  EXPECT_EQ(room.players_max(), 2U);
  EXPECT_EQ(create(request).room(), room.room()) << "the same order";

  v1::InviteReply reply;
  ASSERT_TRUE(invite(room.room(), reply, 11).ok());
  EXPECT_EQ(reply.connect_token().size(), transport::connect_token_bytes);
  EXPECT_EQ(reply.address(), "127.0.0.1:" + std::to_string(base + 80));
  EXPECT_TRUE(invite(room.room(), reply, 12).ok());
  EXPECT_EQ(invite(room.room(), reply, 13).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(invite(99, reply).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(audited(),
              HasSubstr(R"("act":"Invite","request":{"room":")" + std::to_string(room.room()) +
                        R"(","name":"ada","playerId":"11"},"result":"OK"})"));
  EXPECT_THAT(audited(), HasSubstr(R"("room":"99","name":"ada"},"result":"NOT_FOUND")"));
  EXPECT_EQ(invite(room.room(), reply, 11, 1).error_code(), grpc::StatusCode::FAILED_PRECONDITION)
      << "another game";

  v1::CreateRoomRequest bad;
  bad.set_stage("nowhere");
  EXPECT_EQ(create_status(bad).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  bad = {};
  bad.set_label("two\nlines");
  EXPECT_EQ(create_status(bad).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  bad.set_label("a\u0085line of a terminal");
  EXPECT_EQ(create_status(bad).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  bad = {};
  bad.set_players_max(3);
  EXPECT_EQ(create_status(bad).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::CreateRoomRequest named;
  named.set_label("Übung macht den Meister, 練習");
  EXPECT_EQ(create(named).label(), named.label());
  create();
  EXPECT_EQ(create_status({}).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);

  v1::Room ended;
  ASSERT_TRUE(end(room.room(), ended).ok());
  EXPECT_EQ(ended.state(), "ended");
  EXPECT_EQ(ended.end_reason(), "asked");
  EXPECT_EQ(invite(room.room(), reply).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(end(99, ended).error_code(), grpc::StatusCode::NOT_FOUND);

  v1::ListRoomsRequest page;
  page.set_page_size(2);
  v1::ListRoomsReply rooms;
  ASSERT_TRUE(call(&v1::Rooms::Stub::ListRooms, page, rooms).ok());
  ASSERT_EQ(rooms.rooms_size(), 2);
  EXPECT_GT(rooms.rooms(0).room(), rooms.rooms(1).room()) << "the newest first";
  page.set_page_token(rooms.next_page_token());
  ASSERT_TRUE(call(&v1::Rooms::Stub::ListRooms, page, rooms).ok());
  ASSERT_EQ(rooms.rooms_size(), 1);
  EXPECT_EQ(rooms.rooms(0).room(), room.room());
  EXPECT_EQ(rooms.next_page_token(), "");
  EXPECT_TRUE(comes([&] { return metric("perigee_rooms_open{state=\"waiting\"}") == 2; }));
  EXPECT_EQ(metric("perigee_rooms_refused_total{reason=\"room_full\"}"), 1);
}

TEST_F(AProcessOfRooms, RemovesAPlayerForAMatchmaker) {
  start();
  const v1::Room room = create();
  v1::InviteReply reply;
  ASSERT_TRUE(invite(room.room(), reply, 11).ok());
  v1::RemovePlayerRequest request;
  request.set_room(room.room());
  request.set_player_id(11);
  v1::RemovePlayerReply removed;
  EXPECT_TRUE(call(&v1::Rooms::Stub::RemovePlayer, request, removed).ok());
  const auto again = call(&v1::Rooms::Stub::RemovePlayer, request, removed);
  EXPECT_EQ(again.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(again.error_message(), HasSubstr("no player"));
  ASSERT_TRUE(invite(room.room(), reply, 12).ok());
  ctl({"room-remove", std::to_string(room.room()), "12"});
  Child unknown({PERIGEE_CTL_BINARY, "--tls-dir", "none", "--rooms", target(), "room-remove",
                 std::to_string(room.room()), "12"});
  EXPECT_EQ(unknown.wait(), 1);
}

// Each is answered, though each waits for a turn of its own.
TEST_F(AProcessOfRooms, ObeysManyOrdersAtOnce) {
  start({"--rooms-max", "40"});
  struct Order {
    PatientCall context;
    v1::Room reply;
    grpc::Status status;
    std::unique_ptr<grpc::ClientAsyncResponseReader<v1::Room>> call;
  };
  grpc::CompletionQueue queue;
  std::vector<std::unique_ptr<Order>> orders;
  for (int i = 0; i < 40; ++i) {
    Order& order = *orders.emplace_back(std::make_unique<Order>());
    order.call = stub->AsyncCreateRoom(&order.context, {}, &queue);
    order.call->Finish(&order.reply, &order.status, &order);
  }
  for (std::size_t i = 0; i < orders.size(); ++i) {
    void* tag = nullptr;
    bool ok = false;
    ASSERT_TRUE(queue.Next(&tag, &ok));
  }
  std::set<std::uint64_t> rooms;
  for (const auto& order : orders) {
    EXPECT_TRUE(order->status.ok()) << order->status.error_message();
    rooms.insert(order->reply.room());
  }
  EXPECT_EQ(rooms.size(), 40U);
}

TEST_F(AProcessOfRooms, ObeysAnOperator) {
  start();
  const std::string number = ctl({"room-create", "--label", "cup final", "--players-max", "2"});
  EXPECT_THAT(ctl({"rooms"}), HasSubstr("cup final"));
  EXPECT_EQ(ctl({"room-end", number.substr(0, number.size() - 1)}), "ended: asked\n");
  EXPECT_THAT(ctl({"rooms"}), testing::Not(HasSubstr("cup final")));
  EXPECT_THAT(ctl({"rooms", "--all"}), HasSubstr("cup final"));
  Child unknown({PERIGEE_CTL_BINARY, "--tls-dir", "none", "--rooms", target(), "room-end", "7"});
  EXPECT_EQ(unknown.wait(), 1);
  EXPECT_THAT(unknown.output(), HasSubstr("no such room"));
}

/// The share of a core is reported, not judged: `./perigee bench rooms` measures it.
TEST_F(AProcessOfRooms, RunsTwentyMatchesOfFour) {
  start({"--rooms-empty-s", "1"});
  Child players(bots({"--rooms-of", "4", "--count", "0", "--thin", "80", "--seconds", "8",
                      "--log-ins-per-s", "40"}));
  ASSERT_TRUE(comes([&] { return metric("perigee_rooms_players") == 80; }));
  EXPECT_EQ(metric("perigee_rooms_open{state=\"waiting\"}") +
                metric("perigee_rooms_open{state=\"playing\"}"),
            20);
  const double before_cpu_s = cpu_s(process->pid());
  const double before_ticks = metric("perigee_rooms_tick_seconds_count");
  ASSERT_TRUE(comes(
      [&] { return metric("perigee_rooms_tick_seconds_count") >= before_ticks + 5 * 1'200; }));
  const double ticks = metric("perigee_rooms_tick_seconds_count") - before_ticks;
  const double cpu_per_s = (cpu_s(process->pid()) - before_cpu_s) / (ticks / 1'200);
  RecordProperty("cores", std::to_string(cpu_per_s));
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_TRUE(comes([&] { return metric("perigee_rooms_ended_total{reason=\"empty\"}") == 20; }));
  EXPECT_EQ(metric("perigee_rooms_players"), 0);
  Child found({"/bin/sh", "-c", "command -v promtool"});
  if (found.wait() != 0) return;
  const std::string text = metrics();
  const std::string file = folder + "/metrics";
  std::ofstream(file) << text.substr(text.find("\r\n\r\n") + 4);
  Child promtool({"/bin/sh", "-c", "promtool check metrics <" + file});
  EXPECT_EQ(promtool.wait(), 0) << promtool.output();
}

TEST_F(AProcessOfRooms, ArePlayedByPredictingClients) {
  start();
  Child players(bots({"--rooms-of", "2", "--count", "4", "--seconds", "5", "--json"}));
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(metric("perigee_rooms_created_total"), 2);
  EXPECT_EQ(metric("perigee_rooms_session_events_total{event=\"joined\"}"), 4);
}

// The operator ends the room while it fills. The other bots get a room, too.
TEST_F(AProcessOfRooms, IsFilledByBotsThoughARoomEnds) {
  start();
  Child players(bots({"--rooms-of", "6", "--count", "0", "--thin", "6", "--seconds", "5",
                      "--log-ins-per-s", "1"}));
  ASSERT_TRUE(comes([&] { return metric("perigee_rooms_invitations_total") >= 1; }));
  v1::ListRoomsReply rooms;
  ASSERT_TRUE(call(&v1::Rooms::Stub::ListRooms, v1::ListRoomsRequest{}, rooms).ok());
  ASSERT_EQ(rooms.rooms_size(), 1);
  v1::Room ended;
  ASSERT_TRUE(end(rooms.rooms(0).room(), ended).ok());
  EXPECT_TRUE(comes([&] { return metric("perigee_rooms_invitations_total") == 6; }));
  EXPECT_EQ(metric("perigee_rooms_created_total"), 2);
  ASSERT_TRUE(call(&v1::Rooms::Stub::ListRooms, v1::ListRoomsRequest{}, rooms).ok());
  v1::RemovePlayerRequest last;
  last.set_room(rooms.rooms(0).room());
  last.set_player_id(mix64(1, std::uint64_t{5}));
  v1::RemovePlayerReply removed;
  EXPECT_TRUE(call(&v1::Rooms::Stub::RemovePlayer, last, removed).ok()) << "it has an account";
  players.wait();
}

TEST_F(AProcessOfRooms, NamesTheRoomInWhichItsGameCrashed) {
  game = PERIGEE_FAULTY_GAME;
  setenv("PERIGEE_TEST_FAULT", "assert", 1);
  start();
  unsetenv("PERIGEE_TEST_FAULT");
  const v1::Room room = create();
  EXPECT_EQ(process->wait(), 128 + SIGABRT);
  EXPECT_THAT(process->output(),
              testing::ContainsRegex("in the game's function drive, tick [0-9]+, "
                                     "room " +
                                     std::to_string(room.room()) + "\n"));
}

TEST_F(AProcessOfRooms, PlaysOnForAWhileAfterSigterm) {
  start({"--rooms-end-s", "2"});
  const v1::Room room = create();
  process->signal(SIGTERM);
  ASSERT_TRUE(
      comes([&] { return http_get(base + 120, "/ready").find("503") != std::string::npos; }));
  EXPECT_EQ(create_status({}).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(process->wait(), 0);
  EXPECT_THAT(process->output(), HasSubstr("reason=stopping"));
  EXPECT_THAT(process->output(), HasSubstr(std::to_string(room.room())));
}

TEST_F(AProcessOfRooms, KeepsTheResultsOfItsRooms) {
  game = PERIGEE_SCORED_GAME;
  const std::string store = "sqlite:" + folder + "/rooms.sqlite";
  start({"--rooms-world-store", store, "--rooms-end-s", "0"});
  Child players(bots({"--rooms-of", "2", "--count", "4", "--seconds", "60"}));
  ASSERT_TRUE(comes([&] { return metric("perigee_rooms_players") == 4; })) << players.output();
  process->signal(SIGTERM);
  EXPECT_EQ(process->wait(), 0);
  EXPECT_THAT(process->output(), testing::Not(HasSubstr("they are lost")));
  Child results({PERIGEE_CTL_BINARY, "--tls-dir", "none", "results", "--store", store, "--json"});
  EXPECT_EQ(results.wait(), 0);
  std::set<std::string> rooms;
  int rows = 0;
  std::istringstream lines(results.output());
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("\"origin\":\"");
    if (at == std::string::npos) continue;
    ++rows;
    EXPECT_THAT(line, HasSubstr("\"bytes\":\"01\""));
    rooms.insert(line.substr(at + 10, line.find('"', at + 10) - at - 10));
  }
  EXPECT_EQ(rows, 4) << results.output();
  EXPECT_EQ(rooms.size(), 2U) << results.output();
}

TEST_F(AProcessOfRooms, RefusesTheStoreOfACluster) {
  const fs::path file = fs::path(folder) / "cluster.sqlite";
  ASSERT_TRUE(world_store::open_sqlite(file).value()->adopt(7).ok());
  Child refused({PERIGEE_ROOMS_BINARY, "--port-base", std::to_string(base), "--state-dir", folder,
                 "--rooms-world-store", "sqlite:" + file.string()});
  EXPECT_EQ(refused.wait(), 1);
  EXPECT_THAT(refused.output(), HasSubstr("is the store of a cluster"));
}

TEST_F(AProcessOfRooms, StopsAtOnceWithoutRooms) {
  start({"--rooms-end-s", "3600"});
  process->signal(SIGTERM);
  EXPECT_EQ(process->wait(), 0);
}

TEST_F(AProcessOfRooms, RefusesSettingsAndNetworksThatItCannotUse) {
  Child zero({PERIGEE_ROOMS_BINARY, "--rooms-max", "0"});
  EXPECT_EQ(zero.wait(), 2);
  EXPECT_THAT(zero.output(), HasSubstr("rooms.max"));
  Child open({PERIGEE_ROOMS_BINARY, "--port-base", std::to_string(base), "--state-dir", folder,
              "--listen", "0.0.0.0", "--rooms-public", "127.0.0.1:4"});
  EXPECT_EQ(open.wait(), 1);
  EXPECT_THAT(open.output(), HasSubstr("--insecure"));
}

}  // namespace
}  // namespace perigee::process_test
