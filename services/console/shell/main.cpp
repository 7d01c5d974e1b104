// perigee-console: a web page for looking at a cluster, operating it, and flying in it.
#include <array>
#include <filesystem>

#include "console.hpp"
#include "exported.hpp"
#include "perigee/host/admin_server.hpp"
#include "perigee/host/crash_report.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/host/service_manager.hpp"

namespace perigee::console {
namespace {

constexpr std::string_view process = "perigee-console";
constexpr std::string_view token_file = "secrets/console_token";

struct Options {
  host::ProcessOptions common;
  std::string session;
  std::string session_ca;
  std::string session_control;
  std::string hosts;
  std::string prometheus;
  std::string operators;
  std::uint16_t relay_port = 0;
};

void declare(host::Settings& settings, Options& options) {
  host::declare(settings, options.common);
  host::declare_directory(settings, options.common);
  settings.text("console.session", &options.session,
                "host:port of the session service, for players in the page; empty: own machine, by "
                "port_base");
  settings.text("console.session_ca", &options.session_ca,
                "log in there over TLS: PEM file with the certificate that signed the service's, "
                "or system: those that this machine trusts; empty: without TLS");
  settings.text("console.session_control", &options.session_control,
                "host:port of its port for operators; empty: own machine, by port_base");
  settings.text("console.prometheus", &options.prometheus,
                "http://host:port of the Prometheus whose figures pages show; empty: they show "
                "none");
  settings.number("console.relay_port", &options.relay_port, {0, 65'535}, "",
                  "port of gateways as this process reaches them, at the IP of their fabric "
                  "address: for containers, whose public ports are forwarded; 0: their public "
                  "address");
  settings.text("console.operators", &options.operators,
                "file of lines NAME SCOPES TOKEN, mode 0600, SCOPES of read, players, map or all; "
                "besides the token in secrets/console_token, which may do all");
  settings.text("console.hosts", &options.hosts,
                "further names under which browsers open the console, e.g. of a reverse proxy, "
                "separated by commas; others are refused, so that no other site can use it");
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) out.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// The address for a browser on this machine.
std::string url_of(const Address& listen, const std::string& token) {
  Address shown = listen;
  if (shown.ip == Address{}.ip) shown = Address::v4(127, 0, 0, 1, listen.port);
  return "http://" + to_string(shown) + "/#token=" + token;
}

std::string own(const std::string& setting, const Options& options, std::uint16_t offset) {
  return setting.empty() ? "127.0.0.1:" + std::to_string(options.common.port_base + offset)
                         : setting;
}

/// The tokens that the console knows.
Result<std::vector<AccessRules::Token>> tokens_of(const Options& options,
                                                  const std::string& token) {
  std::vector<AccessRules::Token> tokens{{token, {.name = "console", .scopes = Scopes::all()}}};
  if (options.operators.empty()) return tokens;
  const auto text = host::load_private_file(options.operators);
  if (!text) return Error{"console.operators: " + text.error().message};
  const auto more = read_operators(*text);
  if (!more) return Error{"console.operators: " + options.operators + ", " + more.error().message};
  tokens.insert(tokens.end(), more->begin(), more->end());
  return tokens;
}

int run(const Options& options, const std::string& config) {
  host::report_crashes(process, host::crash_report_dir(options.common));
  const std::filesystem::path state = options.common.state_dir;
  const auto listen = host::listen_address(options.common, host::port::console_http);
  const auto admin = host::admin_address(options.common, host::port::console_admin);
  const auto token = host::load_or_create_secret(state / token_file);
  const auto credential = host::load_or_create_secret(state / host::dev_secret_file);
  const auto session = host::open_channel_to_host(
      own(options.session, options, host::port::session_grpc), {.ca_file = options.session_ca});
  const auto tls = host::open_cluster_tls(options.common, "console");
  if (!session) return host::report_failure(process, session.error());
  if (!tls) return host::report_failure(process, tls.error());
  if (!listen) return host::report_failure(process, listen.error());
  if (!admin) return host::report_failure(process, admin.error());
  if (!token) return host::report_failure(process, token.error());
  if (!credential) return host::report_failure(process, credential.error());
  const auto tokens = tokens_of(options, *token);
  if (!tokens) return host::report_failure(process, tokens.error());

  host::Loop loop;
  host::Metrics metrics("console");
  Exported exported(metrics);
  auto admin_server = host::AdminServer::start(loop, metrics, {*admin, config});
  if (!admin_server) return host::report_failure(process, admin_server.error());
  auto web = WebServer::open(*listen);
  if (!web) return host::report_failure(process, web.error());
  const auto audit = host::AuditLog::open(state, "console");
  if (!audit) return host::report_failure(process, audit.error());
  Console console(
      loop,
      {.listen = *listen,
       .access = {.tokens = *tokens,
                  .loopback = is_loopback(*listen),
                  .hosts = words_of(options.hosts)},
       .directory = host::directory_target(options.common),
       .tls = tls->get(),
       .session = *session,
       .session_control = own(options.session_control, options, host::port::session_control),
       .credential = *credential,
       .prometheus = options.prometheus,
       .relay_port = options.relay_port,
       .audit = audit->get()},
      std::move(*web));
  host::Timer duty(loop, [&] {
    console.advance();
    if (*tls) (*tls)->follow();
    exported.show(console.web_counts(), console.relay_counts(), console.relayed());
  });
  duty.every(100'000);
  (*admin_server)->set_ready();
  host::log_info("listening",
                 {{"page", url_of(*listen, *token)}, {"admin", "http://" + to_string(*admin)}});
  host::ServiceManager service_manager(loop);
  service_manager.serving();
  loop.run();
  service_manager.stopping();
  (*admin_server)->set_not_ready("stopping");
  host::log_info("stopped");
  return host::exit_ok;
}

}  // namespace
}  // namespace perigee::console

int main(int argc, char** argv) {
  using namespace perigee;
  console::Options options;
  host::Settings settings(std::string(console::process),
                          "A web page for looking at a cluster, operating it, and flying in it.",
                          "  perigee-console\n"
                          "  perigee-console --directory 10.0.0.5:40011\n"
                          "  perigee-console --listen 0.0.0.0 --console-hosts console.example.org");
  console::declare(settings, options);
  host::declare_metrics(settings, "console",
                        [](host::Metrics& metrics) { const console::Exported exported(metrics); });
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  host::apply_log("console", options.common);
  return console::run(options, settings.print());
}
