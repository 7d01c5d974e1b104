// perigee-ctl regions and workers: ownership of the world's regions, and the workers' status.
#include <string>

#include "calls.hpp"
#include "directory.grpc.pb.h"
#include "perigee/host/process.hpp"
#include "workers.hpp"

namespace perigee::session {
namespace {

namespace map = directory::v1;

bool read_map(const std::string& directory, map::ClusterMap& out) {
  return call_directory<map::Directory>(directory, &map::Directory::Stub::ListMap,
                                        map::ListMapRequest{}, out);
}

std::string span_m(double low, double high) {
  return std::to_string(static_cast<long>(low)) + " to " + std::to_string(static_cast<long>(high));
}

/// The standby's slot; without a standby, the worker's death loses its entities.
std::string standby_of(const map::Worker& worker) {
  if (!worker.has_standby()) return "none";
  return std::to_string(worker.standby()) + (worker.standby_in_sync() ? "" : ", copying");
}

void print_worker(const map::Worker& worker, const char* state, const sim::v1::StatusReply* says) {
  std::printf("%-4u  %-20s  %-9s", worker.slot(), worker.name().c_str(), state);
  if (says == nullptr) {
    std::printf("\n");
    return;
  }
  unsigned owned = 0, ghosts = 0;
  for (const sim::v1::EntityCount& kind : says->entities()) {
    owned += kind.count();
    ghosts += kind.ghosts();
  }
  std::printf("  %7d  %7u  %8u  %6u  %7.2f  %8.2f  %6.2f  %6.2f  %8llu  %9.1f  %-12s  %s\n",
              says->regions_size(), says->players(), owned, ghosts, worker.load_ms(),
              worker.overhead_ms(), says->tick_p50_us() / 1e3, says->tick_p99_us() / 1e3,
              static_cast<unsigned long long>(says->overruns()),
              static_cast<double>(says->tick_lag_us()) / 1e3, standby_of(worker).c_str(),
              worker.build().c_str());
}

/// The rate once the last change is in force.
void print_time(const map::ClusterMap& now) {
  if (now.time().empty()) return;
  std::fprintf(stderr, "world time passes at %u %% of real time%s\n",
               now.time().rbegin()->rate_ppm() / 10'000,
               now.has_rate_percent() ? ", as ordered" : "");
}

/// Running processes that the directory refuses.
void print_refused(const map::ClusterMap& now) {
  for (const map::RefusedMember& refused : now.refused()) {
    std::fprintf(stderr, "refused, %.0f s ago: %s: %s\n", refused.ago_s(), refused.name().c_str(),
                 refused.why().c_str());
  }
}

}  // namespace

int list_regions(const std::string& directory) {
  map::ClusterMap now;
  if (!read_map(directory, now)) return host::exit_failed;
  print_head("%-6s  %-20s  %5s  %7s  %8s  %5s  %-8s  %-16s  %-16s  %-16s\n", "region", "owner",
             "epoch", "cost ms", "entities", "away", "state", "x m", "y m", "z m");
  for (const map::Region& region : now.regions()) {
    if (print_json(region)) continue;
    const int owner = region.has_owner() ? static_cast<int>(region.owner()) : -1;
    const bool known = owner >= 0 && owner < now.workers_size();
    const char* state = !known ? "alone" : region.changing() ? "changing" : "settled";
    std::printf("%-6u  %-20s  %5u  %7.2f  %8u  %5u  %-8s  %-16s  %-16s  %-16s\n", region.region(),
                known ? now.workers(owner).name().c_str() : "none", region.epoch(),
                region.cost_ms(), region.entities(), region.away(), state,
                span_m(region.low().x(), region.high().x()).c_str(),
                span_m(region.low().y(), region.high().y()).c_str(),
                span_m(region.low().z(), region.high().z()).c_str());
  }
  std::fprintf(stderr, "balance is %s\n", now.balance() ? "on" : "off");
  print_time(now);
  return host::exit_ok;
}

int list_gateways(const std::string& directory) {
  map::ClusterMap now;
  if (!read_map(directory, now)) return host::exit_failed;
  print_head("%-4s  %-20s  %-9s  %-21s  %s\n", "slot", "name", "state", "players dial", "build");
  for (const map::Gateway& gateway : now.gateways()) {
    if (print_json(gateway)) continue;
    std::printf("%-4u  %-20s  %-9s  %-21s  %s\n", gateway.slot(), gateway.name().c_str(),
                gateway.alive() ? "alive" : "gone", gateway.public_udp_address().c_str(),
                gateway.build().c_str());
  }
  print_refused(now);
  return host::exit_ok;
}

int list_workers(const std::string& directory) {
  map::ClusterMap now;
  if (!read_map(directory, now)) return host::exit_failed;
  print_head("%-4s  %-20s  %-9s  %7s  %7s  %8s  %6s  %7s  %8s  %6s  %6s  %8s  %9s  %-12s  %s\n",
             "slot", "name", "state", "regions", "players", "entities", "ghosts", "load ms",
             "overhead", "p50 ms", "p99 ms", "overruns", "behind ms", "standby", "build");
  const auto says = ask_workers(now);
  for (std::size_t slot = 0; slot < says.size(); ++slot) {
    const map::Worker& worker = now.workers(static_cast<int>(slot));
    if (as_json()) {
      std::printf("{\"worker\":%s,\"status\":%s}\n", json_of(worker).c_str(),
                  says[slot] ? json_of(*says[slot]).c_str() : "null");
      continue;
    }
    const char* lives = says[slot] ? "alive" : "no answer";
    const char* state = says[slot] && worker.draining() ? "draining" : lives;
    print_worker(worker, worker.alive() ? state : "gone", says[slot] ? &*says[slot] : nullptr);
  }
  print_refused(now);
  print_time(now);
  return everybody_answered(now, says) ? host::exit_ok : host::exit_failed;
}

}  // namespace perigee::session
