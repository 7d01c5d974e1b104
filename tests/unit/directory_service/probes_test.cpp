// Questions to workers that are suspected to be dead.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>

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
  /// Waits until as many questions have waited at the same time.
  bool waits(int questions = 1, std::chrono::milliseconds patience = hangs) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return most_ >= questions; });
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

constexpr Micros long_us = std::chrono::microseconds(hangs).count();
constexpr Micros short_us = 200'000;

TEST(AProbe, TellsTheLivingFromTheDead) {
  Suspect living(true);
  Outcomes outcomes;
  Probes probes(nullptr, outcomes.settle(), long_us);
  probes.ask(worker(0), living.served.address());
  probes.ask(worker(1), free_port());
  const auto all = outcomes.await(2);
  ASSERT_EQ(all.size(), 2U);
  for (const auto& outcome : all) {
    EXPECT_EQ(outcome.answers, outcome.suspect == worker(0)) << outcome.suspect.slot.index();
    EXPECT_GT(outcome.asked_at_us, 0);
  }
}

TEST(AProbe, GivesUpAStalledWorker) {
  Suspect stalled(false);
  Outcomes outcomes;
  Probes probes(nullptr, outcomes.settle(), short_us);
  probes.ask(worker(0), stalled.served.address());
  const auto all = outcomes.await(1);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].answers);
}

TEST(AProbe, IsNotMadeTwiceAtATime) {
  Suspect slow(false);
  Outcomes outcomes;
  Probes probes(nullptr, outcomes.settle(), long_us);
  for (int i = 0; i < 20; ++i) probes.ask(worker(0), slow.served.address());
  ASSERT_TRUE(slow.worker.waits());
  slow.worker.may_answer();
  EXPECT_EQ(outcomes.await(1).size(), 1U);
  EXPECT_EQ(slow.worker.most(), 1);
  for (std::size_t i = 0; i < 1'000 && outcomes.await(0).size() < 2; ++i) {
    probes.ask(worker(0), slow.served.address());  // without effect until the first is over
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_GE(outcomes.await(2).size(), 2U) << "and again later";
}

// A machine that stands still takes many workers with it.
TEST(AProbe, WaitsForAllSuspectsAtTheSameTime) {
  Suspect slow(false);
  Outcomes outcomes;
  Probes probes(nullptr, outcomes.settle(), long_us);
  for (unsigned i = 0; i < 8; ++i) probes.ask(worker(i), slow.served.address());
  EXPECT_TRUE(slow.worker.waits(8));
  slow.worker.may_answer();
  EXPECT_EQ(outcomes.await(8).size(), 8U);
}

TEST(AProbe, EndsWithItsOwner) {
  Suspect stalled(false);
  Outcomes outcomes;
  {
    Probes probes(nullptr, outcomes.settle(), long_us);
    probes.ask(worker(0), stalled.served.address());
    ASSERT_TRUE(stalled.worker.waits());
  }
  EXPECT_TRUE(outcomes.await(0).empty());
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
    suspect.worker.waits(1, std::chrono::seconds(1));
    suspect.worker.may_answer();
    for (int i = 0; i < 2'000 && !refuted && directory.service.stats().map.workers[0].alive; ++i) {
      refuted = directory.service.stats().suspicions_refuted == 1;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  EXPECT_TRUE(refuted);
}

}  // namespace
}  // namespace perigee::directory
