// `perigee-ctl in-doubt` and resolve: groups with an unresolved migration, and the remedy if no
// worker will ever acknowledge them.
#include <algorithm>
#include <string>

#include "calls.hpp"
#include "directory.grpc.pb.h"
#include "perigee/base/ids.hpp"
#include "perigee/host/process.hpp"
#include "workers.hpp"

namespace perigee::session {
namespace {

namespace map = directory::v1;
using Status = sim::v1::StatusReply;

/// The map and the status of its living workers.
struct Cluster {
  map::ClusterMap now;
  std::vector<std::optional<Status>> says;  ///< by slot
};

bool ask(const std::string& directory, Cluster& out) {
  if (!call_directory<map::Directory>(directory, &map::Directory::Stub::ListMap,
                                      map::ListMapRequest{}, out.now)) {
    return false;
  }
  out.says = ask_workers(out.now);
  return true;
}

/// Whether the worker answers for that incarnation: its own, or one it took over.
bool answers_for(const Status& status, std::uint32_t incarnation) {
  return std::find(status.incarnations().begin(), status.incarnations().end(), incarnation) !=
         status.incarnations().end();
}

std::string name_of(const Cluster& cluster, std::uint32_t slot) {
  const bool known = slot < static_cast<std::uint32_t>(cluster.now.workers_size());
  return known ? cluster.now.workers(static_cast<int>(slot)).name() : "unknown";
}

/// The reason, and the remedy.
std::string explain(const Cluster& cluster, const sim::v1::GroupInDoubt& group) {
  if (group.reason() == sim::v1::DOUBT_REASON_NO_ROOM) {
    return "refused by the receiver, and no room here: raise sim.players_max, sim.entities_max";
  }
  if (group.reason() == sim::v1::DOUBT_REASON_STANDBY_LOST) {
    return "waits until the directory reports that its worker has no standby";
  }
  if (!group.has_asked_slot()) return "no worker has taken over there: resolved with the next map";
  const std::string asked = name_of(cluster, group.asked_slot());
  if (group.reason() == sim::v1::DOUBT_REASON_NO_LINK) {
    return "no link with " + asked + ": repair it, or kill " + asked;
  }
  const bool known = group.asked_slot() < cluster.says.size();
  const auto& says = known ? cluster.says[group.asked_slot()] : std::nullopt;
  if (!says) return asked + " does not answer: kill " + asked;
  if (says->map_version() >= cluster.now.version() && !answers_for(*says, group.to_incarnation())) {
    return asked + " has no log of incarnation " + std::to_string(group.to_incarnation()) +
           ": resolve " + std::to_string(group.to_incarnation());
  }
  return asked + " is asked repeatedly; if that does not end: kill " + asked;
}

void print(const Cluster& cluster, const std::string& worker, const sim::v1::GroupInDoubt& group) {
  std::printf("%-10u  %-12s  %7u  %7.1f  %-20s  %-4u  %-4u  %s\n", group.group(),
              group.kind().empty() ? "?" : group.kind().c_str(), group.players(), group.for_s(),
              worker.c_str(), group.from_incarnation(), group.to_incarnation(),
              explain(cluster, group).c_str());
}

/// The recorded successor of that incarnation; none: there is no failover record.
std::optional<std::uint32_t> successor_of(const Cluster& cluster, std::uint32_t incarnation) {
  for (const map::FailoverRecord& failover_record : cluster.now.failover_records()) {
    const auto& workers = cluster.now.workers();
    const bool of_it =
        workers.size() > 0 && workers[0].handle_count() > 0 &&
        block_of(failover_record.handle_base(), workers[0].handle_count()).number == incarnation;
    if (of_it) return failover_record.successor();
  }
  return std::nullopt;
}

/// Whether no worker answers for the incarnation. A worker that has the incarnation's log would
/// continue to play the group, which would then exist twice.
bool nobody_answers(const Cluster& cluster, std::uint32_t incarnation) {
  const auto successor = successor_of(cluster, incarnation);
  if (!successor || *successor >= cluster.says.size()) return true;
  const std::string name = name_of(cluster, *successor);
  const auto& says = cluster.says[*successor];
  if (!says) {
    std::fprintf(
        stderr,
        "perigee-ctl: %s has taken over incarnation %u and does not answer; kill it first\n",
        name.c_str(), incarnation);
    return false;
  }
  if (says->map_version() < cluster.now.version()) {
    std::fprintf(stderr, "perigee-ctl: %s has not received the newest map yet; try again\n",
                 name.c_str());
    return false;
  }
  if (!answers_for(*says, incarnation)) return true;
  std::fprintf(stderr,
               "perigee-ctl: %s has taken over incarnation %u and answers for it; repair its "
               "links, or: kill %s\n",
               name.c_str(), incarnation, name.c_str());
  return false;
}

}  // namespace

int list_in_doubt(const std::string& directory) {
  Cluster cluster;
  if (!ask(directory, cluster)) return host::exit_failed;
  unsigned all = 0, shown = 0;
  for (std::size_t slot = 0; slot < cluster.says.size(); ++slot) {
    const auto& says = cluster.says[slot];
    if (!says) continue;
    all += says->groups_in_doubt();
    for (const sim::v1::GroupInDoubt& group : says->in_doubt()) {
      if (shown++ == 0) {
        print_head("%-10s  %-12s  %7s  %7s  %-20s  %-4s  %-4s  %s\n", "group", "kind", "players",
                   "for s", "worker", "from", "to", "reason, and remedy");
      }
      if (!print_json(group)) print(cluster, says->name(), group);
    }
  }
  const bool everybody = everybody_answered(cluster.now, cluster.says);
  if (all == 0) {
    std::fprintf(stderr, "nothing is in doubt%s\n",
                 everybody ? "" : " at the workers that answered");
  } else if (shown < all) {
    std::fprintf(stderr, "and %u more\n", all - shown);
  }
  return everybody ? host::exit_ok : host::exit_failed;
}

int resolve(const std::string& directory, std::uint32_t incarnation) {
  Cluster cluster;
  if (!ask(directory, cluster) || !nobody_answers(cluster, incarnation)) return host::exit_failed;
  map::ResolveIncarnationRequest request;
  request.set_incarnation(incarnation);
  map::ResolveIncarnationReply reply;
  if (!call_directory<map::DirectoryControl>(
          directory, &map::DirectoryControl::Stub::ResolveIncarnation, request, reply)) {
    return host::exit_failed;
  }
  if (print_json(reply)) return host::exit_ok;
  std::printf("incarnation %u is closed: groups on their way to it return to their senders\n",
              incarnation);
  return host::exit_ok;
}

}  // namespace perigee::session
