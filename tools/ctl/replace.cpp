// perigee-ctl replace: one worker takes the place of another while the world runs.
#include <algorithm>
#include <optional>
#include <string>
#include <thread>

#include "calls.hpp"
#include "directory.grpc.pb.h"
#include "perigee/base/worker_report.hpp"
#include "perigee/host/process.hpp"
#include "workers.hpp"

namespace perigee::session {
namespace {

namespace map = directory::v1;
using Orders = map::DirectoryControl::Stub;
using Clock = std::chrono::steady_clock;

constexpr auto look_every = std::chrono::milliseconds(250);
/// Waits longer than this are reported.
constexpr double show_wait_after_s = 1.5;
constexpr double all_reported_s = static_cast<double>(reports_apart_us + reported_within_us) * 1e-6;

grpc::Status last_of(const Answers& answers) {
  return answers.empty()
             ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "no directory: set --directory")
             : answers.back().second;
}

class Replacement {
 public:
  Replacement(std::string directory, std::string old_one, std::string new_one, double patience_s)
      : directory_(std::move(directory)),
        old_(std::move(old_one)),
        new_(std::move(new_one)),
        patience_s_(patience_s) {}
  int run();

 private:
  enum class Step : std::uint8_t { Wait, Done, Failed };
  template <class Do>
  bool until_done(Do step);
  bool look();
  const map::Worker* find(const std::string& name) const;
  Step wait(std::string what, std::string remedy);
  Step failed(const std::string& why) const;
  Step both_there();
  Step both_live_on() const;
  Step all_safe();
  Step hand_over();
  Step empty();
  bool could_have_standby(const map::Worker& worker) const;
  bool nobody_has_standbys() const;
  std::string what_has(const map::Worker& worker) const;
  int regions_of(const map::Worker& worker) const;
  void print(const std::string& what, bool waits = false);
  void print_next_step() const;
  double passed_s() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }
  template <class Reply, class Request>
  grpc::Status order(grpc::Status (Orders::*method)(grpc::ClientContext*, const Request&, Reply*),
                     const Request& request) const;

  const std::string directory_, old_, new_;
  const double patience_s_;
  const Clock::time_point begun_ = Clock::now();
  map::ClusterMap now_;
  std::optional<double> empty_since_s_;  ///< first of the looks that found the leaver empty
  std::string printed_, printed_wait_, waits_for_, remedy_;
  std::optional<unsigned> old_incarnation_, new_incarnation_;  ///< once both workers were there
  bool ordered_ = false;  ///< the directory was asked to move things
};

Replacement::Step Replacement::wait(std::string what, std::string remedy) {
  waits_for_ = std::move(what);
  remedy_ = std::move(remedy);
  return Step::Wait;
}

Replacement::Step Replacement::failed(const std::string& why) const {
  std::fprintf(stderr, "perigee-ctl: %s\n", why.c_str());
  return Step::Failed;
}

/// Prints a message once until it changes.
void Replacement::print(const std::string& what, bool waits) {
  if (std::exchange(waits ? printed_wait_ : printed_, what) == what) return;
  if (as_json()) {
    std::printf("{\"s\":%.1f,\"step\":\"%s\"}\n", passed_s(), what.c_str());
  } else {
    std::printf("%6.1f s  %s\n", passed_s(), what.c_str());
  }
  std::fflush(stdout);
}

/// Repeats the call while the directory is itself being replaced, or stalls for a moment.
bool Replacement::look() {
  map::ClusterMap now;
  const Answers answers = ask_directory<map::Directory>(directory_, &map::Directory::Stub::ListMap,
                                                        map::ListMapRequest{}, now);
  const grpc::Status status = last_of(answers);
  if (!status.ok()) {
    wait("the directory, which answered: " + status.error_message(),
         "is it running, and is --directory right? " + directory_);
    return false;
  }
  now_ = std::move(now);
  return true;
}

const map::Worker* Replacement::find(const std::string& name) const {
  for (const map::Worker& worker : now_.workers()) {
    if (worker.name() == name && worker.alive()) return &worker;
  }
  return nullptr;
}

int Replacement::regions_of(const map::Worker& worker) const {
  return static_cast<int>(
      std::count_if(now_.regions().begin(), now_.regions().end(), [&](const map::Region& region) {
        return region.has_owner() && region.owner() == worker.slot();
      }));
}

