// perigee-ctl split, merge, move, drain, undrain, kill, balance, dilate and rotate-keys: division
// of the world, ownership, rate of world time, and keys of the fabric.
#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "calls.hpp"
#include "directory.grpc.pb.h"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/process.hpp"

namespace perigee::session {
namespace {

namespace map = directory::v1;
using Orders = map::DirectoryControl::Stub;

template <class Request, class Reply>
bool order(const std::string& directory,
           grpc::Status (Orders::*method)(grpc::ClientContext*, const Request&, Reply*),
           const Request& request, Reply& reply) {
  const bool done = call_directory<map::DirectoryControl>(directory, method, request, reply);
  if (done) print_json(reply);
  return done;
}

/// Waits until the worker has nothing left, or is gone.
int await_drained(const std::string& directory, const std::string& worker) {
  for (unsigned shown = ~0U;;) {
    map::ClusterMap now;
    if (!call_directory<map::Directory>(directory, &map::Directory::Stub::ListMap,
                                        map::ListMapRequest{}, now)) {
      return host::exit_failed;
    }
    const auto found =
        std::find_if(now.workers().begin(), now.workers().end(),
                     [&](const map::Worker& entry) { return entry.name() == worker; });
    if (found == now.workers().end() || !found->alive()) break;
    if (!found->draining()) {
      std::fprintf(stderr, "perigee-ctl: %s is no longer being drained\n", worker.c_str());
      return host::exit_failed;
    }
    const auto regions =
        std::count_if(now.regions().begin(), now.regions().end(), [&](const map::Region& region) {
          return region.has_owner() && region.owner() == found->slot();
        });
    if (regions == 0 && found->has_entities() && found->entities() == 0) break;
    if (found->entities() != shown) {
      shown = found->entities();
      std::fprintf(as_json() ? stderr : stdout, "%u entities left, %d regions\n", shown,
                   static_cast<int>(regions));
      std::fflush(stdout);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  std::fprintf(as_json() ? stderr : stdout, "%s is empty\n", worker.c_str());
  return host::exit_ok;
}

int split(const std::string& directory, std::uint32_t region, const std::string& axis,
          std::optional<double> at_m) {
  map::SplitRegionRequest request;
  request.set_region(region);
  if (!axis.empty()) request.set_axis(static_cast<map::Axis>(map::AXIS_X + (axis[0] - 'x')));
  if (at_m) request.set_at_m(*at_m);
  map::SplitRegionReply reply;
  if (!order(directory, &Orders::SplitRegion, request, reply)) return host::exit_failed;
  if (as_json()) return host::exit_ok;
  std::printf("region %u is the new part; perigee-ctl regions lists both\n", reply.part());
  return host::exit_ok;
}

int kill(const std::string& directory, const std::string& worker, bool force) {
  map::KillWorkerRequest request;
  request.set_worker(worker);
  request.set_force(force);
  map::KillWorkerReply reply;
  if (!order(directory, &Orders::KillWorker, request, reply)) return host::exit_failed;
  if (as_json()) return host::exit_ok;
  if (reply.successor().empty()) {
    std::printf("%s is declared dead; its regions start anew, or from the last checkpoint\n",
                worker.c_str());
  } else {
    std::printf("%s is declared dead; %s takes over all its entities\n", worker.c_str(),
                reply.successor().c_str());
  }
  return host::exit_ok;
}

/// Commands without a reply beyond success.
template <class Reply, class Request>
int done(const std::string& directory,
         grpc::Status (Orders::*method)(grpc::ClientContext*, const Request&, Reply*),
         const Request& request) {
  Reply reply;
  return order(directory, method, request, reply) ? host::exit_ok : host::exit_failed;
}

}  // namespace

struct MapOrders::Words {
  CLI::App *split, *merge, *move, *drain, *undrain, *kill, *balance, *dilate, *rotate;
  CLI::Option* at;
  std::uint32_t region = 0;
  std::string worker, axis, on_off, rate;
  double at_m = 0;
  bool wait = false, force = false;
};

MapOrders::MapOrders(CLI::App& app) : words_(std::make_shared<Words>()) {
  Words& w = *words_;
  w.split = app.add_subcommand("split", "split a region in two, at a multiple of 250 m");
  w.split->add_option("region", w.region, "number of the region")->required();
  w.split->add_option("--axis", w.axis, "x, y or z; default: the longest")
      ->check(CLI::IsMember({"x", "y", "z"}));
  w.at = w.split->add_option("--at", w.at_m,
                             "metres from the origin; default: the plane that halves the load");
  w.merge = app.add_subcommand("merge", "merge a region with the sibling from which it was split");
  w.merge->add_option("region", w.region, "number of the region, which remains")->required();
  w.move = app.add_subcommand("move", "move a region to another worker, during play");
  w.move->add_option("region", w.region, "number of the region")->required();
  w.move->add_option("worker", w.worker, "name of the worker")->required();
  w.drain = app.add_subcommand("drain",
                               "migrate everything from a worker to others; it gets nothing new");
  w.drain->add_option("worker", w.worker, "name of the worker")->required();
  w.drain->add_flag("--wait", w.wait, "wait until the worker is empty");
  w.undrain = app.add_subcommand("undrain", "let a drained worker have regions again");
  w.undrain->add_option("worker", w.worker, "name of the worker")->required();
  w.kill = app.add_subcommand("kill", "declare a worker dead at once: its standby takes over");
  w.kill->add_option("worker", w.worker, "name of the worker")->required();
  w.kill->add_flag("--force", w.force, "even without a standby that could take over");
  w.kill->footer(
      "For a worker that hangs or is cut off from others: players keep their avatars. A "
      "process\nthat still runs starts a new, empty incarnation, and gets its share by "
      "balancing.\nexamples:\n  perigee-ctl kill sim-1\n  perigee-ctl kill sim-1 --force");
  w.balance = app.add_subcommand("balance", "turn load balancing of regions on or off");
  w.balance->add_option("on", w.on_off, "on or off; kept until changed")
      ->required()
      ->check(CLI::IsMember({"on", "off"}));
  w.dilate = app.add_subcommand("dilate", "set the rate of world time");
  w.dilate
      ->add_option("rate", w.rate, "0.5 to 1 of real time, or auto: by load; kept until changed")
      ->required()
      ->check(CLI::IsMember({"auto"}) | CLI::Range(0.5, 1.0));
  w.rotate = app.add_subcommand(
      "rotate-keys", "change the keys of the fabric now, during play; takes a few seconds");
}

std::optional<int> MapOrders::run(const std::string& directory) const {
  const Words& w = *words_;
  if (w.split->parsed()) {
    return split(directory, w.region, w.axis,
                 w.at->count() > 0 ? std::optional<double>(w.at_m) : std::nullopt);
  }
  if (w.merge->parsed()) {
    map::MergeRegionRequest request;
    request.set_region(w.region);
    return done<map::MergeRegionReply>(directory, &Orders::MergeRegion, request);
  }
  if (w.move->parsed()) {
    map::MoveRegionRequest request;
    request.set_region(w.region);
    request.set_worker(w.worker);
    return done<map::MoveRegionReply>(directory, &Orders::MoveRegion, request);
  }
  if (w.drain->parsed()) {
    map::DrainWorkerRequest request;
    request.set_worker(w.worker);
    const int code = done<map::DrainWorkerReply>(directory, &Orders::DrainWorker, request);
    return code == host::exit_ok && w.wait ? await_drained(directory, w.worker) : code;
  }
  if (w.undrain->parsed()) {
    map::UndrainWorkerRequest request;
    request.set_worker(w.worker);
    return done<map::UndrainWorkerReply>(directory, &Orders::UndrainWorker, request);
  }
  if (w.kill->parsed()) return kill(directory, w.worker, w.force);
  if (w.balance->parsed()) {
    map::SetBalanceRequest request;
    request.set_on(w.on_off == "on");
    return done<map::SetBalanceReply>(directory, &Orders::SetBalance, request);
  }
  if (w.dilate->parsed()) {
    map::SetRateRequest request;
    if (w.rate != "auto") {
      request.set_percent(static_cast<std::uint32_t>(std::lround(std::stod(w.rate) * 100)));
    }
    return done<map::SetRateReply>(directory, &Orders::SetRate, request);
  }
  if (w.rotate->parsed()) {
    return done<map::ChangeFabricKeysReply>(directory, &Orders::ChangeFabricKeys,
                                            map::ChangeFabricKeysRequest{});
  }
  return std::nullopt;
}

}  // namespace perigee::session
