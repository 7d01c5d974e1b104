// mTLS inside a cluster of real processes, with the certificates that `perigee certs` makes: the
// roles of each call and of links, refusals by reason, and the cost of rotation for players.
#include <google/protobuf/descriptor.h>
#include <grpcpp/generic/generic_stub.h>

#include <array>
#include <cstdio>

#include "directory.grpc.pb.h"
#include "gateway.grpc.pb.h"
#include "operator.hpp"
#include "perigee/host/cluster_tls.hpp"
#include "rooms.grpc.pb.h"
#include "session.grpc.pb.h"
#include "tls_attacker.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

/// The roles that may make a call: M member, G gateway, r operator who reads, p one of players, m
/// one of the map. Written here a second time, so that a handler that checks nothing is found.
const std::map<std::string, std::string> permitted = {
    {"perigee.directory.v1.Directory/RegisterWorker", "M"},
    {"perigee.directory.v1.Directory/RegisterGateway", "G"},
    {"perigee.directory.v1.Directory/Heartbeat", "G"},  // without a worker's slot
    {"perigee.directory.v1.Directory/SignOff", "G"},    // likewise
    {"perigee.directory.v1.Directory/WatchMap", "MGrpm"},
    {"perigee.directory.v1.Directory/GetTime", "MGrpm"},
    {"perigee.directory.v1.Directory/ListMap", "MGrpm"},
    {"perigee.directory.v1.DirectoryControl/SplitRegion", "m"},
    {"perigee.directory.v1.DirectoryControl/MergeRegion", "m"},
    {"perigee.directory.v1.DirectoryControl/MoveRegion", "m"},
    {"perigee.directory.v1.DirectoryControl/DrainWorker", "m"},
    {"perigee.directory.v1.DirectoryControl/UndrainWorker", "m"},
    {"perigee.directory.v1.DirectoryControl/KillWorker", "m"},
    {"perigee.directory.v1.DirectoryControl/ResolveIncarnation", "m"},
    {"perigee.directory.v1.DirectoryControl/SetBalance", "m"},
    {"perigee.directory.v1.DirectoryControl/SetRate", "m"},
    {"perigee.directory.v1.DirectoryControl/ChangeFabricKeys", "m"},
    {"perigee.gateway.v1.Gateway/WatchPlayers", "rpm"},
    {"perigee.session.v1.SessionControl/ClaimToken", "G"},
    {"perigee.session.v1.SessionControl/IssueResumeToken", "G"},
    {"perigee.session.v1.SessionControl/ReleaseSession", "G"},
    {"perigee.session.v1.SessionControl/WatchOrders", "G"},
    {"perigee.session.v1.SessionControl/ReportTechniques", "G"},
    {"perigee.session.v1.SessionControl/ListSessions", "rpm"},
    {"perigee.session.v1.SessionControl/EndSession", "p"},
    {"perigee.session.v1.SessionControl/KickSession", "p"},
    {"perigee.session.v1.SessionControl/BanPlayer", "p"},
    {"perigee.session.v1.SessionControl/UnbanPlayer", "p"},
    {"perigee.session.v1.SessionControl/ListBans", "rpm"},
    {"perigee.session.v1.SessionControl/OrderTechniques", "rpm"},  // without settings: shows them
    {"perigee.sim.v1.Sim/Status", "MGrpm"},
    {"perigee.sim.v1.Sim/Observe", "rpm"},
    {"perigee.sim.v1.Sim/ArmRecorder", "p"},
    {"perigee.sim.v1.Sim/ListRecordings", "rpm"},
    {"perigee.sim.v1.Sim/FetchRecording", "p"},
    {"perigee.rooms.v1.Rooms/CreateRoom", "m"},
    {"perigee.rooms.v1.Rooms/EndRoom", "m"},
    {"perigee.rooms.v1.Rooms/ListRooms", "rpm"},
    {"perigee.rooms.v1.Rooms/Invite", "p"},
    {"perigee.rooms.v1.Rooms/RemovePlayer", "p"},
};

