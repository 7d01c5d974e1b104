// perigee-directory: settings, gRPC, admin port and clock around the directory's core.
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "control.hpp"
#include "exported.hpp"
#include "open_store.hpp"
#include "perigee/coordination/loop_driver.hpp"
#include "perigee/host/admin_server.hpp"
#include "perigee/host/crash_report.hpp"
#include "perigee/host/grpc_metrics.hpp"
#include "perigee/host/grpc_server.hpp"
#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/metrics.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/host/service_manager.hpp"
#include "service.hpp"
#include "tracer.hpp"

namespace perigee::directory {
namespace {

constexpr std::string_view process = "perigee-directory";

using Corner = std::array<double, 3>;
Corner corner_of(const Vec3& place) { return {place.x, place.y, place.z}; }
Vec3 place_of(const Corner& corner) { return {corner[0], corner[1], corner[2]}; }

struct Options {
  host::ProcessOptions common;
  CoreSettings core;
  Corner world_low_m = corner_of(CoreSettings{}.world_low);
  Corner world_high_m = corner_of(CoreSettings{}.world_high);
  std::string fabric_seal = "tag";
  std::uint32_t fabric_key_s = 3'600;
  bool new_world = false;
  StoreOptions store;
  tracing::TracingOptions tracing;
};

void declare(host::Settings& settings, Options& options) {
  host::declare(settings, options.common);
  settings.numbers(
      "directory.world_low_m", options.world_low_m, {-world_reach_m, world_reach_m}, "m",
      "x,y,z of the corner of the game's world with the smallest coordinates; a larger "
      "world: more regions and workers, if players spread over it");
  settings.numbers("directory.world_high_m", options.world_high_m, {-world_reach_m, world_reach_m},
                   "m", "the opposite corner; an existing world keeps its own box");
  settings.number("directory.regions", &options.core.regions, {1, regions_max}, "regions",
                  "regions of a new world, as slices along x");
  settings.number("directory.workers", &options.core.workers, {1, workers_max}, "workers",
                  "regions get owners once this many have registered, or 5 s after the first");
  settings.flag("directory.balance", &options.core.balance,
                "split, merge and move regions by their load; off: only after orders and deaths");
  settings.flag("directory.standbys", &options.core.standbys,
                "each worker has a standby, which takes over when it dies; off: a worker's "
                "entities die with it");
  settings.former("directory.standbys", "directory.buddies");
  BalanceSettings& balancing = options.core.balancing;
  settings.number("directory.uneven_max", &balancing.uneven_max, {1.05, 10}, "",
                  "load of the most loaded worker relative to the mean before regions move; less: "
                  "more migrations for less gain");
  settings.number(
      "directory.idle_ms", &balancing.idle_ms, {0.01, 16}, "ms",
      "mean load per tick below which nothing is balanced; less: idle worlds migrate entities");
  settings.number(
      "directory.merge_share", &balancing.merge_share, {0, 1}, "",
      "share of the mean load below which two regions are merged; more: fewer regions to move");
  settings.number(
      "directory.slide_share", &balancing.slide_share, {0, 1}, "",
      "share of the mean load by which neighbours may differ; less: their planes follow noise");
  settings.number("directory.changes_max", &balancing.changes_max, {1, 64}, "regions",
                  "changes of regions under way at once; less: follows a crowd more slowly");
  settings.number(
      "directory.busy_max", &options.core.dilating.busy_max, {0.5, 1}, "",
      "share of a worker's time above which world time slows down; less: slows it needlessly");
  settings.choice("directory.fabric_seal", &options.fabric_seal, {"plain", "tag", "encrypt"},
                  "seal of datagrams between gateways and workers: none, authenticated, or also "
                  "encrypted, which costs more");
  settings.number("directory.fabric_key_s", &options.fabric_key_s, {10, 604'800}, "s",
                  "from one change of the fabric's keys to the next; less: a leaked key is of use "
                  "for a shorter time");
  declare_store(settings, options.store);
  tracing::declare(settings, options.tracing, options.common);
  settings.flag(
      "new_world", &options.new_world,
      "begin at tick 0 with an empty map; the old state file is kept aside, in etcd it is erased");
}

FabricSealing sealing_of(std::string_view name) {
  if (name == "plain") return FabricSealing::Plain;
  return name == "tag" ? FabricSealing::Tag : FabricSealing::Encrypt;
}

LeadershipOptions leadership_options(const Options& options) {
  return {.core = options.core,
          .store_name = name_of(options.store, options.common),
          .boot_id = boot_id(),
          .drawn_cluster_id = static_cast<std::uint32_t>(host::random_u64()) | 1U,
          .new_world = options.new_world && options.store.shared(),
          .alone = !options.store.shared()};
}

int run(const Options& options, const std::string& config) {
  host::report_crashes(process, host::crash_report_dir(options.common));
  const auto listen = host::listen_address(options.common, host::port::directory_grpc);
  const auto admin = host::admin_address(options.common, host::port::directory_admin);
  if (!listen) return host::report_failure(process, listen.error());
  if (!admin) return host::report_failure(process, admin.error());

  host::Loop loop;
  host::Metrics metrics("directory");
  Exported exported(metrics);
  host::GrpcTable grpc_table(metrics);
  tracing::TracerTable tracer_table(metrics);
  const auto tracer =
      tracing::Tracer::open(options.tracing, std::string(process), to_string(*listen));
  if (!tracer) return host::report_failure(process, tracer.error());
  const auto tls = host::open_cluster_tls(options.common, "directory");
  if (!tls) return host::report_failure(process, tls.error());
  auto opened = open_store(options.store, options.common, listen->port, options.new_world);
  if (!opened) return host::report_failure(process, opened.error());
  Service service(*opened->store, leadership_options(options), tls->get(), tracer->get());
  auto admin_server = host::AdminServer::start(loop, metrics, {*admin, config});
  if (!admin_server) return host::report_failure(process, admin_server.error());
  const auto audit = host::AuditLog::open(options.common.state_dir, "directory");
  if (!audit) return host::report_failure(process, audit.error());
  Control control(service, **audit);
  const std::array<grpc::Service*, 2> services{&service, &control};
  auto server = host::GrpcServer::start(
      {*listen, options.common.insecure, Service::limits, host::server_end(tls->get())}, services);
  if (!server) return host::report_failure(process, server.error());

  bool ready = false;
  const auto show_ready = [&] {
    if (service.hopeless()) return loop.stop();
    const std::string why = service.not_ready_because();
    (*admin_server)->set_not_ready(why);
    if (!why.empty() || std::exchange(ready, true)) return;
    host::log_info("ready", {{"grpc", to_string(*listen)},
                             {"admin", "http://" + to_string(*admin)},
                             {"store", options.store.engine}});
  };
  const coordination::LoopDriver driver(loop, *opened->store, [&] {
    service.poll();
    show_ready();
  });
  host::Timer duty(loop, [&] {
    service.advance();
    exported.show(service.stats());
    grpc_table.show({server->get()}, tls->get());
    tracer_table.show(tracer->get());
    if (*tls) (*tls)->follow();
  });
  duty.every(250'000);
  host::ServiceManager service_manager(loop);
  service_manager.serving();
  loop.run();
  service_manager.stopping();
  (*admin_server)->set_not_ready("stopping");
  service.stop();
  if (const auto why = service.hopeless()) return host::report_failure(process, *why);
  host::log_info("stopped");
  return host::exit_ok;
}

}  // namespace
}  // namespace perigee::directory

int main(int argc, char** argv) {
  using namespace perigee;
  directory::Options options;
  host::Settings settings(std::string(directory::process),
                          "Keeps the cluster map: members, regions and their owners, world time.",
                          "  perigee-directory\n"
                          "  perigee-directory --new-world\n"
                          "  perigee-directory --port-base 41000 --directory-workers 4 "
                          "--directory-regions 4\n"
                          "  perigee-directory --directory-balance=false\n"
                          "  perigee-directory --directory-store etcd --directory-etcd "
                          "10.0.0.2:2379,10.0.0.3:2379");
  directory::declare(settings, options);
  host::declare_metrics(settings, "directory", [](host::Metrics& metrics) {
    const directory::Exported exported(metrics);
    const host::GrpcTable grpc(metrics);
    const tracing::TracerTable tracer(metrics);
  });
  if (const auto exit_code = settings.load(argc, argv)) return *exit_code;
  options.core.world_low = directory::place_of(options.world_low_m);
  options.core.world_high = directory::place_of(options.world_high_m);
  options.core.fabric = {directory::sealing_of(options.fabric_seal),
                         Micros{options.fabric_key_s} * 1'000'000};
  if (const auto usable = directory::Core::check(options.core); !usable) {
    host::report_failure(directory::process, usable.error());
    return host::exit_usage;
  }
  host::apply_log("directory", options.common);
  return directory::run(options, settings.print());
}
