/// Shared code of perigee-ctl's commands.
#pragma once

#include <google/protobuf/message.h>
#include <grpcpp/grpcpp.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perigee/base/shown_text.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/process.hpp"
#include "session.grpc.pb.h"

namespace perigee::session {

using Control = v1::SessionControl::Stub;

/// The operator's certificate of this run; null: none, so calls are made without TLS. main() sets
/// it once, before the first call.
inline const host::ClusterTls*& operator_tls() {
  static const host::ClusterTls* tls = nullptr;
  return tls;
}
/// Whether results are printed as JSON, one object in each line, instead of tables and sentences.
/// main() sets it once, before the first call.
inline bool& as_json() {
  static bool wanted = false;
  return wanted;
}
/// In protobuf's JSON form.
std::string json_of(const google::protobuf::Message& message);
/// Prints it as a line of JSON, if that is wanted. True: it was.
bool print_json(const google::protobuf::Message& message);
/// The head of a table, unless JSON is wanted.
template <class... Values>
void print_head(const char* format, Values... values) {
  if (!as_json()) std::printf(format, values...);
}

/// A channel to a process of the cluster, with the operator's certificate.
inline std::shared_ptr<grpc::Channel> dial(
    const std::string& target, int message_bytes_max = host::ChannelOptions{}.message_bytes_max) {
  return host::open_channel(target,
                            {.tls = operator_tls(), .message_bytes_max = message_bytes_max});
}

/// The target of a call.
struct Service {
  const char* process;
  const std::string& target;  ///< host:port
};

template <class Stub, class Request, class Reply>
grpc::Status attempt(Stub& stub,
                     grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
                     const Request& request, Reply& reply) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
  return (stub.*method)(&context, request, &reply);
}

/// Prints the error on standard error.
inline void complain(const grpc::Status& status, const Service& service) {
  const bool away = status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED ||
                    (status.error_code() == grpc::StatusCode::UNAVAILABLE &&
                     status.error_message().find('?') == std::string::npos);
  std::fprintf(stderr, "perigee-ctl: %s", status.error_message().c_str());
  if (away) {
    std::fprintf(stderr, "; is %s running, and this its control port? %s", service.process,
                 service.target.c_str());
    if (operator_tls() == nullptr) {
      std::fprintf(stderr, "; if it has a certificate, --tls-dir names yours");
    }
  }
  std::fprintf(stderr, "\n");
}

/// False: the error was printed.
template <class Stub, class Request, class Reply>
bool call(Stub& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
          const Request& request, Reply& reply, const Service& service) {
  const grpc::Status status = attempt(stub, method, request, reply);
  if (!status.ok()) complain(status, service);
  return status.ok();
}

/// The reply of each process that was asked, by host:port.
using Answers = std::vector<std::pair<std::string, grpc::Status>>;

/// Asks the directories (host:port, separated by commas) until one leads. The last reply is the
/// leader's, if there is a leader. `Of` is one of their services.
template <class Of, class Request, class Reply>
Answers ask_directory(const std::string& directories,
                      grpc::Status (Of::Stub::*method)(grpc::ClientContext*, const Request&,
                                                       Reply*),
                      const Request& request, Reply& reply) {
  Answers answers;
  for (const std::string& target : host::parts_of(directories)) {
    const auto stub = Of::NewStub(dial(target));
    const grpc::Status status = attempt(*stub, method, request, reply);
    answers.emplace_back(target, status);
    const bool another_may = status.error_code() == grpc::StatusCode::ABORTED ||
                             status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                             status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
    if (!another_may) break;
  }
  return answers;
}

