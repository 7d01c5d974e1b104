#include "cluster.hpp"

#include <grpcpp/grpcpp.h>

#include <fstream>

#include "made_authority.hpp"
#include "made_certificate.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/secrets.hpp"

namespace perigee::bench {
namespace {

void make_sets(const std::filesystem::path& folder) {
  MadeAuthority authority("bench");
  for (const char* name : {"directory", "session", "sim"}) {
    authority.write(folder / name, {.name = name, .names = "URI:perigee:role:member"});
  }
  authority.write(folder / "gateway", {.name = "gateway", .names = "URI:perigee:role:gateway"});
}

}  // namespace

Cluster::Cluster(Tls tls) : tls_(tls) {
  const std::filesystem::path& folder = place_.folder();
  if (tls_ != Tls::None) make_sets(folder / "certs");
  std::vector<std::string> session{
      "--session-address-per-minute", "600000", "--session-address-burst", "10000",
      "--session-name-per-minute",    "600000", "--session-name-burst",    "10000",
      "--session-all-per-minute",     "600000", "--session-all-burst",     "10000"};
  if (tls_ == Tls::Outside) {
    MadeCertificate("bench").write(folder / "players.crt", folder / "players.key");
    session.insert(session.end(), {"--session-tls-certificate", (folder / "players.crt").string(),
                                   "--session-tls-key", (folder / "players.key").string()});
  }
  start(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1", "--directory-regions", "1"});
  start(PERIGEE_GATEWAY_BINARY, {});
  start(PERIGEE_SIM_BINARY, {});
  start(PERIGEE_SESSION_BINARY, session);
  ready_ = become_ready();
  std::ifstream(folder / host::dev_secret_file) >> secret_;
}

void Cluster::start(const std::string& binary, std::vector<std::string> more) {
  more.insert(more.end(), {"--log-level", "error"});
  processes_.emplace_back(place_.command(binary, std::move(more)));
}

bool Cluster::become_ready() const {
  for (const unsigned admin : {102U, 100U, 110U, 101U}) {
    const auto is_ready = [&] {
      return process_test::http_get(place_.port(admin), "/ready").find("200 OK") !=
             std::string::npos;
    };
    if (!within(30, is_ready)) return false;
  }
  return true;
}

// A channel that is gone leaves no connection behind for the next one.
std::unique_ptr<session::v1::Session::Stub> Cluster::connect() const {
  constexpr unsigned session_grpc = 10;
  const std::string ca =
      tls_ == Tls::Outside ? (place_.folder() / "players.crt").string() : std::string();
  return session::v1::Session::NewStub(
      host::open_channel_to_host(place_.target(session_grpc), {.ca_file = ca}).value());
}

}  // namespace perigee::bench
