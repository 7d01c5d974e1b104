// Mutual TLS between a real gRPC server and its clients: the callers that it admits, and the
// reasons for which it refuses others.
#include "perigee/host/cluster_tls.hpp"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "directory.grpc.pb.h"
#include "made_authority.hpp"
#include "perigee/host/audit_log.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/grpc_server.hpp"
#include "perigee/host/output.hpp"
#include "tcp_client.hpp"
#include "temporary_folder.hpp"
#include "tls_attacker.hpp"

namespace perigee::host {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

/// Answers members alone, and lets operators act on the map.
class Guarded final : public directory::v1::Directory::Service {
 public:
  explicit Guarded(AuditLog& audit) : audit_(audit) {}
  grpc::Status GetTime(grpc::ServerContext* context, const directory::v1::GetTimeRequest*,
                       directory::v1::GetTimeReply* reply) override {
    if (auto may = may_call(context->peer(), rights::members); !may.ok()) return may;
    reply->set_wall_us(7);
    return grpc::Status::OK;
  }
  grpc::Status SignOff(grpc::ServerContext* context, const directory::v1::SignOffRequest* request,
                       directory::v1::SignOffReply*) override {
    return audit_.run(context->peer(), rights::operators_map, "SignOff", *request,
                      [] { return grpc::Status::OK; });
  }

 private:
  AuditLog& audit_;
};

class MutualTls : public testing::Test {
 protected:
  void serve(const MadeAuthority::Wanted& wanted = {}) {
    serial = authority.write(folder.path() / "server", wanted);
    auto opened = ClusterTls::open(folder.path() / "server");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    server_tls = std::move(*opened);
    listen = free_port();
    const std::array<grpc::Service*, 1> services{&service};
    auto started = GrpcServer::start({.listen = listen, .tls = &server_tls->server()}, services);
    ASSERT_TRUE(started.ok()) << started.error().message;
    server = std::move(*started);
  }
  std::unique_ptr<ClusterTls> open_set(const std::string& name, const MadeAuthority::Wanted& wanted,
                                       MadeAuthority* by = nullptr) {
    (by == nullptr ? authority : *by).write(folder.path() / name, wanted);
    std::ofstream(folder.path() / name / "ca.crt") << authority.certificate;
    auto opened = ClusterTls::open(folder.path() / name);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }
  static grpc::Status ask(const std::shared_ptr<grpc::Channel>& channel) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + 10s);
    directory::v1::GetTimeReply reply;
    return directory::v1::Directory::NewStub(channel)->GetTime(&context, {}, &reply);
  }
  grpc::Status ask(const ClusterTls* tls, PeerRole role = PeerRole::Member) const {
    return ask(open_channel(to_string(listen), {.tls = tls, .server = role}));
  }
  grpc::Status act(const ClusterTls* tls) const {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + 10s);
    directory::v1::SignOffReply reply;
    directory::v1::SignOffRequest request;
    request.set_name("sim-1");
    const auto channel = open_channel(to_string(listen), {.tls = tls});
    return directory::v1::Directory::NewStub(channel)->SignOff(&context, request, &reply);
  }
  /// Connections that were closed for this reason, once there are so many: a client may see the
  /// end of its connection before the server counts it.
  std::uint64_t closed(GrpcBreach why, std::uint64_t count = 1) const {
    for (int i = 0; i < 500 && server->breaches()[why] < count; ++i) {
      std::this_thread::sleep_for(10ms);
    }
    return server->breaches()[why];
  }
  /// A client that trusts every server and shows `certificate`, as an attacker's would.
  std::uint64_t knock(const std::string& name, const MadeAuthority::Wanted& wanted,
                      MadeAuthority& by, GrpcBreach expected) {
    by.write(folder.path() / name, wanted);
    knock_with(shown_set(folder.path() / name));
    return closed(expected);
  }
  void knock_with(const std::string& options) const { knock_over_tls(to_string(listen), options); }
  std::string audited() const {
    std::ifstream file(folder.path() / "audit.jsonl");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryFolder folder;
  MadeAuthority authority{"ours"};
  MadeAuthority others{"theirs"};
  AuditLog audit{folder.path() / "audit.jsonl"};
  Guarded service{audit};
  std::unique_ptr<ClusterTls> server_tls;
  long serial = 0;
  Address listen;
  std::unique_ptr<GrpcServer> server;
};

