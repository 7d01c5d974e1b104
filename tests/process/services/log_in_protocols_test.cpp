// Every refusal of a log-in over gRPC and over HTTP, from one session service in this process.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "http_log_in.hpp"
#include "http_port.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/grpc_server.hpp"
#include "perigee/session/sqlite_store.hpp"
#include "perigee/transport/player_token.hpp"
#include "process/child.hpp"
#include "process/patient_call.hpp"
#include "process_metrics.hpp"
#include "service.hpp"

namespace perigee::session {
namespace {

using process_test::HttpReply;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t schema = 77;
constexpr const char* secret = "a secret";

ClusterMap map_of_one() {
  ClusterMap map;
  map.schema_hash = schema;
  map.workers.push_back(
      {.slot = WorkerSlot{0}, .fabric = Address::v4(127, 0, 0, 1, 40'040), .alive = true});
  map.gateways.push_back({.slot = GatewaySlot{0},
                          .fabric = Address::v4(127, 0, 0, 1, 40'030),
                          .public_udp = Address::v4(203, 0, 113, 1, 40'000),
                          .alive = true});
  map.regions.push_back({.region = RegionId{0}, .epoch = Epoch{1}, .owner = WorkerSlot{0}});
  return map;
}

v1::LogInRequest request_of_ada() {
  v1::LogInRequest request;
  request.set_player_name("Ada");
  request.set_credential(secret);
  request.set_wire_version(wire_version);
  request.set_schema_hash(schema);
  return request;
}

/// The conditions of one refusal.
struct Case {
  ClusterMap map = map_of_one();
  CoreSettings settings;
  v1::LogInRequest request = request_of_ada();
  bool after_a_log_in = false;
  bool store_is_full = false;
  bool accounts_are_away = false;
  bool ada_is_banned = false;
};

/// An authenticator without a connection to its accounts.
class NobodyThere : public Authenticator {
 public:
  std::variant<Identity, Denied> authenticate(const Moment&, const Credentials&) const override {
    return Denied{.reason = Denial::Away, .sentence = "the accounts are away"};
  }
};

Case case_of(Refusal refusal) {
  const LogInRate one_an_hour{.per_minute = 1, .burst = 1};
  Case made;
  switch (refusal) {
    case Refusal::WireVersion:
      made.request.set_wire_version(wire_version + 1);
      break;
    case Refusal::NoWorld:
      made.map.workers[0].alive = false;
      break;
    case Refusal::Schema:
      made.request.set_schema_hash(~schema);
      break;
    case Refusal::BadName:
      made.request.set_player_name("A\"da\u202e\n");
      break;
    case Refusal::WrongCredential:
      made.request.set_credential("wrong");
      break;
    case Refusal::AccountsAway:
      made.accounts_are_away = true;
      break;
    case Refusal::Banned:
      made.ada_is_banned = true;
      break;
    case Refusal::UnknownRegion:
      made.request.set_wanted_region(4'000'000'000);
      break;
    case Refusal::NoRegion:
      made.map.regions[0].owner.reset();
      break;
    case Refusal::NoGateway:
      made.map.gateways[0].alive = false;
      break;
    case Refusal::AddressOverRate:
      made.settings.rates.address = one_an_hour;
      made.after_a_log_in = true;
      break;
    case Refusal::NameOverRate:
      made.settings.rates.name = one_an_hour;
      made.after_a_log_in = true;
      break;
    case Refusal::AllOverRate:
      made.settings.rates.all = one_an_hour;
      made.after_a_log_in = true;
      break;
    case Refusal::StoreFailed:
      made.store_is_full = true;
      break;
    case Refusal::NoSession:
      break;  // of resume tokens only
  }
  return made;
}

/// The service with both ports for players.
class Service {
 public:
  explicit Service(const Case& of) {
    EXPECT_TRUE(transport::init_crypto().ok());
    if (of.store_is_full) fill_store();
    if (of.ada_is_banned) {
      EXPECT_TRUE(store_->ban({{0, "Ada"}, 1, 0, "insults"}).ok());
    }
    const Authenticator& authenticator =
        of.accounts_are_away ? static_cast<const Authenticator&>(nobody_) : authenticator_;
    sessions_.emplace(Core(of.settings, transport::Key{}, authenticator, *store_,
                           transport::system_random_bytes()),
                      *store_);
    sessions_->set_map(of.map);
    players_.emplace(*sessions_, 1);
    const std::array<grpc::Service*, 1> services{&*players_};
    grpc_ = host::GrpcServer::start({at(10), false, PlayerService::limits}, services).value();
    http_ = HttpPort::open({.listen = at(13)}, *sessions_).value();
  }
  grpc::Status log_in_by_grpc(const v1::LogInRequest& request, v1::LogInReply* reply) const {
    const auto stub = v1::Session::NewStub(host::open_channel(to_string(at(10))));
    process_test::PatientCall context;
    return stub->LogIn(&context, request, reply);
  }
  HttpReply log_in_by_http(const v1::LogInRequest& request) const {
    return process_test::http_log_in(base_ + 13, request);
  }
  SessionServer::Stats stats() { return sessions_->stats(); }
  HttpPort::Stats http_stats() const { return http_->stats(); }

 private:
  void fill_store() {
    store_->set_pages_max(1);  // no more than there are
    Session session{.client_id = 1, .player_name = "Bea"};
    while (store_->add(session)) ++session.client_id;
  }
  Address at(unsigned offset) const {
    return Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(base_ + offset));
  }

  const unsigned base_ = process_test::free_port_base();
  const DevelopmentSecret authenticator_{secret};
  const NobodyThere nobody_;
  const std::unique_ptr<SqliteStore> store_ = SqliteStore::open(":memory:").value();
  std::optional<SessionServer> sessions_;
  std::optional<PlayerService> players_;
  std::unique_ptr<host::GrpcServer> grpc_;
  std::unique_ptr<HttpPort> http_;
};

struct Mapped {
  grpc::StatusCode code;
  const char* name;
  int http_status;
};
constexpr Mapped mapped[] = {
    {grpc::StatusCode::INVALID_ARGUMENT, "INVALID_ARGUMENT", 400},
    {grpc::StatusCode::FAILED_PRECONDITION, "FAILED_PRECONDITION", 400},
    {grpc::StatusCode::UNAUTHENTICATED, "UNAUTHENTICATED", 401},
    {grpc::StatusCode::PERMISSION_DENIED, "PERMISSION_DENIED", 403},
    {grpc::StatusCode::RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED", 429},
    {grpc::StatusCode::UNAVAILABLE, "UNAVAILABLE", 503},
};

TEST(ALogIn, IsRefusedInTheSameSentenceOverBothProtocols) {
  for (std::size_t i = 0; i < enum_count<Refusal>; ++i) {
    const auto refusal = static_cast<Refusal>(i);
    if (refusal == Refusal::NoSession) continue;
    SCOPED_TRACE(refusal_names[i]);
    const Case of = case_of(refusal);
    Service service(of);
    v1::LogInReply reply;
    if (of.after_a_log_in) {
      EXPECT_TRUE(service.log_in_by_grpc(of.request, &reply).ok());
    }
    const grpc::Status by_grpc = service.log_in_by_grpc(of.request, &reply);
    const HttpReply by_http = service.log_in_by_http(of.request);
    const auto* row = std::find_if(std::begin(mapped), std::end(mapped), [&](const Mapped& each) {
      return each.code == by_grpc.error_code();
    });
    ASSERT_NE(row, std::end(mapped)) << by_grpc.error_message();
    ASSERT_TRUE(by_http.error().is_object()) << by_http.head << by_http.body;
    EXPECT_EQ(by_http.error().at("message"), by_grpc.error_message());
    EXPECT_NE(by_grpc.error_message(), "");
    EXPECT_EQ(by_http.error().at("status"), row->name);
    EXPECT_EQ(by_http.error().at("code"), row->http_status);
    EXPECT_EQ(by_http.status, row->http_status);
    EXPECT_EQ(by_http.field("Content-Type"), "application/json");
    EXPECT_EQ(service.stats().refused[refusal], 2U) << "by each";
    EXPECT_EQ(service.stats().refused.sum(), 2U);
    const std::string wait = by_http.field("Retry-After");
    if (by_grpc.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) {
      EXPECT_THAT(by_grpc.error_message(), HasSubstr("try again in " + wait + " s"));
      EXPECT_NE(wait, "");
    } else {
      EXPECT_EQ(wait, "");
    }
  }
}

TEST(ALogIn, CountsForTheSameRatesOverBothProtocols) {
  Case of;
  of.settings.rates.name = {.per_minute = 1, .burst = 2};
  Service service(of);
  v1::LogInReply reply;
  EXPECT_TRUE(service.log_in_by_grpc(of.request, &reply).ok());
  EXPECT_EQ(reply.connect_token().size(), 2'048U);
  const auto by_http = service.log_in_by_http(of.request).log_in();
  EXPECT_EQ(by_http.connect_token().size(), 2'048U);
  EXPECT_EQ(by_http.gateway_address(), reply.gateway_address());
  EXPECT_EQ(by_http.tick_rate_hz(), reply.tick_rate_hz());
  EXPECT_EQ(service.log_in_by_http(of.request).status, 429);
  EXPECT_EQ(service.log_in_by_grpc(of.request, &reply).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(service.stats().admitted, 2U);
  const HttpPort::Stats http = service.http_stats();
  EXPECT_EQ(http.answers[StatusClass::Success], 1U);
  EXPECT_EQ(http.answers[StatusClass::ClientError], 1U);
  EXPECT_EQ(http.dropped.sum(), 0U);
}

}  // namespace
}  // namespace perigee::session
