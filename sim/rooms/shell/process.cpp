#include "perigee/rooms/process.hpp"

#include <array>
#include <string_view>

#include "exported.hpp"
#include "fleet.hpp"
#include "perigee/flight_log/game_crash.hpp"
#include "perigee/game_library/game_choice.hpp"
#include "perigee/host/admin_server.hpp"
#include "perigee/host/crash_report.hpp"
#include "perigee/host/grpc_metrics.hpp"
#include "perigee/host/grpc_server.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/service_manager.hpp"
#include "perigee/transport/keys.hpp"
#include "perigee/world/schema.hpp"
#include "perigee/world/watched_game.hpp"
#include "runner.hpp"
#include "service.hpp"

namespace perigee::rooms {
namespace {

constexpr std::string_view process = "perigee-rooms";
constexpr std::uint16_t index_max = 9;
/// Time in which the last datagrams are sent.
constexpr Micros farewell_us = 100'000;

struct Options {
  host::ProcessOptions common;
  std::uint16_t index = 0;
  std::string public_address;
  bool agones = false;
  HostSettings host;
  RoomPlan plan;
  std::uint32_t end_s = 10;
  double world_m = 2'000;
  std::int64_t game_call_us_max = 4'000;
  std::string world_store;
};

void declare(host::Settings& settings, Options& options) {
  host::declare(settings, options.common);
  settings.number("index", &options.index, {0, index_max}, "",
                  "number of this process on its machine; shifts its ports");
  settings.text("rooms.public", &options.public_address,
                "host:port that players dial, if it differs from the listen address (NAT)");
  settings.flag("rooms.agones", &options.agones,
                "tell the sidecar of Agones, at the port AGONES_SDK_GRPC_PORT, what this process "
                "does; without rooms.public, players dial what it says");
  settings.number("rooms.max", &options.host.rooms_max, {1, 1'000}, "rooms",
                  "open at once; more: ticks of all rooms take longer, less: further ones are "
                  "refused");
  settings.number("rooms.clients_max", &options.host.clients_max, {1, transport::clients_limit},
                  "clients", "connected at once, in all rooms; 15 kB each, allocated at start");
  settings.number("rooms.players_max", &options.host.players_max, {1, 500}, "players",
                  "of one room; a room may ask for fewer, which saves memory");
  settings.number(
      "rooms.tick_us_max", &options.host.tick_us_max, {0, 1'000'000}, "us",
      "a room whose ticks take longer in the mean ends while the ticks of all rooms are "
      "late; less: a busy machine ends rooms, more: all rooms stutter; 0: never");
  settings.number("rooms.npcs_max", &options.host.worker.npcs_max, {0, 5'000}, "NPCs",
                  "of one room; each costs as much of a tick as a player, and 0.3 MB");
  settings.number("rooms.entities_max", &options.host.worker.entities_max, {64, 1U << 18U},
                  "things",
                  "of one room; more: 0.85 kB each at its begin, less: the game cannot "
                  "spawn further ones");
  settings.number("rooms.world_m", &options.world_m, {10, 500'000}, "m",
                  "half the length of a room's world, a cube around the origin: `populate` gets it "
                  "as its region; less: actors may leave it, more: nothing");
  settings.number("rooms.empty_s", &options.plan.empty_s, {0, 86'400}, "s",
                  "a room without players ends after this long, once it was played; less: players "
                  "who reconnect find it gone, more: idle rooms take places; 0: never");
  settings.number("rooms.unused_s", &options.plan.unused_s, {0, 86'400}, "s",
                  "a room to which no player comes ends after this long; 0: never");
  settings.number(
      "rooms.end_s", &options.end_s, {0, 3'600}, "s",
      "after SIGTERM, until open rooms are ended; less: ends matches, more: stops late");
  settings.text(
      "rooms.world_store", &options.world_store,
      "keeps profiles of players and results of matches: sqlite:PATH, or postgres:CONNECTION of "
      "libpq with the password in its passfile; processes of rooms may share one; empty: nothing "
      "is kept");
  settings.number("sim.game_call_us_max", &options.game_call_us_max, {1, 1'000'000}, "us",
                  "a call of the game that takes longer is counted, and logged once a minute with "
                  "its function; more: slow functions go unnoticed, less: the log is full of them");
}

struct Addresses {
  Address udp, grpc, admin, dialled;
};
Result<Addresses> addresses(const Options& options) {
  const auto port = [&](std::uint16_t first, std::uint16_t step) {
    return static_cast<std::uint16_t>(first + step * options.index);
  };
  const auto udp = host::listen_address(options.common, port(host::port::rooms_udp, 2));
  if (!udp) return udp.error();
  const auto grpc = host::listen_address(options.common, port(host::port::rooms_grpc, 2));
  if (!grpc) return grpc.error();
  const auto admin = host::admin_address(options.common, port(host::port::rooms_admin, 1));
  if (!admin) return admin.error();
  const auto dialled = options.public_address.empty()
                           ? host::advertised_address(options.common, udp->port)
                           : host::resolve(options.public_address);
  if (!dialled) return dialled.error();
  return Addresses{*udp, *grpc, *admin, *dialled};
}

void describe_crash(host::CrashText& text) {
  flight_log::describe_game_call(text);
  if (world::game_call().function == nullptr) return;
  (text << ", room ").number(running_room().number);
}

/// The stages, each watched for slow calls.
plugin::Stages watched(const plugin::Stages& stages, world::SlowCalls& slow_calls) {
  plugin::Stages out;
  for (const plugin::Stage& stage : stages) {
    const std::shared_ptr<const world::GameModule>& game = stage.game;
    out.push_back(
        {stage.name, std::shared_ptr<const world::GameModule>(
                         new world::WatchedGame(*game, &slow_calls),
                         [game](const world::GameModule* watching) { delete watching; })});
  }
  return out;
}

std::optional<AgonesOptions> fleet_options(const Options& options,
                                           const game_library::GameChoice& choice) {
  if (!options.agones) return std::nullopt;
  return AgonesOptions{.target = agones_target(),
                       .schema_hash = world::agreed_schema(choice.game()),
                       .rooms_max = options.host.rooms_max,
                       .clients_max = options.host.clients_max};
}

FleetFigures fleet_figures(const Runner& runner, bool ended) {
  const Host& host = runner.host();
  return {.rooms = static_cast<std::uint32_t>(host.rooms() + host.ending()),
          .players = static_cast<std::uint32_t>(host.door().snapshot().sessions),
          .leaving = runner.leaving(),
          .ended = ended};
}

/// None: no store is configured. A store that is away does not keep the process from its start.
Result<std::shared_ptr<world_store::Store>> open_store(const std::string& where) {
  using Shared = std::shared_ptr<world_store::Store>;
  if (where.empty()) return Shared();
  auto opened = world_store::open(where);
  if (!opened) return Error{"rooms.world_store: " + opened.error().message};
  const auto world = (*opened)->cluster_id();
  if (world && *world != 0 && *world != rooms_in_store.cluster_id) {
    return Error{"rooms.world_store: " + where +
                 " is the store of a cluster; name an empty one for rooms"};
  }
  return Shared(std::move(*opened));
}

struct Serving {
  host::Loop& loop;
  Runner& runner;
  Fleet& fleet;
  host::AdminServer& admin_server;
  host::GrpcServer& grpc_server;
  host::GrpcTable& grpc_table;
  host::ClusterTls* tls;  ///< null: none
};

/// Until the process has been told to stop, and its rooms are over.
void serve(const Serving& on) {
  bool closed = false;
  host::Timer farewell(on.loop, [&] { on.loop.stop(); });
  host::Timer duty(on.loop, [&] {
    Runner& runner = on.runner;
    runner.show();
    on.grpc_table.show({&on.grpc_server}, on.tls);
    if (on.tls != nullptr) on.tls->follow();
    const bool ended = closed && runner.ended();
    if (on.fleet.present()) on.fleet.show(fleet_figures(runner, ended));
    if (!runner.leaving()) on.admin_server.set_not_ready(std::string(runner.not_ready_because()));
    if (!runner.may_stop()) return;
    runner.close();
    closed = true;
    if (!ended || !on.fleet.done()) return;
    duty.stop();
    farewell.at(host::Loop::clock_us() + farewell_us);
  });
  duty.every(100'000);
  host::ServiceManager service_manager(on.loop);
  const auto leave = [&] {
    service_manager.stopping();
    on.admin_server.set_not_ready("stopping: open rooms are played on");
    on.grpc_server.set_healthy(false);
    on.runner.leave();
  };
  on.loop.on_signal([&](int) { leave(); });
  on.fleet.on_leave(leave);
  on.admin_server.set_not_ready("");
  service_manager.serving();
  on.loop.run();
}

int run(Options options, const std::string& config, const game_library::GameChoice& choice) {
  host::report_crashes(process, host::crash_report_dir(options.common), describe_crash);
  if (const auto crypto = transport::init_crypto(); !crypto) {
    return host::report_failure(process, crypto.error());
  }
  const auto at = addresses(options);
  if (!at) return host::report_failure(process, at.error());
  options.host.address = at->dialled;
  options.host.world_low = {-options.world_m, -options.world_m, -options.world_m};
  options.host.world_high = {options.world_m, options.world_m, options.world_m};
  options.plan.stage = choice.stage().name;
  world::SlowCalls slow_calls(host::Loop::clock_us, options.game_call_us_max);
  auto store = open_store(options.world_store);
  if (!store) return host::report_failure(process, store.error());
  const auto tls = host::open_cluster_tls(options.common, "rooms");
  if (!tls) return host::report_failure(process, tls.error());

  host::Loop loop;
  host::Metrics metrics("rooms");
  Exported exported(metrics);
  host::GrpcTable grpc_table(metrics);
  auto admin_server = host::AdminServer::start(loop, metrics, {at->admin, config});
  if (!admin_server) return host::report_failure(process, admin_server.error());
  Fleet fleet(loop, fleet_options(options, choice));
  if (fleet.present() && options.public_address.empty()) {
    const auto dialled = fleet.wait_for_address(**admin_server);
    if (!dialled) return host::exit_ok;
    options.host.address = *dialled;
  }
  Runner runner(loop, exported,
                {.listen = at->udp,
                 .host = options.host,
                 .stages = watched(choice.stages(), slow_calls),
                 .end_us_max = Micros{options.end_s} * 1'000'000,
                 .slow_calls = &slow_calls,
                 .store = std::move(*store)});
  if (const auto opened = runner.open(); !opened) {
    return host::report_failure(process, opened.error());
  }
  const auto audit = host::AuditLog::open(options.common.state_dir, "rooms");
  if (!audit) return host::report_failure(process, audit.error());
  Service service({loop, runner, options.plan, **audit});
  const std::array<grpc::Service*, 1> services{&service};
  auto grpc_server = host::GrpcServer::start(
      {at->grpc, options.common.insecure, Service::limits, host::server_end(tls->get())}, services);
  if (!grpc_server) return host::report_failure(process, grpc_server.error());

  host::log_info("ready", {{"udp", to_string(at->udp)},
                           {"public", to_string(options.host.address)},
                           {"grpc", to_string(at->grpc)},
                           {"admin", "http://" + to_string(at->admin)}});
  serve({loop, runner, fleet, **admin_server, **grpc_server, grpc_table, tls->get()});
  service.stop();
  host::log_info("stopped");
  return host::exit_ok;
}

}  // namespace

int run_process(int argc, char** argv, game_library::GameChoice& choice) {
  Options options;
  options.host.worker.entities_max = 1'024;
  options.host.worker.npcs_max = 16;
  host::Settings settings(std::string(process),
                          "Many small worlds in one process: a matchmaker begins rooms and invites "
                          "players by gRPC.",
                          "  perigee-rooms\n"
                          "  perigee-rooms --game build/libmygame.so --rooms-max 100\n"
                          "  perigee-rooms --listen 0.0.0.0 --rooms-public play.example.org:40080 "
                          "--insecure");
  declare(settings, options);
  choice.declare_game(settings);
  choice.declare_stage(settings);
  host::declare_metrics(settings, "rooms", [](host::Metrics& metrics) {
    const Exported exported(metrics);
    const host::GrpcTable grpc(metrics);
  });
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  if (const auto checked = world::check(choice.game().types()); !checked) {
    return host::report_failure(process, checked.error());
  }
  host::apply_log("rooms", options.common);
  return run(options, settings.print(), choice);
}

}  // namespace perigee::rooms