TEST_F(MutualTls, LetsMembersInAndTellsOthersWhatIsMissing) {
  serve();
  const auto member = open_set("member", {});
  EXPECT_TRUE(ask(member.get()).ok()) << ask(member.get()).error_message();
  const auto gateway = open_set("gateway", {.name = "gw", .names = "URI:perigee:role:gateway"});
  const grpc::Status refused = ask(gateway.get());
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(refused.error_message(),
            "your certificate is that of gateway gw; this is for a member");
}

TEST_F(MutualTls, WritesDownWhatOperatorsDoAndTry) {
  serve();
  const auto map =
      open_set("map", {.name = "bob", .names = "URI:perigee:role:operator,URI:perigee:scope:map"});
  const auto read = open_set(
      "read", {.name = "eve", .names = "URI:perigee:role:operator,URI:perigee:scope:read"});
  EXPECT_TRUE(act(map.get()).ok());
  EXPECT_EQ(act(read.get()).error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(audited(), HasSubstr(R"("who":"operator bob, scope map (127.0.0.1:)"));
  EXPECT_THAT(audited(), HasSubstr(R"("act":"SignOff","request":{"name":"sim-1"},"result":"OK"})"));
  EXPECT_THAT(audited(), HasSubstr(R"("who":"operator eve, scope read (127.0.0.1:)"));
  EXPECT_THAT(audited(), HasSubstr(R"("result":"PERMISSION_DENIED","message":"your certificate)"));
}

TEST_F(MutualTls, CountsEachReasonForWhichItCloses) {
  serve();
  EXPECT_FALSE(ask(nullptr).ok());
  EXPECT_GE(closed(GrpcBreach::NotTls), 1U);
  knock_with("");
  EXPECT_GE(closed(GrpcBreach::NoCertificate), 1U);
  EXPECT_GE(knock("stranger", {}, others, GrpcBreach::UnknownCa), 1U);
  EXPECT_GE(knock("old", {.days = -1}, authority, GrpcBreach::OutOfDate), 1U);
  EXPECT_GE(knock("early", {.begins_days = 1}, authority, GrpcBreach::OutOfDate), 2U);
  EXPECT_GE(knock("nobody", {.names = "DNS:localhost"}, authority, GrpcBreach::NoRole), 1U);
  knock_with("-tls1_2");
  EXPECT_GE(closed(GrpcBreach::TlsHandshake), 1U);
  EXPECT_EQ(server->breaches()[GrpcBreach::Preface], 0U);
}

TEST_F(MutualTls, RefusesRevokedCertificatesAlsoOfConnectionsThatExist) {
  serve();
  const auto member = open_set("member", {});
  const auto other = open_set("other", {.name = "two"});
  const auto channel = open_channel(to_string(listen), {.tls = member.get()});
  ASSERT_TRUE(ask(channel).ok());
  authority.revoke(serial + 1);
  std::ofstream(folder.path() / "server" / "ca.crl") << authority.list();
  server_tls->follow();
  EXPECT_GE(closed(GrpcBreach::Revoked), 1U);
  EXPECT_EQ(ask(channel).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(ask(other.get()).ok());
}

TEST_F(MutualTls, CallsTheRightServersAlone) {
  serve({.name = "gw", .names = "URI:perigee:role:gateway"});
  const auto op = open_set("op", {.names = "URI:perigee:role:operator,URI:perigee:scope:read"});
  EXPECT_EQ(ask(op.get(), PeerRole::Gateway).error_code(), grpc::StatusCode::PERMISSION_DENIED);
  const grpc::Status wrong = ask(op.get(), PeerRole::Member);
  EXPECT_EQ(wrong.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(wrong.error_message(), HasSubstr("is that of gateway gw"));
  // The server's certificate is revoked now.
  authority.revoke(serial);
  std::ofstream(folder.path() / "op" / "ca.crl") << authority.list();
  op->follow();
  EXPECT_THAT(ask(op.get(), PeerRole::Gateway).error_message(), HasSubstr("is revoked"));
}

TEST_F(MutualTls, FollowsRenewedFiles) {
  serve();
  const auto member = open_set("member", {});
  // Both ends move to another CA while they talk: first they trust both, then they show the new.
  const auto trust_both = [&](const char* name) {
    std::ofstream(folder.path() / name / "ca.crt") << authority.certificate << others.certificate;
  };
  trust_both("server");
  trust_both("member");
  server_tls->follow();
  member->follow();
  others.write(folder.path() / "server", {.name = "renewed", .days = 60});
  trust_both("server");
  const std::int64_t before_s = server_tls->expires_unix_s();
  server_tls->follow();
  EXPECT_GT(server_tls->expires_unix_s(), before_s + 20 * 86'400);
  EXPECT_EQ(server_tls->identity().name, "renewed");
  grpc::Status status;
  for (int i = 0; i < 100; ++i) {  // gRPC looks at the files once a second
    status = ask(member.get());
    if (status.ok()) break;
    std::this_thread::sleep_for(100ms);
  }
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST_F(MutualTls, KeepsWhatItHasIfTheNewFilesAreBroken) {
  serve();
  const auto member = open_set("member", {});
  const auto broken = [&](const char* file, const std::string& text) {
    std::ofstream(folder.path() / "server" / file) << text;
    const auto again = server_tls->reload();
    EXPECT_FALSE(again.ok()) << file;
    return again ? std::string() : again.error().message;
  };
  EXPECT_THAT(broken("ca.crt", "no certificate"), HasSubstr("has no certificate in PEM"));
  std::ofstream(folder.path() / "server" / "ca.crt") << authority.certificate;
  EXPECT_THAT(broken("ca.crl", "nothing"), HasSubstr("no revocation list"));
  EXPECT_THAT(broken("ca.crl", ""), HasSubstr("has no revocation list"));
  EXPECT_THAT(broken("ca.crl", others.list()), HasSubstr("is not signed by a CA"));
  std::filesystem::remove(folder.path() / "server" / "ca.crl");
  EXPECT_THAT(broken("tls.crt", "garbage"), HasSubstr("is not PEM with a certificate"));
  EXPECT_TRUE(ask(member.get()).ok());
}

TEST_F(MutualTls, ReadsAKeyAsSoonAsItsModeIsRight) {
  serve();
  namespace fs = std::filesystem;
  const fs::path key = folder.path() / "server" / "tls.key";
  authority.write(folder.path() / "server", {.name = "renewed"});
  fs::permissions(key, fs::perms::group_read, fs::perm_options::add);
  server_tls->follow();
  EXPECT_EQ(server_tls->identity().name, "one");
  fs::permissions(key, fs::perms::group_read, fs::perm_options::remove);
  server_tls->follow();
  EXPECT_EQ(server_tls->identity().name, "renewed");
}

TEST_F(MutualTls, NoticesAFileOfTheSameSizeAndTime) {
  serve();
  const auto file = folder.path() / "server" / "ca.crl";
  const auto write = [&] {
    std::string text = authority.list();
    text.resize(2'000, '\n');
    std::ofstream(file) << text;
  };
  write();
  server_tls->follow();
  const auto when = std::filesystem::last_write_time(file);
  const std::uint64_t generation = server_tls->server().generation();
  authority.revoke(1'000);
  write();
  std::filesystem::last_write_time(file, when);
  server_tls->follow();
  EXPECT_EQ(server_tls->server().generation(), generation + 1);
}

TEST_F(MutualTls, TriesAgainAfterAFailureAndNamesItOnce) {
  serve();
  authority.write(folder.path() / "server", {.name = "renewed"});
  rlimit descriptors{};
  getrlimit(RLIMIT_NOFILE, &descriptors);
  const rlimit none{0, descriptors.rlim_max};
  testing::internal::CaptureStderr();
  setrlimit(RLIMIT_NOFILE, &none);
  for (int i = 0; i < 3; ++i) server_tls->follow();
  setrlimit(RLIMIT_NOFILE, &descriptors);
  EXPECT_EQ(server_tls->identity().name, "one");
  server_tls->follow();
  flush_output(10'000'000);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(server_tls->identity().name, "renewed");
  const auto failed = log.find("keeping the old certificates");
  ASSERT_NE(failed, std::string::npos) << log;
  EXPECT_EQ(log.find("keeping the old certificates", failed + 1), std::string::npos) << log;
}

TEST_F(MutualTls, KeepsBothOfItsEndsAsTheyWereIfOneCannotUseTheFiles) {
  serve();
  const std::int64_t before_s = server_tls->expires_unix_s();
  const std::uint64_t generation = server_tls->server().generation();
  authority.write(folder.path() / "server", {.names = "DNS:localhost", .days = 60});
  EXPECT_THAT(server_tls->reload().error().message, HasSubstr("has no role"));
  EXPECT_EQ(server_tls->expires_unix_s(), before_s);
  EXPECT_EQ(server_tls->server().generation(), generation);
}

/// Writes a folder with a certificate that an intermediate authority has signed.
void write_chain(const std::filesystem::path& folder, MadeAuthority& between,
                 const MadeAuthority& root) {
  between.write(folder, {});
  std::ofstream(folder / "tls.crt", std::ios::app) << between.certificate;
  std::ofstream(folder / "ca.crt") << root.certificate;
}

TEST_F(MutualTls, RefusesACertificateWhoseAuthorityIsRevoked) {
  serve();
  MadeAuthority between("between", authority);
  write_chain(folder.path() / "below", between, authority);
  const auto below = ClusterTls::open(folder.path() / "below").value();
  const auto channel = open_channel(to_string(listen), {.tls = below.get()});
  ASSERT_TRUE(ask(channel).ok());
  authority.revoke(between.own_serial);
  std::ofstream(folder.path() / "server" / "ca.crl") << authority.list();
  server_tls->follow();
  EXPECT_GE(closed(GrpcBreach::Revoked), 1U) << "also while it is connected";
  EXPECT_FALSE(ask(below.get()).ok());
  EXPECT_GE(closed(GrpcBreach::Revoked, 2), 2U);
}

TEST_F(MutualTls, CallsNoServerWhoseAuthorityIsRevoked) {
  MadeAuthority between("between", authority);
  write_chain(folder.path() / "server", between, authority);
  server_tls = ClusterTls::open(folder.path() / "server").value();
  listen = free_port();
  const std::array<grpc::Service*, 1> services{&service};
  server = GrpcServer::start({.listen = listen, .tls = &server_tls->server()}, services).value();
  const auto member = open_set("member", {});
  ASSERT_TRUE(ask(member.get()).ok());
  authority.revoke(between.own_serial);
  std::ofstream(folder.path() / "member" / "ca.crl") << authority.list();
  member->follow();
  EXPECT_THAT(ask(member.get()).error_message(), HasSubstr("is of a CA that is revoked"));
}

TEST_F(MutualTls, NamesTheFileThatIsWrongAtTheStart) {
  const auto why = [&](const std::string& name) {
    const auto opened = ClusterTls::open(folder.path() / name);
    return opened ? std::string() : opened.error().message;
  };
  EXPECT_THAT(why("missing"), HasSubstr("does not exist; perigee certs makes"));
  authority.write(folder.path() / "old", {.days = -1});
  EXPECT_THAT(why("old"), HasSubstr("has expired"));
  authority.write(folder.path() / "none", {.names = "DNS:localhost"});
  EXPECT_THAT(why("none"), HasSubstr("has no role"));
  const long serial_of_bad = authority.write(folder.path() / "bad", {});
  authority.revoke(serial_of_bad);
  std::ofstream(folder.path() / "bad" / "ca.crl") << authority.list();
  EXPECT_THAT(why("bad"), HasSubstr("is revoked"));
  authority.write(folder.path() / "open", {});
  std::filesystem::permissions(folder.path() / "open" / "tls.key",
                               std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  EXPECT_THAT(why("open"), HasSubstr("tls.key"));
}

TEST(CertificateFolder, IsThatOfTheProcessUnlessOneIsGiven) {
  const TemporaryFolder folder;
  EXPECT_EQ(certificate_folder("", folder.path(), "sim"), "");
  std::filesystem::create_directories(folder.path() / "certs/sim");
  EXPECT_EQ(certificate_folder("", folder.path(), "sim"), folder.path() / "certs/sim");
  EXPECT_EQ(certificate_folder("none", folder.path(), "sim"), "");
  EXPECT_EQ(certificate_folder("/etc/tls", folder.path(), "sim"), "/etc/tls");
}

}  // namespace
}  // namespace perigee::host
