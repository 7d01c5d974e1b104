// perigee-session: settings, secrets, gRPC and the admin port around the session core.
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/host/admin_server.hpp"
#include "perigee/host/directory_client.hpp"
#include "perigee/host/grpc_server.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/secrets.hpp"
#include "service.hpp"

namespace perigee::session {
namespace {

constexpr std::string_view process = "perigee-session";

struct Options {
  host::ProcessOptions common;
  CoreSettings core;
};

constexpr std::array<std::string_view, Service::refusals> reasons{
    "wire_version",     "no_world",       "schema",    "bad_name",
    "wrong_credential", "unknown_region", "no_region", "no_gateway"};

enum class Count : std::uint8_t { LogIns, Refused, last = Refused };
constexpr std::array count_rows{
    host::CounterRow<Count>{Count::LogIns, "session_log_ins_total", "Connect tokens issued."},
    host::CounterRow<Count>{Count::Refused,
                            "session_refused_total",
                            "Log-ins refused, by reason.",
                            {"reason", reasons}},
};
static_assert(host::one_row_each(count_rows, Count::last), "one row for each Count");

enum class Level : std::uint8_t { Listed, last = Listed };
constexpr std::array level_rows{
    host::GaugeRow<Level>{Level::Listed, "session_listed_sessions", "Log-ins of the last hour."},
};
static_assert(host::one_row_each(level_rows, Level::last), "one row for each Level");

struct Tables {
  explicit Tables(host::Metrics& metrics)
      : counts(metrics, count_rows), levels(metrics, level_rows) {}
  host::CounterTable<Count> counts;
  host::GaugeTable<Level> levels;

  void show(const Service::Picture& picture) {
    counts.follow(Count::LogIns, picture.admitted);
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      counts.follow_labelled(Count::Refused, i, picture.refused[i]);
    }
    counts.flush();
    levels.set(Level::Listed, static_cast<double>(picture.sessions));
  }
};

std::string not_ready_because(const host::DirectoryClient& client,
                              const Service::Picture& picture) {
  if (!client.ready()) return "no map from the directory yet";
  if (!picture.missing) return {};
  return "nobody could log in: " + std::string(reasons[static_cast<std::size_t>(*picture.missing)]);
}

void declare(host::Settings& settings, Options& options) {
  host::declare(settings, options.common);
  host::declare_directory(settings, options.common);
  settings.number("session.timeout_s", &options.core.timeout_s, {1, 60}, "s",
                  "silence that ends a connection; shorter drops players in bad spells");
}

int run(const Options& options, const std::string& config) {
  const auto listen = host::listen_address(options.common, host::port::session_grpc);
  const auto admin = host::listen_address(options.common, host::port::session_admin);
  const std::filesystem::path state = options.common.state_dir;
  const auto keys = host::load_or_create_keys(state / host::token_key_file);
  const auto secret = host::load_or_create_secret(state / host::dev_secret_file);
  const auto crypto = transport::init_crypto();
  if (!listen) return host::report_failure(process, listen.error());
  if (!admin) return host::report_failure(process, admin.error());
  if (!keys) return host::report_failure(process, keys.error());
  if (!secret) return host::report_failure(process, secret.error());
  if (!crypto) return host::report_failure(process, crypto.error());

  host::Loop loop;
  host::Metrics metrics("session");
  Tables tables(metrics);
  const DevelopmentSecret authenticator(*secret);
  Service service(
      Core(options.core, keys->current, authenticator, transport::system_random_bytes()));
  auto admin_server = host::AdminServer::start(loop, metrics, {*admin, config});
  if (!admin_server) return host::report_failure(process, admin_server.error());
  const std::array<grpc::Service*, 1> services{&service};
  auto server = host::GrpcServer::start({*listen, options.common.insecure}, services);
  if (!server) return host::report_failure(process, server.error());

  host::DirectoryClient directory(loop, {.target = host::directory_target(options.common)},
                                  {.map = [&](const ClusterMap& map) { service.set_map(map); }});
  host::Timer duty(loop, [&] {
    const Service::Picture picture = service.picture();
    tables.show(picture);
    (*admin_server)->set_not_ready(not_ready_because(directory, picture));
  });
  duty.every(100'000);
  loop.on_hangup([&] {
    const auto renewed = host::load_keys(state / host::token_key_file);
    if (!renewed) return host::log_error("key stays as it was: " + renewed.error().message);
    service.set_backend_key(renewed->current);
    host::log_info("key read again");
  });
  host::log_info("listening", {{"grpc", to_string(*listen)},
                               {"admin", "http://" + to_string(*admin)},
                               {"directory", host::directory_target(options.common)}});
  loop.run();
  (*admin_server)->set_not_ready("stopping");
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
      "Logs players in and makes the connect tokens that gateways accept.",
      "  perigee-session\n"
      "  perigee-session --directory 10.0.0.5:40011 --listen 10.0.0.6 --insecure\n"
      "  PERIGEE_STATE_DIR=/var/lib/perigee perigee-session --log-format json");
  session::declare(settings, options);
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  host::apply_log("session", options.common);
  return session::run(options, settings.print());
}
