// perigee-ctl replace: one worker takes the place of another, while people play.
#include <algorithm>
#include <string>
#include <thread>

#include "calls.hpp"
#include "directory.grpc.pb.h"
#include "perigee/host/process.hpp"
#include "workers.hpp"

namespace perigee::session {
namespace {

namespace map = directory::v1;
using Orders = map::DirectoryControl::Stub;
using Clock = std::chrono::steady_clock;

constexpr auto look_every = std::chrono::milliseconds(250);

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
  Step both_there();
  Step all_safe(const map::Worker* but);
  Step hand_over();
  Step empty();
  std::string what_has(const map::Worker& worker) const;
  int regions_of(const map::Worker& worker) const;
  void say(const std::string& what);
  double passed_s() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }
  template <class Reply, class Request>
  grpc::Status order(grpc::Status (Orders::*method)(grpc::ClientContext*, const Request&, Reply*),
                     const Request& request) const;

  const std::string directory_, old_, new_;
  const double patience_s_;
  const Clock::time_point begun_ = Clock::now();
  map::ClusterMap now_;
  std::string said_, waits_for_;
  bool drained_ = false;
};

/// Each line once.
void Replacement::say(const std::string& what) {
  if (std::exchange(said_, what) == what) return;
  std::printf("%6.1f s  %s\n", passed_s(), what.c_str());
  std::fflush(stdout);
}

/// A directory that is itself being replaced, or stands still for a moment, is asked again.
bool Replacement::look() {
  grpc::Status status;
  for (const std::string& target : host::parts_of(directory_)) {
    const auto stub = map::Directory::NewStub(host::open_channel(target));
    map::ClusterMap now;
    status = attempt(*stub, &map::Directory::Stub::ListMap, map::ListMapRequest{}, now);
    if (!status.ok()) continue;
    now_ = std::move(now);
    return true;
  }
  waits_for_ = "the directory: " + status.error_message();
  return false;
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

/// A refusal is no failure here: most of them are over a moment later, and the last one is said.
template <class Reply, class Request>
grpc::Status Replacement::order(grpc::Status (Orders::*method)(grpc::ClientContext*, const Request&,
                                                               Reply*),
                                const Request& request) const {
  grpc::Status status;
  for (const std::string& target : host::parts_of(directory_)) {
    const auto stub = map::DirectoryControl::NewStub(host::open_channel(target));
    Reply reply;
    status = attempt(*stub, method, request, reply);
    if (status.ok() || status.error_code() == grpc::StatusCode::FAILED_PRECONDITION) break;
  }
  return status;
}

Replacement::Step Replacement::both_there() {
  if (find(old_) == nullptr) {
    std::fprintf(stderr, "perigee-ctl: no worker of the name %s lives; perigee-ctl workers\n",
                 old_.c_str());
    return Step::Failed;
  }
  for (const map::RefusedMember& refused : now_.refused()) {
    if (refused.name() != new_) continue;
    std::fprintf(stderr, "perigee-ctl: the directory refuses %s: %s\n", new_.c_str(),
                 refused.why().c_str());
    return Step::Failed;
  }
  const map::Worker* successor = find(new_);
  if (successor == nullptr) {
    waits_for_ = new_ + " to be started";
    return Step::Wait;
  }
  if (successor->draining()) {
    map::UndrainWorkerRequest request;
    request.set_worker(new_);
    order<map::UndrainWorkerReply>(&Orders::UndrainWorker, request);
    waits_for_ = new_ + " to be drained no more";
    return Step::Wait;
  }
  say(find(old_)->name() + " has build " + find(old_)->build() + ", " + new_ + " has " +
      successor->build());
  return Step::Done;
}

/// Nothing is lost if any of them dies now.
Replacement::Step Replacement::all_safe(const map::Worker* but) {
  for (const map::Worker& worker : now_.workers()) {
    if (!worker.alive() || (but != nullptr && worker.slot() == but->slot())) continue;
    const bool has_nothing = regions_of(worker) == 0 && worker.entities() == 0;
    if (has_nothing || (worker.has_buddy() && worker.buddy_in_sync())) continue;
    waits_for_ = worker.name() + " to have a buddy in sync";
    return Step::Wait;
  }
  for (const auto& says : ask_workers(now_)) {
    if (!says || says->groups_in_doubt() == 0) continue;
    waits_for_ = says->name() + " to hear of " + std::to_string(says->groups_in_doubt()) +
                 " groups in doubt: perigee-ctl limbo";
    return Step::Wait;
  }
  return Step::Done;
}

Replacement::Step Replacement::hand_over() {
  const map::Worker* leaver = find(old_);
  if (leaver == nullptr) return Step::Done;
  for (const map::Region& region : now_.regions()) {
    if (!region.has_owner() || region.owner() != leaver->slot()) continue;
    map::MoveRegionRequest request;
    request.set_region(region.region());
    request.set_worker(new_);
    const grpc::Status moved = order<map::MoveRegionReply>(&Orders::MoveRegion, request);
    if (moved.ok()) continue;
    waits_for_ = moved.error_message();
    return Step::Wait;
  }
  map::DrainWorkerRequest request;
  request.set_worker(old_);
  const grpc::Status drained = order<map::DrainWorkerReply>(&Orders::DrainWorker, request);
  waits_for_ = drained.error_message();
  drained_ = drained.ok();
  return drained.ok() ? Step::Done : Step::Wait;
}

Replacement::Step Replacement::empty() {
  const map::Worker* leaver = find(old_);
  const map::Worker* successor = find(new_);
  if (successor == nullptr) {
    std::fprintf(stderr, "perigee-ctl: %s is gone; what it had is its buddy's\n", new_.c_str());
    return Step::Failed;
  }
  if (leaver == nullptr) return Step::Done;
  say(what_has(*leaver) + "; " + what_has(*successor));
  if (regions_of(*leaver) == 0 && leaver->has_entities() && leaver->entities() == 0) {
    return Step::Done;
  }
  waits_for_ = old_ + " to give away the rest";
  return Step::Wait;
}

template <class Do>
bool Replacement::until_done(Do step) {
  for (;; std::this_thread::sleep_for(look_every)) {
    const Step became = look() ? step() : Step::Wait;
    if (became == Step::Done) return true;
    if (became == Step::Failed) return false;
    if (passed_s() < patience_s_) continue;
    std::fprintf(stderr, "perigee-ctl: given up after %.0f s, waiting for %s\n", passed_s(),
                 waits_for_.c_str());
    return false;
  }
}

int Replacement::run() {
  if (old_ == new_) {
    std::fprintf(stderr, "perigee-ctl: %s cannot take its own place\n", old_.c_str());
    return host::exit_usage;
  }
  const bool done =
      until_done([&] { return both_there(); }) && until_done([&] { return all_safe(nullptr); }) &&
      until_done([&] { return hand_over(); }) && until_done([&] { return empty(); }) &&
      until_done([&] { return all_safe(find(old_)); });
  if (!done) {
    if (drained_) {
      std::fprintf(stderr, "perigee-ctl: back again: perigee-ctl replace %s %s\n", new_.c_str(),
                   old_.c_str());
    }
    return host::exit_failed;
  }
  say("nothing is in doubt, and everybody else has a buddy in sync: " + old_ + " may be stopped");
  return host::exit_ok;
}

}  // namespace

int replace_worker(const std::string& directory, const std::string& old_one,
                   const std::string& new_one, double patience_s) {
  return Replacement(directory, old_one, new_one, patience_s).run();
}

}  // namespace perigee::session