std::string Replacement::what_has(const map::Worker& worker) const {
  return worker.name() + ": " + std::to_string(regions_of(worker)) + " regions, " +
         std::to_string(worker.players()) + " players, " + std::to_string(worker.entities()) +
         " things";
}

/// A refusal is not a failure here. Most refusals end a moment later, and the last one is printed.
template <class Reply, class Request>
grpc::Status Replacement::order(grpc::Status (Orders::*method)(grpc::ClientContext*, const Request&,
                                                               Reply*),
                                const Request& request) const {
  Reply reply;
  return last_of(ask_directory<map::DirectoryControl>(directory_, method, request, reply));
}

Replacement::Step Replacement::both_there() {
  const map::Worker* leaver = find(old_);
  if (leaver == nullptr) {
    return failed("no worker named " + old_ + " is alive; perigee-ctl workers lists them");
  }
  const map::Worker* successor = find(new_);
  if (successor == nullptr) {
    for (const map::RefusedMember& refused : now_.refused()) {
      if (refused.name() == new_) {
        return failed("the directory refuses " + new_ + ": " + refused.why());
      }
    }
    return wait(new_ + " to start", "start it, or check its log and /ready");
  }
  if (successor->draining()) {
    map::UndrainWorkerRequest request;
    request.set_worker(new_);
    order<map::UndrainWorkerReply>(&Orders::UndrainWorker, request);
    return wait(new_ + " to be undrained", "was it stopped? start another one");
  }
  old_incarnation_ = leaver->incarnation();
  new_incarnation_ = successor->incarnation();
  print(old_ + " has build " + leaver->build() + ", " + new_ + " has " + successor->build());
  return Step::Done;
}

/// A worker's name stays the same when its incarnation ends.
Replacement::Step Replacement::both_live_on() const {
  const map::Worker* leaver = find(old_);
  const map::Worker* successor = find(new_);
  if (successor == nullptr || successor->incarnation() != new_incarnation_) {
    return failed(new_ +
                  " has died: its standby, if it had one, takes over what it had received; "
                  "everything else is where it was");
  }
  if (leaver == nullptr || leaver->incarnation() != old_incarnation_) {
    return failed(old_ + " has died: its standby takes over what was left there, and migrates to " +
                  new_ + " everything in that worker's regions");
  }
  return Step::Done;
}

/// Another worker remains that has a world and could hold a standby replica.
bool Replacement::could_have_standby(const map::Worker& worker) const {
  return std::any_of(now_.workers().begin(), now_.workers().end(), [&](const map::Worker& other) {
    return other.alive() && !other.draining() && other.slot() != worker.slot() &&
           regions_of(other) > 0;
  });
}

/// True with `directory.standbys=false`: otherwise every worker that could have a standby has one.
bool Replacement::nobody_has_standbys() const {
  return std::none_of(now_.workers().begin(), now_.workers().end(), [](const map::Worker& worker) {
    return worker.alive() && worker.has_standby();
  });
}

/// Where a standby is possible, no worker's death would lose anything now. Empty workers do not
/// count.
Replacement::Step Replacement::all_safe() {
  for (const map::Worker& worker : now_.workers()) {
    const bool has_nothing = regions_of(worker) == 0 && worker.entities() == 0;
    if (!worker.alive() || has_nothing || (worker.has_standby() && worker.standby_in_sync()))
      continue;
    if (!could_have_standby(worker) || nobody_has_standbys()) continue;
    return wait(worker.name() + " to have a standby in sync",
                "perigee-ctl workers shows which standby is copying; the logs of both report a "
                "missing link");
  }
  const auto answers = ask_workers(now_);
  if (!everybody_answered(now_, answers)) {
    return wait("every worker to report its in-doubt groups",
                "the gRPC port of each worker named above must be reachable from here");
  }
  for (const auto& says : answers) {
    if (!says || says->groups_in_doubt() == 0) continue;
    return wait(says->name() + " to resolve " + std::to_string(says->groups_in_doubt()) +
                    " in-doubt groups",
                "perigee-ctl in-doubt shows the worker that is asked, and the remedy");
  }
  return Step::Done;
}

