// A session process with log-ins, claims, resume tokens and ends of sessions.
#include <atomic>
#include <fstream>
#include <functional>
#include <thread>

#include "bench/common/place.hpp"
#include "members.hpp"
#include "parts.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/secrets.hpp"
#include "session.grpc.pb.h"

namespace perigee::bench {
namespace {

using process_test::Child;
using namespace session;

constexpr unsigned directory_grpc = 11, session_grpc = 10, session_control = 12;
constexpr unsigned callers = 4;
constexpr std::uint64_t instance = 5;
constexpr std::size_t tag_bytes = 16;

struct SessionServer {
  std::unique_ptr<v1::Session::Stub> players;
  std::unique_ptr<v1::SessionControl::Stub> control;
  std::string secret;
  std::vector<std::uint64_t> clients;
};

bool log_in(SessionServer& server, unsigned i) {
  v1::LogInRequest request;
  request.set_player_name("player-" + std::to_string(i));
  request.set_credential(server.secret);
  request.set_wire_version(wire_version);
  request.set_schema_hash(Members::schema_hash);
  v1::LogInReply reply;
  grpc::ClientContext context;
  if (!server.players->LogIn(&context, request, &reply).ok()) return false;
  server.clients[i] = reply.client_id();
  return true;
}

bool claim(SessionServer& server, unsigned i) {
  v1::ClaimTokenRequest request;
  std::string tag = std::to_string(i);
  tag.resize(tag_bytes, '.');
  request.set_token_tag(tag);
  request.set_client_id(server.clients[i]);
  request.set_issue(std::uint64_t{1} << 60);
  request.set_expires_unix_s(4'000'000'000);
  request.set_gateway_instance(instance);
  request.set_handshake(i + 1);
  request.set_gateway_address("127.0.0.1:40000");
  v1::ClaimTokenReply reply;
  grpc::ClientContext context;
  return server.control->ClaimToken(&context, request, &reply).ok() &&
         reply.outcome() == v1::ClaimTokenReply::GRANTED;
}

bool resume(SessionServer& server, unsigned i) {
  v1::IssueResumeTokenRequest request;
  request.set_client_id(server.clients[i]);
  v1::IssueResumeTokenReply reply;
  grpc::ClientContext context;
  return server.control->IssueResumeToken(&context, request, &reply).ok();
}

bool release(SessionServer& server, unsigned i) {
  v1::ReleaseSessionRequest request;
  request.set_client_id(server.clients[i]);
  request.set_gateway_instance(instance);
  request.set_issue(std::uint64_t{1} << 61);
  v1::ReleaseSessionReply reply;
  grpc::ClientContext context;
  return server.control->ReleaseSession(&context, request, &reply).ok();
}

/// Calls each of them once, from a few threads at a time.
Result<Ok> measure(const std::string& name, const Child& process, unsigned count,
                   const std::function<bool(unsigned)>& call, Figures& figures) {
  std::atomic<bool> well = true;
  const std::int64_t before = cpu_time_ns(process.pid()), begun = now_ns();
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < callers; ++t) {
      threads.emplace_back([&, t] {
        for (unsigned i = t; i < count && well; i += callers) {
          if (!call(i)) well = false;
        }
      });
    }
  }
  if (!well) return Error{"the session service refused a " + name};
  const double taken_ns = static_cast<double>(cpu_time_ns(process.pid()) - before);
  figures.add(name + "_cpu_us", taken_ns * 1e-3 / count, "us");
  figures.add(name + "_per_s", count * 1e9 / static_cast<double>(now_ns() - begun), "1/s");
  return Ok{};
}

}  // namespace

Result<Ok> measure_session(const Run& run, Figures& figures) {
  print_progress("a session service");
  const Place place;
  Child directory(place.command(PERIGEE_DIRECTORY_BINARY,
                                {"--directory-workers", "1", "--log-level", "error"}));
  Child process(place.command(
      PERIGEE_SESSION_BINARY,
      {"--log-level", "error", "--session-address-per-minute", "600000", "--session-address-burst",
       "10000", "--session-all-per-minute", "600000", "--session-all-burst", "10000"}));
  Members members(place.target(directory_grpc), 1, 1);
  if (!members.enrol()) return Error{"the directory refused a member"};
  members.begin();
  const auto ready = [&] {
    return process_test::http_get(place.port(101), "/ready").find("200 OK") != std::string::npos;
  };
  if (!within(30, ready)) return Error{"the session service was not ready within 30 s"};
  const unsigned count = run.quick ? 20 : 2'000;
  SessionServer server{
      .players = v1::Session::NewStub(host::open_channel(place.target(session_grpc))),
      .control = v1::SessionControl::NewStub(host::open_channel(place.target(session_control))),
      .secret = {},
      .clients = std::vector<std::uint64_t>(count)};
  std::ifstream(place.folder() / host::dev_secret_file) >> server.secret;
  struct Part {
    const char* name;
    bool (*call)(SessionServer&, unsigned);
  };
  for (const Part& part : {Part{"log_in", log_in}, Part{"claim", claim}, Part{"resume", resume},
                           Part{"release", release}}) {
    auto done = measure(
        part.name, process, count, [&](unsigned i) { return part.call(server, i); }, figures);
    if (!done) return done;
  }
  figures.add("session_resident_mb", static_cast<double>(resident_bytes(process.pid())) * 1e-6,
              "MB");
  return Ok{};
}

}  // namespace perigee::bench
