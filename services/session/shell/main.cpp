// perigee-session: settings, secrets, gRPC, HTTP and the admin port around the session core.
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts.hpp"
#include "certificates.hpp"
#include "exported.hpp"
#include "http_port.hpp"
#include "perigee/host/admin_server.hpp"
#include "perigee/host/crash_report.hpp"
#include "perigee/host/directory_client.hpp"
#include "perigee/host/grpc_metrics.hpp"
#include "perigee/host/grpc_server.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/host/service_manager.hpp"
#include "perigee/session/sqlite_store.hpp"
#include "service.hpp"
#include "tracer.hpp"

namespace perigee::session {
namespace {

constexpr std::string_view process = "perigee-session";

struct Options {
  host::ProcessOptions common;
  CoreSettings core;
  AccountOptions accounts;
  CertificateOptions certificates;
  tracing::TracingOptions tracing;
  std::string http_listen;
  std::string http_origins;
};

constexpr std::string_view no_http = "none";  // value of session.http_listen

std::string not_ready_because(const host::DirectoryClient& client,
                              const SessionServer::Stats& stats) {
  if (!client.ready()) return "no map from the directory yet";
  if (stats.store_failing) return "the session store fails; see the log";
  if (!stats.missing) return {};
  return "players cannot log in: " +
         std::string(refusal_names[static_cast<std::size_t>(*stats.missing)]);
}

void declare(host::Settings& settings, Options& options) {
  host::declare(settings, options.common);
  host::declare_directory(settings, options.common);
  settings.number("session.timeout_s", &options.core.timeout_s, {1, 60}, "s",
                  "silence that ends a connection; less: drops players during short outages");
  const auto rate = [&](const char* key, LogInRate& value, const char* whose) {
    settings.number(
        std::string("session.") + key + "_per_minute", &value.per_minute, {1, 600'000}, "1/min",
        std::string("log-ins ") + whose + "; further ones are refused with the time to wait");
    settings.number(std::string("session.") + key + "_burst", &value.burst, {1, 10'000}, "log-ins",
                    std::string("of ") + whose + " at once");
  };
  rate("address", options.core.rates.address, "from one address");
  rate("name", options.core.rates.name, "under one name");
  rate("all", options.core.rates.all, "in all");
  declare_accounts(settings, options.accounts);
  settings.flag("session.one_per_player", &options.core.one_session_per_player,
                "a log-in ends the account's other sessions; false: one account may play several "
                "times. With the secret, which proves no account, it never does");
  declare_certificates(settings, options.certificates);
  tracing::declare(settings, options.tracing, options.common);
  settings.text("session.http_listen", &options.http_listen,
                "IP for log-ins over HTTP; default: the listen address; none: no such port");
  settings.text("session.http_origins", &options.http_origins,
                "origins of web pages that may log in over HTTP, separated by commas, * for all; "
                "on loopback also pages of this machine");
}

/// None: log-ins over HTTP are switched off.
Result<std::optional<Address>> http_address(const Options& options) {
  if (options.http_listen == no_http) return std::optional<Address>();
  host::ProcessOptions own = options.common;
  if (!options.http_listen.empty()) own.listen = options.http_listen;
  const auto listen = host::listen_address(own, host::port::session_http);
  if (!listen) return listen.error();
  return std::optional(*listen);
}

/// The addresses of the four ports.
struct Listen {
  Address players, control, admin;
  std::optional<Address> http;
};
Result<Listen> listen_addresses(const Options& options) {
  const auto players = host::listen_address(options.common, host::port::session_grpc);
  const auto control = host::listen_address(options.common, host::port::session_control);
  const auto admin = host::admin_address(options.common, host::port::session_admin);
  const auto http = http_address(options);
  if (!players) return players.error();
  if (!control) return control.error();
  if (!admin) return admin.error();
  if (!http) return http.error();
  return Listen{*players, *control, *admin, *http};
}

bool players_on_loopback(const Listen& listen) {
  return is_loopback(listen.players) && (!listen.http || is_loopback(*listen.http));
}

/// Settings that contradict each other.
Result<Ok> check(const Options& options, const Listen& listen) {
  const auto certificates = Certificates::check(options.certificates);
  if (!certificates) return certificates;
  return Accounts::check(options.accounts, players_on_loopback(listen) || options.common.insecure);
}

/// Null: log-ins over HTTP are switched off.
Result<std::unique_ptr<HttpPort>> open_http_port(const Options& options, const Listen& listen,
                                                 const Accounts& accounts,
                                                 const Certificates& certificates,
                                                 SessionServer& sessions) {
  if (!listen.http) return std::unique_ptr<HttpPort>();
  return HttpPort::open({.listen = *listen.http,
                         .insecure = options.common.insecure,
                         .origins = options.http_origins,
                         .tls = certificates.for_http(),
                         .waiting_max = accounts.waiting_max()},
                        sessions);
}

void reload(const std::filesystem::path& key_file, SessionServer& sessions, Accounts& accounts,
            Certificates& certificates) {
  accounts.reload();
  certificates.reload();
  const auto renewed = host::load_keys(key_file);
  if (!renewed) return host::log_error("keeping the old key: " + renewed.error().message);
  sessions.set_backend_key(renewed->current);
  host::log_info("key reloaded");
}

void say_listening(const Options& options, const Listen& listen, const Certificates& certificates,
                   const HttpPort* http) {
  host::log_info("listening", {{"grpc", to_string(listen.players)},
                               {"http", http != nullptr ? http->url() : std::string(no_http)},
                               {"control", to_string(listen.control)},
                               {"admin", "http://" + to_string(listen.admin)},
                               {"tls", certificates.for_grpc() != nullptr},
                               {"authenticator", options.accounts.authenticator},
                               {"directory", host::directory_target(options.common)}});
  if (!Accounts::prove_players(options.accounts) && !players_on_loopback(listen)) {
    host::log_warning(
        "everybody who has secrets/dev_secret can log in from that network: it is for development");
  }
}

int run(const Options& options, const std::string& config) {
  host::report_crashes(process, host::crash_report_dir(options.common));
  const auto listen = listen_addresses(options);
  if (!listen) return host::report_failure(process, listen.error());
  if (const auto fits = check(options, *listen); !fits) {
    host::report_failure(process, fits.error());
    return host::exit_usage;
  }
  const std::filesystem::path state = options.common.state_dir;
  const auto key_file = state / host::token_key_file;
  const auto keys = host::load_or_create_keys(key_file);
  const auto crypto = transport::init_crypto();
  auto accounts = Accounts::open(options.accounts, state);
  auto certificates = Certificates::open(options.certificates);
  const auto tls = host::open_cluster_tls(options.common, "session");
  if (!keys) return host::report_failure(process, keys.error());
  if (!crypto) return host::report_failure(process, crypto.error());
  if (!accounts) return host::report_failure(process, accounts.error());
  if (!certificates) return host::report_failure(process, certificates.error());
  if (!tls) return host::report_failure(process, tls.error());

  host::Loop loop;
  host::Metrics metrics("session");
  Exported exported(metrics);
  host::GrpcTable grpc_table(metrics);
  tracing::TracerTable tracer_table(metrics);
  const auto tracer =
      tracing::Tracer::open(options.tracing, "perigee-session", to_string(listen->players));
  if (!tracer) return host::report_failure(process, tracer.error());
  auto store = SqliteStore::open(state / "sessions.sqlite");
  if (!store) return host::report_failure(process, store.error());
  SessionServer sessions(Core(options.core, keys->current, (*accounts)->authenticator(), **store,
                              transport::system_random_bytes()),
                         **store, tracer->get());
  PlayerService player_service(sessions, (*accounts)->waiting_max());
  const auto audit = host::AuditLog::open(state, "session");
  if (!audit) return host::report_failure(process, audit.error());
  ControlService control_service(sessions, **audit);
  auto admin_server = host::AdminServer::start(loop, metrics, {listen->admin, config});
  if (!admin_server) return host::report_failure(process, admin_server.error());
  const bool insecure = options.common.insecure;
  const std::array<grpc::Service*, 1> for_players{&player_service};
  auto server = host::GrpcServer::start(
      {listen->players, insecure, PlayerService::limits, certificates->for_grpc()}, for_players);
  if (!server) return host::report_failure(process, server.error());
  const std::array<grpc::Service*, 1> for_gateways{&control_service};
  auto control_server = host::GrpcServer::start(
      {listen->control, insecure, ControlService::limits, host::server_end(tls->get())},
      for_gateways);
  if (!control_server) return host::report_failure(process, control_server.error());
  auto http = open_http_port(options, *listen, **accounts, *certificates, sessions);
  if (!http) return host::report_failure(process, http.error());

  host::DirectoryClient directory(
      loop, {.target = host::directory_target(options.common), .tls = tls->get()},
      {.map = [&](const ClusterMap& map) { sessions.set_map(map); }});
  host::Timer duty(loop, [&] {
    sessions.advance(host::Loop::clock_us());
    const SessionServer::Stats stats = sessions.stats();
    exported.show(stats);
    exported.show((*accounts)->stats(), certificates->expires_unix_s());
    if (*http) exported.show((*http)->stats());
    grpc_table.show({server->get(), control_server->get()}, tls->get());
    tracer_table.show(tracer->get());
    if (*tls) (*tls)->follow();
    (*admin_server)->set_not_ready(not_ready_because(directory, stats));
  });
  duty.every(100'000);
  host::Timer files_watch(loop, [&] {
    (*accounts)->follow();
    certificates->follow();
  });
  files_watch.every(1'000'000);
  host::ServiceManager service_manager(loop);
  loop.on_hangup([&] {
    service_manager.reload([&] { reload(key_file, sessions, **accounts, *certificates); });
  });
  say_listening(options, *listen, *certificates, http->get());
  service_manager.serving();
  loop.run();
  service_manager.stopping();
  (*admin_server)->set_not_ready("stopping");
  sessions.stop();
  host::log_info("stopped");
  return host::exit_ok;
}

}  // namespace
}  // namespace perigee::session

int main(int argc, char** argv) {
  using namespace perigee;
  session::Options options;
  host::Settings settings(
      std::string(session::process),
      "Logs players in, and records which token opened which session.",
      "  perigee-session\n"
      "  perigee-session --directory 10.0.0.5:40011 --listen 10.0.0.6 --insecure\n"
      "  PERIGEE_STATE_DIR=/var/lib/perigee perigee-session --log-format json");
  session::declare(settings, options);
  host::declare_metrics(settings, "session", [](host::Metrics& metrics) {
    const session::Exported exported(metrics);
    const host::GrpcTable grpc(metrics);
    const tracing::TracerTable tracer(metrics);
  });
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  host::apply_log("session", options.common);
  return session::run(options, settings.print());
}
