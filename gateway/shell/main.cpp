// perigee-gateway: settings and wiring.
#include <array>
#include <filesystem>
#include <string_view>

#include "door.hpp"
#include "perigee/host/admin_server.hpp"
#include "perigee/host/crash_report.hpp"
#include "perigee/host/grpc_metrics.hpp"
#include "perigee/host/grpc_server.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/host/service_manager.hpp"
#include "perigee/transport/keys.hpp"
#include "players_feed.hpp"

namespace perigee::gateway {
namespace {

constexpr std::string_view process = "perigee-gateway";
constexpr std::uint16_t index_max = 9;
/// Admin ports of gateways 1..9 on one machine; the ports from +100 on belong to other processes.
constexpr std::uint16_t further_admin = 180;
/// Time in which goodbyes and leave records are sent.
constexpr Micros farewell_us = 100'000;

struct Options {
  host::ProcessOptions common;
  std::uint16_t index = 0;
  std::string name;
  std::string public_address;
  std::string session;
  std::string door_listen;
  std::uint32_t clients_max = 1'000;
  int coalesce_us = 1'000;
  std::uint32_t payloads_per_flush_max = 4;
  std::uint32_t payloads_per_s_max = 240;
  bool foreign_issuers = false;
  std::uint32_t drain_s = 5;
  int busy_poll_us = 0;
  tracing::TracingOptions tracing;
};

void declare(host::Settings& settings, Options& options) {
  host::declare(settings, options.common);
  host::declare_directory(settings, options.common);
  settings.number("gateway.index", &options.index, {0, index_max}, "",
                  "number of this gateway on its machine; shifts its ports");
  settings.text("gateway.name", &options.name,
                "unique in the cluster; default: gateway- and the index");
  settings.text("gateway.public", &options.public_address,
                "host:port to which clients connect, if it differs from the listen address (NAT)");
  settings.text("gateway.session", &options.session,
                "host:port of perigee-session's control port; default: this machine, port_base + "
                "12; none: tokens of a foreign issuer, each valid once per run of this gateway");
  settings.text(
      "gateway.door_listen", &options.door_listen,
      "IP:port of a UDP listener for perigee-door, the relay for browsers; default: none");
  settings.number("gateway.clients_max", &options.clients_max, {1, transport::clients_limit},
                  "clients", "further clients are denied; 15 kB each, allocated at start");
  settings.number(
      "gateway.coalesce_us", &options.coalesce_us, {0, 20'000}, "us",
      "time for which blocks wait for those of other workers; more: saves packets, costs latency");
  settings.number("gateway.payloads_per_flush_max", &options.payloads_per_flush_max, {1, 16},
                  "payloads", "per client; the rest waits for the next flush");
  settings.number("gateway.payloads_per_s_max", &options.payloads_per_s_max, {60, 2'000}, "1/s",
                  "per client; payloads above this rate are dropped");
  settings.flag(
      "gateway.foreign_issuers", &options.foreign_issuers,
      "accept tokens of issuers that do not sign their nonces: rejecting forged ones costs more");
  settings.number("gateway.drain_s", &options.drain_s, {0, 60}, "s",
                  "after SIGTERM, until all clients can reconnect through another gateway; less: "
                  "may disconnect some, more: stops late");
  settings.number("gateway.busy_poll_us", &options.busy_poll_us, {0, 100'000}, "us",
                  "polls this long after the last datagram instead of sleeping; more: saves "
                  "wake-up latency, uses a CPU while anyone plays");
  tracing::declare(settings, options.tracing, options.common);
}

std::filesystem::path key_path(const Options& options) {
  return std::filesystem::path(options.common.state_dir) / host::token_key_file;
}

std::filesystem::path door_key_path(const Options& options) {
  return std::filesystem::path(options.common.state_dir) / host::door_key_file;
}

/// The listener for doors, with the key that it shares with them.
Result<Ok> add_doors(const Options& options, DoorOptions& door) {
  if (options.door_listen.empty()) return Ok{};
  const auto listen = parse_address(options.door_listen);
  if (!listen) return Error{"gateway.door_listen: " + listen.error().message};
  const auto keys = host::load_or_create_keys(door_key_path(options));
  if (!keys) return keys.error();
  door.door_listen = *listen;
  door.core.door_keys = {keys->current, keys->previous};
  return Ok{};
}

Result<Address> grpc_address(const Options& options) {
  return host::listen_address(options.common,
                              static_cast<std::uint16_t>(host::port::gateway_grpc + options.index));
}

Result<DoorOptions> door_options(const Options& options) {
  const auto listen = host::listen_address(
      options.common, static_cast<std::uint16_t>(host::port::gateway_udp + options.index));
  if (!listen) return listen.error();
  const auto fabric = host::listen_address(
      options.common, static_cast<std::uint16_t>(host::port::gateway_fabric + options.index));
  if (!fabric) return fabric.error();
  const auto public_udp = options.public_address.empty()
                              ? host::advertised_address(options.common, listen->port)
                              : host::resolve(options.public_address);
  if (!public_udp) return public_udp.error();
  const auto fabric_reach = host::advertised_address(options.common, fabric->port);
  if (!fabric_reach) return fabric_reach.error();
  const auto grpc = grpc_address(options);
  if (!grpc) return grpc.error();
  const auto grpc_reach = host::advertised_address(options.common, grpc->port);
  if (!grpc_reach) return grpc_reach.error();
  const auto keys = host::load_or_create_keys(key_path(options));
  if (!keys) return keys.error();

  DoorOptions door{
      .listen = *listen,
      .fabric = *fabric,
      .public_udp = *public_udp,
      .fabric_reach = *fabric_reach,
      .grpc_reach = *grpc_reach,
      .name = options.name.empty() ? "gateway-" + std::to_string(options.index) : options.name,
      .directory = host::directory_target(options.common)};
  door.busy_poll_us = options.busy_poll_us;
  door.plain_epochs = options.common.insecure || is_loopback(*fabric)
                          ? fabric_seal::PlainEpochs::Used
                          : fabric_seal::PlainEpochs::Refused;
  door.drain_us_max = Micros{options.drain_s} * 1'000'000;
  if (options.session.empty()) {
    door.session =
        "127.0.0.1:" + std::to_string(options.common.port_base + host::port::session_control);
  } else if (options.session != "none") {
    door.session = options.session;
  }
  door.core.coalesce_us = options.coalesce_us;
  door.core.payloads_per_flush_max = options.payloads_per_flush_max;
  door.core.transport.nonce_checks = !options.foreign_issuers;
  door.core.transport.packets_per_s_max = options.payloads_per_s_max;
  door.core.transport.private_key = keys->current;
  door.core.transport.previous_key = keys->previous;
  door.core.transport.clients_max = options.clients_max;
  if (const auto added = add_doors(options, door); !added) return added.error();
  return door;
}

int run(const Options& options, const std::string& config) {
  host::report_crashes(process, host::crash_report_dir(options.common));
  if (const auto crypto = transport::init_crypto(); !crypto) {
    return host::report_failure(process, crypto.error());
  }
  auto door_settings = door_options(options);
  if (!door_settings) return host::report_failure(process, door_settings.error());
  const auto tls = host::open_cluster_tls(options.common, "gateway");
  if (!tls) return host::report_failure(process, tls.error());
  door_settings->tls = tls->get();
  const auto admin = host::admin_address(
      options.common, options.index == 0
                          ? host::port::gateway_admin
                          : static_cast<std::uint16_t>(further_admin + options.index));
  if (!admin) return host::report_failure(process, admin.error());

  host::Loop loop;
  host::Metrics metrics("gateway");
  Exported exported(metrics);
  host::GrpcTable grpc_table(metrics);
  tracing::TracerTable tracer_table(metrics);
  const auto tracer =
      tracing::Tracer::open(options.tracing, std::string(process), door_settings->name);
  if (!tracer) return host::report_failure(process, tracer.error());
  door_settings->tracer = tracer->get();
  PlayersFeed players;
  const std::array<grpc::Service*, 1> services{&players};
  const auto grpc = grpc_address(options);
  if (!grpc) return host::report_failure(process, grpc.error());
  auto grpc_server = host::GrpcServer::start(
      {*grpc, options.common.insecure, PlayersFeed::limits, host::server_end(tls->get())},
      services);
  if (!grpc_server) return host::report_failure(process, grpc_server.error());
  Door door(loop, exported, *door_settings);
  if (const auto opened = door.open(); !opened) {
    return host::report_failure(process, opened.error());
  }
  auto admin_server = host::AdminServer::start(loop, metrics, {*admin, config});
  if (!admin_server) return host::report_failure(process, admin_server.error());

  host::Timer farewell(loop, [&] { loop.stop(); });
  std::string logged = "starting";
  host::Timer duty(loop, [&] {
    door.show();
    grpc_table.show({grpc_server->get()}, tls->get());
    tracer_table.show(tracer->get());
    if (*tls) (*tls)->follow();
    if (const Core* core = door.core()) players.show(host::Loop::clock_us(), *core);
    if (door.may_close()) {
      duty.stop();
      (*admin_server)->set_not_ready("stopping");
      door.close();
      return farewell.at(host::Loop::clock_us() + farewell_us);
    }
    const std::string_view why = door.not_ready_because();
    if (why == logged) return;
    const bool was_ready = logged.empty();
    logged = why;
    (*admin_server)->set_not_ready(logged);
    if (!logged.empty()) {
      if (was_ready) host::log_warning("not ready", {{"why", logged}});
      return;
    }
    host::log_info("ready", {{"udp", to_string(door_settings->listen)},
                             {"public", to_string(door_settings->public_udp)},
                             {"fabric", to_string(door_settings->fabric)},
                             {"admin", "http://" + to_string(*admin)}});
  });
  duty.every(100'000);
  const auto reload = [](std::string_view which, const std::filesystem::path& path, auto use) {
    const auto keys = host::load_keys(path);
    if (!keys) return host::log_error("keeping the old keys: " + keys.error().message);
    use(*keys);
    host::log_info("keys reloaded", {{"of", which}, {"accepted", keys->previous ? 2U : 1U}});
  };
  const auto read_keys = [&] {
    reload("tokens", key_path(options), [&](const auto& keys) { door.set_keys(keys); });
    if (options.door_listen.empty()) return;
    reload("doors", door_key_path(options), [&](const auto& keys) { door.set_door_keys(keys); });
  };
  host::ServiceManager service_manager(loop);
  loop.on_hangup([&] { service_manager.reload(read_keys); });
  loop.on_signal([&](int) {
    service_manager.stopping();
    door.prepare_to_close();
  });
  service_manager.serving();
  loop.run();
  players.stop();
  host::log_info("stopped");
  return host::exit_ok;
}

}  // namespace
}  // namespace perigee::gateway

int main(int argc, char** argv) {
  using namespace perigee;
  gateway::Options options;
  host::Settings settings(
      std::string(gateway::process),
      "The public UDP endpoint: netcode 1.02 towards clients, fabric towards workers.",
      "  perigee-gateway\n"
      "  perigee-gateway --listen 0.0.0.0 --gateway-public play.example.org:40000");
  gateway::declare(settings, options);
  host::declare_metrics(settings, "gateway", [](host::Metrics& metrics) {
    const gateway::Exported exported(metrics);
    const host::GrpcTable grpc(metrics);
    const tracing::TracerTable tracer(metrics);
  });
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  host::apply_log("gateway", options.common);
  return gateway::run(options, settings.print());
}
