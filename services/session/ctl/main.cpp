// perigee-ctl: operators' hands on the session service.
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>

#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/process.hpp"
#include "session.grpc.pb.h"

namespace perigee::session {
namespace {

constexpr auto deadline = std::chrono::seconds(5);

using Control = v1::SessionControl::Stub;

template <class Request, class Reply>
bool call(Control& stub,
          grpc::Status (Control::*method)(grpc::ClientContext*, const Request&, Reply*),
          const Request& request, Reply& reply, const std::string& target) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + deadline);
  const grpc::Status status = (stub.*method)(&context, request, &reply);
  if (status.ok()) return true;
  const bool away = status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                    status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
  std::fprintf(stderr, "perigee-ctl: %s%s%s\n", status.error_message().c_str(),
               away ? "; is perigee-session running, and this its control port? " : "",
               away ? target.c_str() : "");
  return false;
}

std::string time_of(std::int64_t unix_s) {
  const std::time_t seconds = unix_s;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

int list(Control& stub, v1::ListSessionsRequest request, const std::string& target) {
  std::size_t count = 0;
  do {
    v1::ListSessionsReply reply;
    if (!call(stub, &Control::ListSessions, request, reply, target)) return host::exit_failed;
    if (request.page_token().empty()) {
      std::printf("%-20s  %-32s  %-8s  %-20s  %-20s  %s\n", "client", "name", "state", "logged in",
                  "last seen", "gateway");
    }
    for (const v1::SessionInfo& s : reply.sessions()) {
      std::printf("%-20llu  %-32s  %-8s  %-20s  %-20s  %s\n",
                  static_cast<unsigned long long>(s.client_id()), s.player_name().c_str(),
                  s.state().c_str(), time_of(s.logged_in_unix_s()).c_str(),
                  time_of(s.seen_unix_s()).c_str(), s.gateway_address().c_str());
      ++count;
    }
    request.set_page_token(reply.next_page_token());
  } while (!request.page_token().empty());
  std::fprintf(stderr, "%zu sessions\n", count);
  return host::exit_ok;
}

/// "#123" is one session, anything else all sessions of that name.
bool whom(const std::string& text, v1::EndSessionRequest& request) {
  if (!text.starts_with('#')) {
    request.set_player_name(text);
    return true;
  }
  std::uint64_t id = 0;
  const auto [end, code] = std::from_chars(text.data() + 1, text.data() + text.size(), id);
  request.set_client_id(id);
  return code == std::errc{} && end == text.data() + text.size() && id != 0;
}

int run(int argc, char** argv) {
  CLI::App app("Lists, kicks and ends sessions.", "perigee-ctl");
  std::string target = "127.0.0.1:40012";
  std::string name;
  bool all = false;
  app.add_option("--session", target, "host:port of perigee-session's control port")
      ->envname("PERIGEE_GATEWAY_SESSION")
      ->capture_default_str();
  app.require_subcommand(1);
  auto* sessions = app.add_subcommand("sessions", "who is in a session, newest log-in first");
  sessions->add_option("name", name, "of this player only");
  sessions->add_flag("--all", all, "also those that ended within the last hour");
  auto* kick = app.add_subcommand("kick", "disconnect; a later log-in works");
  kick->add_option("whom", name, "player's name, or # and the client")->required();
  auto* end = app.add_subcommand("end", "no way back into the session; who is connected stays");
  end->add_option("whom", name, "player's name, or # and the client")->required();
  app.footer(
      "examples:\n"
      "  perigee-ctl sessions\n"
      "  perigee-ctl sessions --all Ada\n"
      "  perigee-ctl kick Ada\n"
      "  perigee-ctl kick '#1234567890'\n"
      "  perigee-ctl --session 10.0.0.5:40012 end Ada\n"
      "exit codes: 0 done, 1 the service refused or did not answer, 2 wrong usage");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? host::exit_ok : host::exit_usage;
  }

  const auto stub = v1::SessionControl::NewStub(host::open_channel(target));
  if (sessions->parsed()) {
    v1::ListSessionsRequest request;
    request.set_page_size(1'000);
    request.set_player_name(name);
    request.set_over_too(all);
    return list(*stub, request, target);
  }
  v1::EndSessionRequest request;
  if (!whom(name, request)) {
    std::fprintf(stderr, "perigee-ctl: '%s' is not # and a client's number\n", name.c_str());
    return host::exit_usage;
  }
  v1::EndSessionReply reply;
  const auto method = kick->parsed() ? &Control::KickSession : &Control::EndSession;
  if (!call(*stub, method, request, reply, target)) return host::exit_failed;
  std::printf("%d sessions %s\n", reply.client_ids_size(), kick->parsed() ? "kicked" : "ended");
  return host::exit_ok;
}

}  // namespace
}  // namespace perigee::session

int main(int argc, char** argv) { return perigee::session::run(argc, argv); }
