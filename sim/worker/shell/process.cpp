#include "perigee/worker/process.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "perigee/base/interest.hpp"
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
#include "perigee/purity/checked_twice.hpp"
#include "perigee/world/watched_game.hpp"
#include "runner.hpp"
#include "service.hpp"
#include "tracer.hpp"

namespace perigee::worker {
namespace {

constexpr std::string_view process = "perigee-sim";
constexpr std::uint16_t index_max = 9;  // ports of the workers of one machine are adjacent

struct Options {
  host::ProcessOptions common;
  std::uint16_t index = 0;
  std::string name;
  Settings core{.recorders = 4};
  std::string flight_dir;
  std::uint32_t flight_files_max = 64;
  std::uint32_t flight_mib_max = 64;
  std::uint32_t drain_s = 8;
  std::string world_store;
  bool check_purity = false;
  std::int64_t game_call_us_max = 4'000;
  tracing::TracingOptions tracing;
};

void declare(host::Settings& settings, Options& options) {
  host::declare(settings, options.common);
  host::declare_directory(settings, options.common);
  Settings& core = options.core;
  settings.number("index", &options.index, {0, index_max}, "",
                  "number of this worker on its machine; shifts its ports");
  settings.text("sim.name", &options.name, "unique in the cluster; default: sim- and the index");
  settings.number("sim.players_max", &core.players_max, {1, 5'000}, "players",
                  "further joins are refused: they would slow the ticks of all players");
  settings.number("sim.npcs_max", &core.npcs_max, {0, 5'000}, "NPCs",
                  "further ones are refused, and the game is told; each costs as much of a tick as "
                  "a player, and 0.3 MB");
  settings.number("sim.player_messages_per_s", &core.player_messages_per_s, {1, 1'000},
                  "messages/s",
                  "of one client that the game hears; more: a flood of one player costs the ticks "
                  "of all, less: a chat lags");
  settings.number("sim.game_call_us_max", &options.game_call_us_max, {1, 1'000'000}, "us",
                  "a call of the game that takes longer is counted, and logged once a minute with "
                  "its function; more: slow functions go unnoticed, less: the log is full of them");
  settings.number("sim.entities_max", &core.entities_max, {1'024, 1U << 18U}, "things",
                  "own entities, those held as a standby, and ghosts; more: 0.85 kB of memory each "
                  "at start, less: incoming entities are refused");
  settings.number(
      "sim.window_ticks", &core.inputs.window_ticks, {0, 30}, "ticks",
      "how late an input may still be applied; more: tolerates bad links, costs rollback");
  settings.number(
      "sim.rewind_steps_max", &core.rewind_steps_max, {0, 100'000}, "actor ticks",
      "re-simulated in one tick, about 1 us each; less: late inputs are left uncorrected");
  settings.number(
      "sim.repeat_ticks", &core.inputs.repeat_ticks_max, {0, 60}, "ticks",
      "how long a lost input is guessed to repeat the last one; more: overshoots after a stop");
  settings.number("sim.announce_ticks_min", &core.announce_ticks_min, {1, 60}, "ticks",
                  "before a change of parent takes effect; less: clients mispredict it");
  settings.number(
      "sim.announce_ticks_max", &core.announce_ticks_max, {1, 180}, "ticks",
      "the same for clients on the slowest links; less: players with long pings mispredict it");
  settings.text(
      "sim.flight_dir", &options.flight_dir,
      "folder for flight recordings of players whose clients mispredicted; empty: none are kept");
  settings.number(
      "sim.flight_beyond_m", &core.misprediction_m, {0.05, 1'000}, "m",
      "size of the misprediction that is recorded; less: more recordings, at most one a second");
  settings.number(
      "sim.flight_files_max", &options.flight_files_max, {2, 10'000}, "files",
      "kept in sim.flight_dir, the oldest are deleted first; less: gone before you look");
  settings.number("sim.flight_mib_max", &options.flight_mib_max, {1, 10'000}, "MiB",
                  "the same, total size of all recordings");
  settings.number("sim.recorders", &core.recorders, {0, 64}, "players",
                  "that operators can record at once, 30 s each; more: 1.4 MB each at start");
  settings.number(
      "sim.drain_s", &options.drain_s, {0, 600}, "s",
      "after SIGTERM, to migrate everything to other workers; less: may lose it, more: stops late");
  settings.text(
      "sim.world_store", &options.world_store,
      "durable store of the world: sqlite:PATH, or postgres:CONNECTION of libpq with the password "
      "in its passfile; the same for all workers; empty: the world is not stored");
  settings.flag("check_purity", &options.check_purity,
                "for developers: calls each function of the game that must be pure twice, and logs "
                "differences; costs twice the time of the game's functions");
  settings.numbers(
      "replication.rings_m", core.replication.rings.radius_m, {1, interest_radius_m}, "m",
      "radii of the rings with updates every 4, 12, 20 and 60 ticks; more: costs bytes");
  settings.number("replication.near_max", &core.replication.near_max, {8, 1'000}, "entities",
                  "in the near lane of one client; more: takes a larger part of its budget");
  settings.number("replication.client_budget_bytes_per_s",
                  &core.replication.client_budget_bytes_per_s, {8'192, 1'048'576}, "B/s",
                  "of entity records per client; less: distant entities move choppily");
  settings.number("replication.cue_budget_bytes_per_s", &core.replication.cue_budget_bytes_per_s,
                  {128, 16'384}, "B/s",
                  "of others' cues per client and worker, footsteps and the like; less: in a crowd "
                  "only the nearest ones are heard");
  tracing::declare(settings, options.tracing, options.common);
}

Result<Ok> check(const Settings& core) {
  if (core.announce_ticks_max < core.announce_ticks_min) {
    return Error{"sim.announce_ticks_max is below sim.announce_ticks_min; raise it"};
  }
  const auto& rings = core.replication.rings.radius_m;
  if (!std::is_sorted(rings.begin(), rings.end())) {
    return Error{"replication.rings_m: the radii must not decrease, e.g. 80,300,800,3000"};
  }
  return Ok{};
}

struct Addresses {
  Address fabric, grpc, admin, fabric_reach, grpc_reach;
};
Result<Addresses> addresses(const Options& options) {
  const auto at = [&](std::uint16_t offset) {
    return host::listen_address(options.common, static_cast<std::uint16_t>(offset + options.index));
  };
  const auto fabric = at(host::port::sim_fabric);
  if (!fabric) return fabric.error();
  const auto grpc = at(host::port::sim_grpc);
  if (!grpc) return grpc.error();
  const auto admin = host::admin_address(
      options.common, static_cast<std::uint16_t>(host::port::sim_admin + options.index));
  if (!admin) return admin.error();
  const auto fabric_reach = host::advertised_address(options.common, fabric->port);
  if (!fabric_reach) return fabric_reach.error();
  const auto grpc_reach = host::advertised_address(options.common, grpc->port);
  if (!grpc_reach) return grpc_reach.error();
  return Addresses{*fabric, *grpc, *admin, *fabric_reach, *grpc_reach};
}

std::filesystem::path crash_report_dir(const Options& options) {
  return host::crash_report_dir(options.common) / std::to_string(options.index);
}

Result<RunnerOptions> runner_options(const Options& options, const Addresses& at) {
  RunnerOptions out{
      .fabric = at.fabric,
      .fabric_reach = at.fabric_reach,
      .grpc_reach = at.grpc_reach,
      .name = options.name.empty() ? "sim-" + std::to_string(options.index) : options.name,
      .directory = host::directory_target(options.common),
      .insecure = options.common.insecure,
      .plain_epochs = options.common.insecure || is_loopback(at.fabric)
                          ? fabric_seal::PlainEpochs::Used
                          : fabric_seal::PlainEpochs::Refused,
      .core = options.core,
      .crash_report_dir = crash_report_dir(options).string(),
      .drain_us_max = Micros{options.drain_s} * 1'000'000};
  if (!options.flight_dir.empty()) {
    auto flights = flight_log::FlightLog::open(options.flight_dir, options.flight_files_max,
                                               options.flight_mib_max);
    if (!flights) return flights.error();
    out.flights = std::move(*flights);
    out.core.recorder.emplace();
  }
  return out;
}

/// None: no store is configured.
Result<std::shared_ptr<world_store::Store>> open_store(const std::string& where) {
  using Shared = std::shared_ptr<world_store::Store>;
  if (where.empty()) return Shared();
  auto opened = world_store::open(where);
  if (!opened) return Error{"sim.world_store: " + opened.error().message};
  return Shared(std::move(*opened));
}

void log_impurity(const purity::Impurity& impurity) {
  host::log_error("the game is not pure", {{"function", impurity.function},
                                           {"field", impurity.field},
                                           {"tick", impurity.tick.count},
                                           {"actor", impurity.identity},
                                           {"remedy", purity::to_sentence(impurity)}});
}

int run(const Options& options, const std::string& config, const world::GameModule& played) {
  host::report_crashes(process, crash_report_dir(options), flight_log::describe_game_call);
  const std::shared_ptr<const world::GameModule> borrowed(std::shared_ptr<void>(), &played);
  const purity::CheckedTwice twice(borrowed, log_impurity);
  world::SlowCalls slow_calls(host::Loop::clock_us, options.game_call_us_max);
  const world::WatchedGame game(options.check_purity ? twice : played, &slow_calls);
  const auto at = addresses(options);
  if (!at) return host::report_failure(process, at.error());
  const auto wanted = runner_options(options, *at);
  if (!wanted) return host::report_failure(process, wanted.error());
  auto store = open_store(options.world_store);
  if (!store) return host::report_failure(process, store.error());
  const auto tls = host::open_cluster_tls(options.common, "sim");
  if (!tls) return host::report_failure(process, tls.error());
  RunnerOptions of_runner = *wanted;
  of_runner.tls = tls->get();
  of_runner.store = *store;
  of_runner.slow_calls = &slow_calls;

  host::Loop loop;
  host::Metrics metrics("sim");
  Exported exported(metrics);
  host::GrpcTable grpc_table(metrics);
  tracing::TracerTable tracer_table(metrics);
  const auto tracer = tracing::Tracer::open(options.tracing, std::string(process), of_runner.name);
  if (!tracer) return host::report_failure(process, tracer.error());
  of_runner.tracer = tracer->get();
  ObservationFeed observations(game);
  RecorderCalls recorder_calls(loop, game, of_runner.name, of_runner.core.recorders,
                               options.flight_dir);
  const auto audit = host::AuditLog::open(options.common.state_dir, of_runner.name);
  if (!audit) return host::report_failure(process, audit.error());
  Service service(observations, recorder_calls, **audit);
  const std::array<grpc::Service*, 1> services{&service};
  auto admin_server = host::AdminServer::start(loop, metrics, {at->admin, config});
  if (!admin_server) return host::report_failure(process, admin_server.error());
  auto grpc_server = host::GrpcServer::start(
      {at->grpc, options.common.insecure, Service::limits, host::server_end(tls->get())}, services);
  if (!grpc_server) return host::report_failure(process, grpc_server.error());
  Runner runner(loop, exported, game, of_runner);
  if (const auto opened = runner.open(); !opened) {
    recorder_calls.stop();
    return host::report_failure(process, opened.error());
  }

  recorder_calls.use([&] { return runner.flight_recordings(); });

  std::string logged = "starting";
  (*admin_server)->set_unmet("/joined", logged);
  (*grpc_server)->set_healthy(false);
  host::Timer duty(loop, [&] {
    service.show(runner.show());
    observations.show(runner.world());
    recorder_calls.copy_next();
    exported.show(recorder_calls);
    grpc_table.show({grpc_server->get()}, tls->get());
    tracer_table.show(tracer->get());
    if (*tls) (*tls)->follow();
    if (runner.may_stop()) return loop.stop();
    (*admin_server)->set_unmet("/joined", std::string(runner.not_joined_because()));
    const std::string_view why = runner.not_ready_because();
    if (why == logged) return;
    const bool was_ready = logged.empty();
    logged = why;
    (*admin_server)->set_not_ready(std::string(why));
    (*grpc_server)->set_healthy(why.empty());
    if (was_ready) host::log_warning("not ready", {{"why", why}});
    if (why.empty()) {
      host::log_info("ready", {{"name", of_runner.name},
                               {"fabric", to_string(at->fabric)},
                               {"grpc", to_string(at->grpc)},
                               {"admin", "http://" + to_string(at->admin)}});
    }
  });
  duty.every(100'000);
  host::ServiceManager service_manager(loop);
  loop.on_signal([&](int) {
    service_manager.stopping();
    runner.leave();
  });
  if (of_runner.flights) loop.on_hangup([&] { runner.record_everybody(); });
  service_manager.serving();
  loop.run();
  (*admin_server)->set_not_ready("stopping");
  (*admin_server)->set_unmet("/joined", "stopping");
  (*grpc_server)->set_healthy(false);
  observations.stop();
  recorder_calls.stop();
  host::log_info("stopped");
  return host::exit_ok;
}

/// `any_game`: the setting `game` may load another one than that of the program.
int run_with(int argc, char** argv, game_library::GameChoice& choice, bool any_game) {
  Options options;
  std::string examples =
      "  perigee-sim\n"
      "  perigee-sim --index 1\n"
      "  perigee-sim --sim-flight-dir /var/lib/perigee/flights\n"
      "  perigee-sim --directory 10.0.0.5:40011 --listen 10.0.0.7 --insecure";
  if (any_game) examples += "\n  perigee-sim --game build/libmygame.so";
  if (choice.stages().size() > 1) {
    examples += "\n  perigee-sim --stage " + choice.stages().back().name;
  }
  host::Settings settings(std::string(process),
                          "A simulation worker: owns regions of the world and simulates them.",
                          examples);
  declare(settings, options);
  if (any_game) choice.declare_game(settings);
  choice.declare_stage(settings);
  settings.check([&options] { return check(options.core); });
  host::declare_metrics(settings, "sim", [](host::Metrics& metrics) {
    const Exported exported(metrics);
    const host::GrpcTable grpc(metrics);
    const tracing::TracerTable tracer(metrics);
  });
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  const world::GameModule& game = choice.game();
  if (const auto checked = world::check(game.types()); !checked) {
    return host::report_failure(process, checked.error());
  }
  host::apply_log("sim", options.common);
  return run(options, settings.print(), game);
}

}  // namespace

int run_process(int argc, char** argv, const world::GameModule& game) {
  const std::array only{Stage{"", game}};
  return run_process(argc, argv, only);
}

int run_process(int argc, char** argv, std::span<const Stage> stages) {
  PERIGEE_ASSERT(!stages.empty(), "a worker needs a game");
  plugin::Stages linked;
  for (const Stage& each : stages) linked.push_back(game_library::borrowed(each.name, each.game));
  game_library::GameChoice choice(std::move(linked));
  return run_with(argc, argv, choice, false);
}

int run_process(int argc, char** argv, game_library::GameChoice& choice) {
  return run_with(argc, argv, choice, true);
}

}  // namespace perigee::worker
