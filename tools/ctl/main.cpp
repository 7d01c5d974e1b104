// perigee-ctl: commands for operators to inspect and control a cluster.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "calls.hpp"
#include "perigee/base/techniques.hpp"
#include "perigee/host/build.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/process.hpp"

namespace perigee::session {
namespace {

int list(Control& stub, v1::ListSessionsRequest request, const std::string& target) {
  std::size_t count = 0;
  do {
    v1::ListSessionsReply reply;
    if (!call(stub, &Control::ListSessions, request, reply, target)) return host::exit_failed;
    if (request.page_token().empty()) {
      print_head("%-20s  %-32s  %-8s  %-20s  %-20s  %-21s  %s\n", "client", "name", "state",
                 "logged in", "last seen", "gateway", "player");
    }
    for (const v1::SessionInfo& s : reply.sessions()) {
      ++count;
      if (print_json(s)) continue;
      std::printf("%-20llu  %-32s  %-8s  %-20s  %-20s  %-21s  %llu\n",
                  static_cast<unsigned long long>(s.client_id()), shown(s.player_name()).c_str(),
                  s.state().c_str(), time_of(s.logged_in_unix_s()).c_str(),
                  time_of(s.seen_unix_s()).c_str(), s.gateway_address().c_str(),
                  static_cast<unsigned long long>(s.player_id()));
    }
    request.set_page_token(reply.next_page_token());
  } while (!request.page_token().empty());
  std::fprintf(stderr, "%zu sessions\n", count);
  return host::exit_ok;
}

/// Prints the help or the version that was asked for, or the mistake in the words of the command
/// line. Returns the exit code.
int report(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    app.exit(error);
    return host::exit_ok;
  }
  const auto commands = app.get_subcommands();
  const CLI::App& command = commands.empty() ? app : *commands.front();
  const auto unused = command.remaining();
  std::string what = error.what();
  if (!unused.empty() && unused.front().starts_with('-')) {
    what = "unknown option '" + shown(unused.front()) + "'";
  } else if (!unused.empty() && commands.empty()) {
    what = "unknown subcommand '" + shown(unused.front()) + "'";
  }
  const std::string name = commands.empty() ? "" : " " + command.get_name();
  std::fprintf(stderr, "perigee-ctl%s: %s; see perigee-ctl%s --help\n", name.c_str(), what.c_str(),
               name.c_str());
  return host::exit_usage;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Shows and controls a running cluster: regions, workers, sessions, clients' latency "
      "techniques.",
      "perigee-ctl");
  app.set_version_flag("--version", "perigee-ctl " + host::build_name(),
                       "print the version and exit");
  std::string target = "127.0.0.1:40012";
  std::string directory = "127.0.0.1:40011";
  std::string name;
  bool all = false;
  app.add_option("--session", target, "host:port of perigee-session's control port")
      ->envname("PERIGEE_GATEWAY_SESSION")
      ->capture_default_str();
  app.add_option("--directory", directory,
                 "host:port of perigee-directory, several separated by commas")
      ->envname("PERIGEE_DIRECTORY")
      ->capture_default_str();
  std::string tls_dir;
  std::string state_dir = ".perigee";
  app.add_option("--tls-dir", tls_dir,
                 "folder with the operator's tls.crt, tls.key and ca.crt; default: certs/operator "
                 "in the state folder if it exists; none: without TLS")
      ->envname("PERIGEE_TLS_DIR");
  app.add_option("--state-dir", state_dir, "state folder of a local cluster")
      ->envname("PERIGEE_STATE_DIR")
      ->capture_default_str();
  app.add_flag("--json", as_json(),
               "print results as JSON, one object in each line; messages stay on standard error");
  app.require_subcommand(1);
  auto* regions = app.add_subcommand(
      "regions", "list regions with their owners, costs, and entities not migrated there yet");
  auto* workers =
      app.add_subcommand("workers", "list workers with their players, entities and tick durations");
  auto* gateways = app.add_subcommand("gateways", "list gateways and their builds");
  auto* top = app.add_subcommand("top", "watch workers, gateways and players' connections live");
  double every_s = 1;
  std::uint32_t pictures = 0;
  top->add_option("--every", every_s, "seconds between two pictures")
      ->check(CLI::Range(0.2, 60.0))
      ->capture_default_str();
  top->add_option("--count", pictures, "end after so many pictures; 0: at Ctrl-C")
      ->capture_default_str();
  top->footer("example:\n  perigee-ctl top --every 2");
  auto* replaces = app.add_subcommand(
      "replace", "migrate everything from one worker to another, and wait until that is done");
  std::string old_one, new_one;
  double patience_s = 60;
  replaces->add_option("old", old_one, "name of the worker to be replaced")->required();
  replaces->add_option("new", new_one, "name of the worker that takes its place")->required();
  replaces->add_option("--patience", patience_s, "give up after this many seconds")
      ->capture_default_str();
  replaces->footer(
      "One step of an upgrade during play: start a worker of the new build, replace, stop the "
      "old\none. Exits with 0 once the old worker is empty and any other worker could die without "
      "loss.\nTo go back, swap the names.\nexamples:\n  perigee-ctl replace sim-0 sim-2\n  "
      "perigee-ctl replace sim-2 sim-0");
  auto* in_doubt = app.add_subcommand(
      "in-doubt",
      "list in-doubt groups (sent, but not acknowledged by a receiver), with reason and remedy");
  in_doubt->alias("limbo");  // its name until 0.1.0
  auto* resolves = app.add_subcommand(
      "resolve", "declare that no worker will ever answer for an ended incarnation");
  std::uint32_t incarnation = 0;
  resolves
      ->add_option("incarnation", incarnation, "number of the incarnation, as listed by in-doubt")
      ->required();
  resolves->footer(
      "Only where `in-doubt` recommends it: in the map a worker has taken over that incarnation, "
      "but "
      "has\nno log of it. Groups on their way to it return to their senders, unless another worker "
      "has\nthem. Refused while any worker could answer.\nexamples:\n  perigee-ctl in-doubt\n  "
      "perigee-ctl resolve 7");
  const MapOrders map_orders(app);
  auto* sessions = app.add_subcommand("sessions", "list sessions, newest log-in first");
  sessions->add_option("name", name, "sessions of this player only");
  sessions->add_flag("--all", all, "include sessions that ended within the last hour");
  auto* kick = app.add_subcommand("kick", "disconnect a player, who may log in again");
  kick->add_option("whom", name,
                   "player's name, # and the client's number, or @ and the player's id")
      ->required();
  auto* end =
      app.add_subcommand("end", "forbid returning to the session; a connected player stays");
  end->add_option("whom", name,
                  "player's name, # and the client's number, or @ and the player's id")
      ->required();
  const Bans bans(app);
  const Lasting lasting(app);
  const RoomOrders room_orders(app);
  const Completion completion(app);
  auto* techniques =
      app.add_subcommand("techniques", "show or change clients' latency techniques during play");
  std::vector<std::string> words;
  techniques->add_option("words", words,
                         "player's name, or # and the client's number; then KEY=VALUE ...");
  techniques->add_flag("--all", all, "all players connected now, not later ones");
  techniques->footer("techniques:\n" + techniques_help() +
                     "examples:\n"
                     "  perigee-ctl techniques Ada\n"
                     "  perigee-ctl techniques Ada smoothing=exponential rollback=off\n"
                     "  perigee-ctl techniques --all prediction=off");
  auto* desync = app.add_subcommand(
      "desync", "displace a player's predicted avatar once, to show what a correction looks like");
  std::string meters = "0.5";
  desync->add_option("whom", name, "player's name, or # and the client's number")->required();
  desync->add_option("--metres", meters, "distance, 0.001 to 10; 0.1 is slight, 2 is large")
      ->capture_default_str();
  auto* records = app.add_subcommand(
      "record", "keep the last 30 s of a player at its worker, for a flight recording");
  std::uint32_t record_s = 600;
  bool record_stop = false;
  records->add_option("whom", name, "player's name, or # and the client's number")->required();
  records->add_option("--for", record_s, "seconds, 1 to 3600; again: prolongs it")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  records->add_flag("--stop", record_stop, "free the recorder");
  auto* recordings =
      app.add_subcommand("recordings", "list recorded players, and flight recordings of workers");
  auto* recording = app.add_subcommand(
      "recording", "write the last seconds of a recorded player into a file for perigee-replay");
  std::string recording_file;
  recording->add_option("whom", name, "player's name, or # and the client's number")->required();
  recording->add_option("file", recording_file, "for instance ada-worker.flight")->required();
  app.footer(
      "examples:\n"
      "  perigee-ctl workers\n"
      "  perigee-ctl --directory 10.0.0.5:40011 regions\n"
      "  perigee-ctl split 0 --axis x --at -4000\n"
      "  perigee-ctl move 2 sim-1\n"
      "  perigee-ctl drain sim-1 --wait\n"
      "  perigee-ctl replace sim-0 sim-2\n"
      "  perigee-ctl kill sim-1\n"
      "  perigee-ctl in-doubt\n"
      "  perigee-ctl balance off\n"
      "  perigee-ctl dilate 0.5\n"
      "  perigee-ctl dilate auto\n"
      "  perigee-ctl rotate-keys\n"
      "  perigee-ctl sessions\n"
      "  perigee-ctl sessions --all Ada\n"
      "  perigee-ctl kick Ada\n"
      "  perigee-ctl kick '#1234567890'\n"
      "  perigee-ctl ban '@81985529216486895' --days 7 --reason 'insults'\n"
      "  perigee-ctl kick 'A\\u{202e}da'   (as sessions spells it)\n"
      "  perigee-ctl --session 10.0.0.5:40012 end Ada\n"
      "  perigee-ctl techniques Ada prediction=off\n"
      "  perigee-ctl desync Ada --metres 2\n"
      "  perigee-ctl record Ada\n"
      "  perigee-ctl recording Ada ada-worker.flight\n"
      "  perigee-ctl results --match 7\n"
      "  perigee-ctl room-create --label duel --players-max 2\n"
      "  perigee-ctl --rooms 10.0.0.9:40081 rooms --all\n"
      "  perigee-ctl workers --json | jq .status.tickP99Us\n"
      "  source <(perigee-ctl completion bash)\n"
      "exit codes: 0 success, 1 the service refused or did not answer, 2 invalid usage");
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->add_flag("--json", as_json(), "print the result as JSON");  // behind it, too
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report(app, error);
  }

  if (const auto code = completion.run(app)) return *code;
  std::unique_ptr<host::ClusterTls> tls;
  if (const auto folder = host::certificate_folder(tls_dir, state_dir, "operator");
      !folder.empty()) {
    auto opened = host::ClusterTls::open(folder);
    if (!opened) return host::report_failure("perigee-ctl", opened.error());
    tls = std::move(*opened);
    operator_tls() = tls.get();
  }
  if (regions->parsed()) return list_regions(directory);
  if (workers->parsed()) return list_workers(directory);
  if (gateways->parsed()) return list_gateways(directory);
  if (top->parsed()) return watch_top(directory, every_s, pictures);
  if (replaces->parsed()) return replace_worker(directory, old_one, new_one, patience_s);
  if (in_doubt->parsed()) return list_in_doubt(directory);
  if (resolves->parsed()) return resolve(directory, incarnation);
  if (recordings->parsed()) return list_recordings(directory);
  if (const auto code = map_orders.run(directory)) return *code;
  if (const auto code = lasting.run()) return *code;
  if (const auto code = room_orders.run()) return *code;
  const auto stub = v1::SessionControl::NewStub(dial(target));
  if (sessions->parsed()) {
    v1::ListSessionsRequest request;
    request.set_page_size(1'000);
    const auto player = name_of(name);
    if (!player) return host::exit_usage;
    request.set_player_name(*player);
    request.set_over_too(all);
    return list(*stub, request, target);
  }
  if (records->parsed()) {
    return record_player(*stub, name, record_stop ? 0 : record_s, target, directory);
  }
  if (recording->parsed()) {
    return fetch_recording(*stub, name, recording_file, target, directory);
  }
  if (const auto code = bans.run(*stub, target)) return *code;
  if (desync->parsed()) return order_desync(*stub, name, meters, target);
  if (techniques->parsed()) return order_techniques(*stub, words, all, target);
  v1::EndSessionRequest request;
  if (!name_account(name, request)) return host::exit_usage;
  v1::EndSessionReply reply;
  const auto method = kick->parsed() ? &Control::KickSession : &Control::EndSession;
  if (!call(*stub, method, request, reply, target)) return host::exit_failed;
  if (print_json(reply)) return host::exit_ok;
  std::printf("%d sessions %s\n", reply.client_ids_size(), kick->parsed() ? "kicked" : "ended");
  return host::exit_ok;
}

}  // namespace
}  // namespace perigee::session

int main(int argc, char** argv) { return perigee::session::run(argc, argv); }
