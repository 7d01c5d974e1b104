// Questions to workers that are suspected to be dead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "probes.hpp"
#include "served.hpp"
#include "sim.grpc.pb.h"

namespace perigee::directory {
namespace {

/// A worker whose answers wait until it may answer, or until the asking side gives up.
class Asked final : public sim::v1::Sim::Service {
 public:
  explicit Asked(bool answers) : answers_(answers) {}
  grpc::Status Status(grpc::ServerContext* context, const sim::v1::StatusRequest*,
                      sim::v1::StatusReply*) override {
    std::unique_lock lock(mutex_);
    most_ = std::max(most_, ++waiting_);
    changed_.notify_all();
    while (!answers_ && !context->IsCancelled()) {
      changed_.wait_for(lock, std::chrono::milliseconds(1));
    }
    --waiting_;
    return grpc::Status::OK;
  }
  void may_answer() {
    const std::lock_guard lock(mutex_);
    answers_ = true;
    changed_.notify_all();
  }
  bool waits() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, hangs, [&] { return most_ > 0; });
  }
  /// Questions at the same time.
  int most() {
    const std::lock_guard lock(mutex_);
    return most_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool answers_;
  int waiting_ = 0, most_ = 0;
};

/// Served at a port, too.
struct Suspect {
  explicit Suspect(bool answers) : worker(answers) {}
  Asked worker;
  Served served{worker};
};

class Outcomes {
 public:
  std::function<void(const Probes::Outcome&)> settle() {
    return [this](const Probes::Outcome& outcome) {
      const std::lock_guard lock(mutex_);
      all_.push_back(outcome);
      more_.notify_all();
    };
  }
  /// Those so far, at least `count`.
  std::deque<Probes::Outcome> await(std::size_t count) {
    std::unique_lock lock(mutex_);
    more_.wait_for(lock, hangs, [&] { return all_.size() >= count; });
    return all_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Probes::Outcome> all_;
};

WorkerIncarnation worker(unsigned slot) { return {WorkerSlot::at(slot), Incarnation{1}}; }

TEST(AProbe, TellsTheLivingFromTheDeadAndTheStalled) {
  Suspect living(true), stalled(false);
  Outcomes outcomes;
  Probes probes(nullptr, outcomes.settle());
  probes.ask(worker(0), living.served.address());
  probes.ask(worker(1), free_port());
  probes.ask(worker(2), stalled.served.address());
  const auto all = outcomes.await(3);
  ASSERT_EQ(all.size(), 3U);
  for (const auto& outcome : all) {
    EXPECT_EQ(outcome.answers, outcome.suspect == worker(0)) << outcome.suspect.slot.index();
    EXPECT_GT(outcome.asked_at_us, 0);
  }
}

TEST(AProbe, IsNotMadeTwiceAtATime) {
  Suspect stalled(false);
  Outcomes outcomes;
  Probes probes(nullptr, outcomes.settle());
  for (int i = 0; i < 20; ++i) probes.ask(worker(0), stalled.served.address());
  outcomes.await(1);
  EXPECT_EQ(stalled.worker.most(), 1);
  probes.ask(worker(0), stalled.served.address());
  EXPECT_EQ(outcomes.await(2).size(), 2U) << "and again later";
}

// A machine that stands still takes many workers with it. A busy machine may give up the first
// question before the last is asked, so there are several attempts.
TEST(AProbe, WaitsForAllSuspectsAtTheSameTime) {
  int most = 0;
  for (int attempt = 0; attempt < 5 && most < 8; ++attempt) {
    Suspect stalled(false);
    Outcomes outcomes;
    Probes probes(nullptr, outcomes.settle());
    for (unsigned i = 0; i < 8; ++i) probes.ask(worker(i), stalled.served.address());
    EXPECT_EQ(outcomes.await(8).size(), 8U);
    most = std::max(most, stalled.worker.most());
  }
  EXPECT_EQ(most, 8);
}

TEST(AProbe, EndsWithItsOwner) {
  Suspect stalled(false);
  Outcomes outcomes;
  {
    Probes probes(nullptr, outcomes.settle());
    probes.ask(worker(0), stalled.served.address());
    probes.ask(worker(1), free_port());
    ASSERT_TRUE(stalled.worker.waits());
  }
  for (const auto& outcome : outcomes.await(0)) EXPECT_FALSE(outcome.answers);
}

/// Two workers, each in sync with the other.
bool in_sync(ADirectory& directory) {
  for (int i = 0; i < 100; ++i) {
    directory.service.advance();
    const ClusterMap map = directory.service.stats().map;
    bool all = map.workers.size() == 2;
    for (const WorkerEntry& each : map.workers) {
      WorkerReport report{.incarnation = each.incarnation, .map_version = map.version};
      if (each.standby) {
        report.in_sync_with =
            WorkerIncarnation{*each.standby, map.workers[each.standby->index()].incarnation};
      }
      EXPECT_TRUE(directory.beat(static_cast<unsigned>(each.slot.index()), report).ok());
      all = all && each.standby_in_sync;
    }
    if (all) return true;
  }
  return false;
}

// A standby that waited for its suspect looked silent itself, and could not take over. A busy
// machine may answer after the suspect's time, so there are several attempts.
TEST(AStandby, IsAnsweredBeforeItsSuspect) {
  bool refuted = false;
  for (int attempt = 0; attempt < 5 && !refuted; ++attempt) {
    Suspect suspect(false);
    ADirectory directory;
    ASSERT_TRUE(directory.leads());
    ASSERT_TRUE(directory.add_worker(0, suspect.served.address()).ok());
    ASSERT_TRUE(directory.add_worker(1).ok());
    ASSERT_TRUE(in_sync(directory));
    const ClusterMap map = directory.service.stats().map;
    WorkerReport report{.incarnation = map.workers[1].incarnation, .map_version = map.version};
    report.in_sync_with = WorkerIncarnation{map.workers[0].slot, map.workers[0].incarnation};
    report.suspects.push_back(*report.in_sync_with);
    ASSERT_TRUE(directory.beat(1, report).ok());
    ASSERT_TRUE(suspect.worker.waits());
    suspect.worker.may_answer();
    while (!refuted && directory.service.stats().map.workers[0].alive) {
      refuted = directory.service.stats().suspicions_refuted == 1;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  EXPECT_TRUE(refuted);
}

}  // namespace
}  // namespace perigee::directory