class ATrustedCluster : public AnOperator {
 protected:
  ATrustedCluster() {
    certs({"make"});
    certs({"add", "reader", "operator", "read"});
    certs({"add", "moderator", "operator", "players"});
    certs({"add", "mapper", "operator", "map"});
  }
  fs::path set_of(const std::string& name) const { return folder / "certs" / name; }
  void certs(std::vector<std::string> words) const {
    std::vector<std::string> all{PERIGEE_ROOT "/perigee", "certs"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--into", (folder / "certs").string()});
    Child child(all);
    ASSERT_EQ(child.wait(), 0) << child.output();
  }
  std::unique_ptr<host::ClusterTls> open(const std::string& name) const {
    auto opened = host::ClusterTls::open(set_of(name));
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return std::move(*opened);
  }
  std::string audit(const std::string& process) const {
    std::ifstream file(folder / "audit" / (process + ".jsonl"));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string says_as(const std::string& name, std::vector<std::string> words, int exit_code) {
    std::vector<std::string> all{"--tls-dir", set_of(name).string()};
    all.insert(all.end(), words.begin(), words.end());
    return says(all, exit_code);
  }
  double closed(unsigned admin, const std::string& reason) const {
    return series(admin, "perigee_grpc_connections_closed_total{reason=\"" + reason + "\"}");
  }
  void knock(unsigned offset, const std::string& options, const std::string& alpn = "h2") const {
    knock_over_tls("127.0.0.1:" + std::to_string(base + offset), options, alpn);
  }
  double refused_links(const std::string& reason) const {
    return series(110, "perigee_sim_link_refusals_total{reason=\"" + reason + "\"}");
  }
  bool linked() const {
    return answers(110, "/metrics", "perigee_sim_links{state=\"up\"} 1\n") &&
           answers(111, "/metrics", "perigee_sim_links{state=\"up\"} 1\n");
  }
  double links_made() const { return series(110, "perigee_sim_links_made_total"); }
  /// A busy machine may also make a link silent.
  void expect_no_link_lost_by_certificates() const {
    for (const unsigned worker : {110U, 111U}) {
      for (const char* reason : {"broken", "revoked"}) {
        const std::string name =
            std::string("perigee_sim_links_lost_total{reason=\"") + reason + "\"}";
        EXPECT_EQ(series(worker, name), 0) << reason;
      }
    }
  }
};

/// The status of a call with an empty request. OK: a stream has sent a message, too.
grpc::StatusCode code_of(grpc::GenericStub& stub, const std::string& method) {
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  context.set_deadline(std::chrono::system_clock::now() + patience);
  const auto call = stub.PrepareCall(&context, "/" + method, &queue);
  void* tag = nullptr;
  bool good = false;
  const auto next = [&] { queue.Next(&tag, &good); };
  call->StartCall(nullptr);
  next();
  const grpc::Slice nothing;
  call->WriteLast(grpc::ByteBuffer(&nothing, 1), grpc::WriteOptions(), nullptr);
  next();
  // A stream that is permitted goes on, so one message is enough of an answer.
  grpc::ByteBuffer answer;
  call->Read(&answer, nullptr);
  next();
  const bool answered = good;
  if (answered) context.TryCancel();
  grpc::Status status;
  call->Finish(&status, nullptr);
  next();
  return answered ? grpc::StatusCode::OK : status.error_code();
}

TEST_F(ATrustedCluster, AnswersEachCallForItsRolesAlone) {
  start_all();
  start(PERIGEE_ROOMS_BINARY);
  ASSERT_TRUE(answers(120, "/ready", "200 OK")) << outputs();
  const std::map<char, std::string> sets{
      {'M', "sim"}, {'G', "gateway"}, {'r', "reader"}, {'p', "moderator"}, {'m', "mapper"}};
  const std::map<std::string, unsigned> ports{{"Directory", 11},      {"DirectoryControl", 11},
                                              {"SessionControl", 12}, {"Sim", 20},
                                              {"Gateway", 50},        {"Rooms", 81}};
  const std::array files{directory::v1::ListMapRequest::descriptor()->file(),
                         session::v1::LogInRequest::descriptor()->file(),
                         sim::v1::StatusRequest::descriptor()->file(),
                         gateway::v1::WatchPlayersRequest::descriptor()->file(),
                         rooms::v1::CreateRoomRequest::descriptor()->file()};
  std::size_t calls = 0;
  for (const auto& [role, name] : sets) {
    const auto tls = open(name);
    for (const auto* file : files) {
      for (int s = 0; s < file->service_count(); ++s) {
        const auto& service = *file->service(s);
        if (service.name() == "Session") continue;  // the players' own
        const unsigned offset = ports.at(service.name());
        grpc::GenericStub stub(host::open_channel(
            "127.0.0.1:" + std::to_string(base + offset),
            {.tls = tls.get(),
             .server = offset == 50 ? host::PeerRole::Gateway : host::PeerRole::Member}));
        for (int m = 0; m < service.method_count(); ++m) {
          const std::string method = service.full_name() + "/" + service.method(m)->name();
          const auto wanted = permitted.find(method);
          ASSERT_NE(wanted, permitted.end()) << "who may call " << method << "?";
          const bool may = wanted->second.find(role) != std::string::npos;
          const auto code = code_of(stub, method);
          EXPECT_EQ(code != grpc::StatusCode::PERMISSION_DENIED, may)
              << name << " calls " << method << ": " << static_cast<int>(code);
          for (const auto none : {grpc::StatusCode::INTERNAL, grpc::StatusCode::UNIMPLEMENTED,
                                  grpc::StatusCode::DEADLINE_EXCEEDED}) {
            EXPECT_NE(code, none) << method << " was not asked";
          }
          ++calls;
        }
      }
    }
  }
  EXPECT_EQ(calls, permitted.size() * sets.size());
}

TEST_F(ATrustedCluster, RefusesStrangersByReason) {
  start_all();
  certs({"add", "former", "operator", "all"});
  const auto key_epoch = [&] { return series(102, "perigee_directory_fabric_key_epoch"); };
  const double before = key_epoch();
  certs({"revoke", "former"});
  ASSERT_TRUE(comes([&] {
    knock(11, shown_set(set_of("former")));
    return closed(102, "certificate_revoked") > 0;
  }));
  EXPECT_TRUE(comes([&] { return key_epoch() > before; })) << "its owner may have the key";
  says({"--tls-dir", "none", "workers"}, 1);
  ASSERT_TRUE(comes([&] { return closed(102, "not_tls") > 0; }));
  knock(11, "");
  EXPECT_TRUE(comes([&] { return closed(102, "no_certificate") > 0; }));
  // The same names, signed by somebody else.
  Child theirs({PERIGEE_ROOT "/perigee", "certs", "--into", (folder / "theirs").string()});
  ASSERT_EQ(theirs.wait(), 0) << theirs.output();
  knock(11, shown_set(folder / "theirs/operator"));
  EXPECT_TRUE(comes([&] { return closed(102, "unknown_ca") > 0; }));
  EXPECT_THAT(says({"--tls-dir", (folder / "theirs/operator").string(), "workers"}, 1),
              HasSubstr("certificate verify failed"));
  // Right CA, wrong server: somebody with a gateway's certificate answers at the directory's port.
  Child misled({PERIGEE_CTL_BINARY, "--tls-dir", set_of("operator").string(), "--directory",
                "127.0.0.1:" + std::to_string(base + 50), "workers"});
  EXPECT_EQ(misled.wait(), 1);
  EXPECT_THAT(misled.output(), HasSubstr("is that of gateway gateway"));
  EXPECT_THAT(says({"--tls-dir", set_of("former").string(), "workers"}, 1),
              HasSubstr("is revoked"));
}

TEST_F(ATrustedCluster, LinksItsWorkersAloneAndRefusesOthersByReason) {
  start_all();
  ASSERT_TRUE(linked());
  const auto refuses = [&](const std::string& reason, const std::string& options,
                           const std::string& alpn = "perigee-links") {
    const double before = refused_links(reason);
    knock(40, options, alpn);
    return comes([&] { return refused_links(reason) > before; });
  };
  EXPECT_TRUE(refuses("no_certificate", ""));
  EXPECT_TRUE(refuses("certificate_wrong_role", shown_set(set_of("gateway"))));
  EXPECT_TRUE(refuses("certificate_wrong_role", shown_set(set_of("operator"))));
  EXPECT_TRUE(refuses("tls_handshake", shown_set(set_of("sim")), "h2"));
  EXPECT_TRUE(refuses("tls_handshake", shown_set(set_of("sim")) + " -tls1_2"));
  EXPECT_TRUE(refuses("garbage", shown_set(set_of("session")))) << "a member that says no hello";
  const IdleConnection plain(base + 40, "peripee");
  EXPECT_TRUE(comes([&] { return refused_links("not_tls") > 0; }));
  const IdleConnection silent(base + 40, "");
  EXPECT_TRUE(comes([&] { return refused_links("slow") > 0; }));
  Child theirs({PERIGEE_ROOT "/perigee", "certs", "--into", (folder / "theirs").string()});
  ASSERT_EQ(theirs.wait(), 0) << theirs.output();
  EXPECT_TRUE(refuses("unknown_ca", "-cert " + (folder / "theirs/sim/tls.crt").string() + " -key " +
                                        (folder / "theirs/sim/tls.key").string()));
  certs({"add", "former", "member"});
  certs({"revoke", "former"});
  // The list has to be read first.
  EXPECT_TRUE(comes([&] {
    knock(40, shown_set(set_of("former")), "perigee-links");
    return refused_links("certificate_revoked") > 0;
  }));
  EXPECT_TRUE(linked()) << "the one that stands is not touched";
  expect_no_link_lost_by_certificates();
}

TEST_F(ATrustedCluster, LetsOperatorsDoWhatTheirScopesSayAndWritesItDown) {
  start_all();
  EXPECT_THAT(says_as("reader", {"workers"}, 0), HasSubstr("sim-1"));
  EXPECT_THAT(says_as("reader", {"top", "--count", "2", "--every", "0.2"}, 0),
              testing::AllOf(HasSubstr("2 of 2 workers"), HasSubstr("sim-1"),
                             HasSubstr("gateway-0"), HasSubstr("world time 100 %")));
  EXPECT_THAT(says_as("reader", {"drain", "sim-1"}, 1),
              HasSubstr("operator reader, scope read; this is for an operator with the scope map"));
  EXPECT_THAT(says_as("moderator", {"drain", "sim-1"}, 1), HasSubstr("scope map"));
  EXPECT_THAT(says_as("mapper", {"balance", "on"}, 0), HasSubstr(""));
  EXPECT_THAT(says_as("mapper", {"kick", "Ada"}, 1), HasSubstr("scope players"));
  EXPECT_THAT(says_as("moderator", {"kick", "Ada"}, 1), HasSubstr("no player of that name"));
  EXPECT_THAT(audit("directory"), HasSubstr(R"("act":"DrainWorker","request":{"worker":"sim-1"},)"
                                            R"("result":"PERMISSION_DENIED")"));
  EXPECT_THAT(audit("directory"), HasSubstr(R"("who":"operator mapper, scope map (127.0.0.1:)"));
  EXPECT_THAT(audit("directory"), HasSubstr(R"("act":"SetBalance","request":{"on":true},)"
                                            R"("result":"OK")"));
  EXPECT_THAT(audit("session"), HasSubstr(R"("who":"operator mapper, scope map (127.0.0.1:)"));
  EXPECT_THAT(audit("session"), HasSubstr(R"("result":"NOT_FOUND")"));
  const auto mode = fs::status(folder / "audit/session.jsonl").permissions();
  EXPECT_EQ(mode & fs::perms::mask, fs::perms::owner_read | fs::perms::owner_write);
}

// A gateway that somebody has taken over could fill the disk of the session store otherwise.
TEST_F(ATrustedCluster, WritesFewOfTheRefusalsThatACallerRepeats) {
  start_directory();
  start(PERIGEE_SESSION_BINARY);
  const auto gateway = open("gateway");
  grpc::GenericStub stub(
      host::open_channel("127.0.0.1:" + std::to_string(base + 12), {.tls = gateway.get()}));
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(code_of(stub, "perigee.session.v1.SessionControl/KickSession"),
              grpc::StatusCode::PERMISSION_DENIED);
  }
  const std::string written = audit("session");
  EXPECT_THAT(written, HasSubstr(R"("who":"gateway )"));
  const auto lines = std::count(written.begin(), written.end(), '\n');
  EXPECT_LT(lines, 50);
  EXPECT_TRUE(comes([&] {
    return series(101, "perigee_audit_left_out_total") == static_cast<double>(200 - lines);
  }));
}

TEST_F(ATrustedCluster, ChangesAllCertificatesWhilePlayersPlay) {
  start_all();
  Child players(bots({"--count", "20", "--seconds", "600", "--profile", "P1", "--json"}));
  ASSERT_TRUE(players.says("playing 20")) << players.output();
  ASSERT_TRUE(linked());
  const auto all_reloaded = [&](double than_s) {
    for (const unsigned admin : {102U, 100U, 110U, 111U, 101U}) {
      if (series(admin, "perigee_certificate_expires_unix_seconds") <= than_s) return false;
    }
    return true;
  };
  const double first_s = series(102, "perigee_certificate_expires_unix_seconds");
  certs({"renew", "--days", "400"});
  ASSERT_TRUE(comes([&] { return all_reloaded(first_s); }));
  const double renewed_s = series(102, "perigee_certificate_expires_unix_seconds");
  certs({"new-ca", "--days", "500"});
  ASSERT_TRUE(comes([&] { return all_reloaded(renewed_s); }));
  // Calls over new connections, with certificates of the new CA.
  EXPECT_THAT(says({"--tls-dir", set_of("operator").string(), "workers"}, 0), HasSubstr("sim-1"));
  Child newcomer(bots({"--count", "2", "--seconds", "2", "--json"}));
  EXPECT_EQ(newcomer.wait(), 0) << newcomer.output();
  EXPECT_TRUE(linked());
  expect_no_link_lost_by_certificates();
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0);
  EXPECT_EQ(figure_of(players.output(), "resumes"), 0);
  std::printf("longest gap %.0f ms\n", figure_of(players.output(), "longest_gap_ms"));
  // New links are made with certificates of the new CA.
  const double made = links_made();
  Child& sim = *std::next(processes.begin(), 3);
  sim.signal(SIGSTOP);
  const bool lost = comes([&] { return series(110, "perigee_sim_links{state=\"up\"}") == 0; });
  sim.signal(SIGCONT);
  EXPECT_TRUE(lost);
  EXPECT_TRUE(comes([&] { return links_made() > made; }));
  EXPECT_TRUE(linked());
}

}  // namespace
}  // namespace perigee::process_test