Replacement::Step Replacement::hand_over() {
  if (both_live_on() == Step::Failed) return Step::Failed;
  ordered_ = true;
  const map::Worker* leaver = find(old_);
  for (const map::Region& region : now_.regions()) {
    if (!region.has_owner() || region.owner() != leaver->slot()) continue;
    map::MoveRegionRequest request;
    request.set_region(region.region());
    request.set_worker(new_);
    const grpc::Status moved = order<map::MoveRegionReply>(&Orders::MoveRegion, request);
    if (moved.ok()) continue;
    return wait("region " + std::to_string(region.region()) + " to move to " + new_,
                moved.error_message());
  }
  map::DrainWorkerRequest request;
  request.set_worker(old_);
  const grpc::Status drained = order<map::DrainWorkerReply>(&Orders::DrainWorker, request);
  if (!drained.ok()) return wait(old_ + " to be drained", drained.error_message());
  return Step::Done;
}

/// The leaver's report and those of the others are not from the same moment. Once a period has
/// passed, all workers have reported again and renewed the status that they answer with.
Replacement::Step Replacement::empty() {
  if (both_live_on() == Step::Failed) return Step::Failed;
  const map::Worker& leaver = *find(old_);
  print(what_has(leaver) + "; " + what_has(*find(new_)));
  if (regions_of(leaver) != 0 || !leaver.has_entities() || leaver.entities() != 0) {
    empty_since_s_.reset();
    return wait(old_ + " to migrate the rest",
                "it keeps simulating the rest; see perigee-ctl in-doubt, and the logs of both");
  }
  if (!empty_since_s_) empty_since_s_ = passed_s();
  if (passed_s() - *empty_since_s_ < all_reported_s) {
    return wait("every worker to report once more",
                "perigee-ctl workers shows which worker reports");
  }
  return all_safe();
}

template <class Do>
bool Replacement::until_done(Do step) {
  for (const double since_s = passed_s();; std::this_thread::sleep_for(look_every)) {
    const Step became = look() ? step() : Step::Wait;
    if (became == Step::Done) return true;
    if (became == Step::Failed) return false;
    if (passed_s() - since_s >= show_wait_after_s) print("waiting for " + waits_for_, true);
    if (passed_s() < patience_s_) continue;
    std::fprintf(stderr, "perigee-ctl: gave up after %.0f s, waiting for %s. %s\n", passed_s(),
                 waits_for_.c_str(), remedy_.c_str());
    return false;
  }
}

/// Prints the resulting state of the cluster.
void Replacement::print_next_step() const {
  const char *from = old_.c_str(), *to = new_.c_str();
  if (!old_incarnation_) {
    std::fprintf(stderr, "perigee-ctl: nothing has changed\n");
  } else if (find(old_) == nullptr || find(old_)->incarnation() != old_incarnation_) {
    std::fprintf(stderr, "perigee-ctl: perigee-ctl workers shows which worker has what now\n");
  } else if (find(new_) == nullptr || find(new_)->incarnation() != new_incarnation_) {
    std::fprintf(stderr,
                 "perigee-ctl: %s keeps simulating what it has. To retry: start a worker, and "
                 "perigee-ctl replace %s NAME; to keep the old one: perigee-ctl undrain %s\n",
                 from, from, from);
  } else if (!ordered_) {
    std::fprintf(stderr, "perigee-ctl: nothing has changed; to retry: perigee-ctl replace %s %s\n",
                 from, to);
  } else {
    std::fprintf(stderr,
                 "perigee-ctl: do not stop %s. To continue: perigee-ctl replace %s %s; to go back: "
                 "perigee-ctl replace %s %s\n",
                 from, from, to, to, from);
  }
}

int Replacement::run() {
  if (old_ == new_) {
    std::fprintf(stderr, "perigee-ctl: %s cannot replace itself\n", old_.c_str());
    return host::exit_usage;
  }
  const bool done = until_done([&] { return both_there(); }) &&
                    until_done([&] { return all_safe(); }) &&
                    until_done([&] { return hand_over(); }) && until_done([&] { return empty(); });
  if (!done) {
    print_next_step();
    return host::exit_failed;
  }
  const bool alone = !could_have_standby(*find(new_)) || nobody_has_standbys();
  print((alone ? "no group is in doubt; no worker could take over from " + new_ + ": "
               : "no group is in doubt, and every other worker has a standby in sync: ") +
        old_ + " may be stopped");
  return host::exit_ok;
}

}  // namespace

int replace_worker(const std::string& directory, const std::string& old_one,
                   const std::string& new_one, double patience_s) {
  return Replacement(directory, old_one, new_one, patience_s).run();
}

}  // namespace perigee::session