/// False: the error of each was printed.
template <class Of, class Request, class Reply>
bool call_directory(const std::string& directories,
                    grpc::Status (Of::Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
                    const Request& request, Reply& reply) {
  const Answers answers = ask_directory<Of>(directories, method, request, reply);
  if (!answers.empty() && answers.back().second.ok()) return true;
  for (const auto& [target, status] : answers) complain(status, {"perigee-directory", target});
  return false;
}

template <class Request, class Reply>
bool call(Control& stub,
          grpc::Status (Control::*method)(grpc::ClientContext*, const Request&, Reply*),
          const Request& request, Reply& reply, const std::string& target) {
  return call(stub, method, request, reply, Service{"perigee-session", target});
}

/// Parses a name as `sessions` prints it. None: the error was printed.
inline std::optional<std::string> name_of(const std::string& text) {
  auto name = from_shown(text);
  if (name) return name;
  std::fprintf(stderr,
               "perigee-ctl: in '%s' a backslash does not begin \\u{HEX}, \\x{HEX} or \\\\; spell "
               "the name as perigee-ctl sessions does, or use # and the client's number\n",
               shown(text).c_str());
  return std::nullopt;
}

/// "#123" selects one session, any other text all sessions of that name, spelt as `sessions` prints
/// it. False: the error was printed.
template <class Request>
bool name_player(const std::string& text, Request& request) {
  if (!text.starts_with('#')) {
    const auto name = name_of(text);
    if (name) request.set_player_name(*name);
    return name.has_value();
  }
  std::uint64_t id = 0;
  const auto [end, code] = std::from_chars(text.data() + 1, text.data() + text.size(), id);
  request.set_client_id(id);
  if (code == std::errc{} && end == text.data() + text.size() && id != 0) return true;
  std::fprintf(stderr, "perigee-ctl: '%s' is not # and a client's number\n", shown(text).c_str());
  return false;
}

/// The same, and "@123" selects the account with this player id.
template <class Request>
bool name_account(const std::string& text, Request& request) {
  if (!text.starts_with('@')) return name_player(text, request);
  std::uint64_t id = 0;
  const auto [end, code] = std::from_chars(text.data() + 1, text.data() + text.size(), id);
  request.set_player_id(id);
  if (code == std::errc{} && end == text.data() + text.size() && id != 0) return true;
  std::fprintf(stderr, "perigee-ctl: '%s' is not @ and a player's id\n", shown(text).c_str());
  return false;
}

/// "2026-12-01T14:30:00Z"
std::string time_of(std::int64_t unix_s);

/// Lists the owners of the world's regions, the status of each worker, and the gateways. They
/// return the exit code.
int list_regions(const std::string& directory);
int list_workers(const std::string& directory);
int list_gateways(const std::string& directory);
/// Shows them all again and again until Ctrl-C, or so many times; 0: without end. Returns the exit
/// code.
int watch_top(const std::string& directory, double every_s, std::uint32_t pictures);
/// Moves everything from one worker to another and waits until the first could be stopped. Returns
/// the exit code.
int replace_worker(const std::string& directory, const std::string& old_one,
                   const std::string& new_one, double patience_s);
/// Lists groups with an unresolved migration and their remedies; resolves an ended incarnation of
/// which no worker has anything. They return the exit code.
int list_in_doubt(const std::string& directory);
int resolve(const std::string& directory, std::uint32_t incarnation);
/// Commands that change how the world is divided and the ownership of its regions.
class MapOrders {
 public:
  explicit MapOrders(CLI::App& app);
  /// The exit code; none if no such command was given.
  std::optional<int> run(const std::string& directory) const;

 private:
  struct Words;
  std::shared_ptr<Words> words_;  ///< filled by the parser
};
/// Commands for a process of rooms.
class RoomOrders {
 public:
  explicit RoomOrders(CLI::App& app);
  /// The exit code; none if no such command was given.
  std::optional<int> run() const;

 private:
  struct Words;
  std::shared_ptr<Words> words_;  ///< filled by the parser
};
/// Commands that keep players out.
class Bans {
 public:
  explicit Bans(CLI::App& app);
  /// The exit code; none if no such command was given.
  std::optional<int> run(Control& stub, const std::string& target) const;

 private:
  struct Words;
  std::shared_ptr<Words> words_;  ///< filled by the parser
};
/// Scripts that complete commands in shells.
class Completion {
 public:
  explicit Completion(CLI::App& app);
  /// The exit code; none if the command was not given. `app` has all commands.
  std::optional<int> run(const CLI::App& app) const;

 private:
  CLI::App* command_;
  std::shared_ptr<std::string> shell_;  ///< filled by the parser
};
/// Commands that read the world store.
class Lasting {
 public:
  explicit Lasting(CLI::App& app);
  /// The exit code; none if no such command was given.
  std::optional<int> run() const;

 private:
  struct Words;
  std::shared_ptr<Words> words_;  ///< filled by the parser
};
/// `words`: the player unless `everybody`, then KEY=VALUE. Returns the exit code.
int order_techniques(Control& stub, const std::vector<std::string>& words, bool everybody,
                     const std::string& target);
/// Shifts the client's prediction of the player, to test the correction. Returns the exit code.
int order_desync(Control& stub, const std::string& name, const std::string& meters,
                 const std::string& target);

/// Keeps the last 30 s of a player at its worker for `for_s`; 0 ends it. Returns the exit code.
int record_player(Control& stub, const std::string& whom, std::uint32_t for_s,
                  const std::string& target, const std::string& directory);
/// Lists recorded players, and files of workers. Returns the exit code.
int list_recordings(const std::string& directory);
/// Writes a recorded player's last seconds into a file. Returns the exit code.
int fetch_recording(Control& stub, const std::string& whom, const std::string& path,
                    const std::string& target, const std::string& directory);

}  // namespace perigee::session
