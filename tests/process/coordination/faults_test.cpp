// Faults of etcd, of a leader and of the connection between them.
#include <signal.h>

#include "etcd_place.hpp"
#include "process/slowness.hpp"
#include "process/stepped_clock.hpp"
#include "proxy.hpp"

namespace perigee::coordination {
namespace {

using process_test::Proxy;
using testing::HasSubstr;

Micros seconds(int count) { return Micros{count} * 1'000'000; }

struct InTrouble : testing::Test {
  /// Runs for this long.
  void pass(Micros us) {
    const Micros end_us = host::Loop::clock_us() + us;
    sides.until([&] { return host::Loop::clock_us() > end_us; });
  }
  EtcdPlace place;
  Sides sides;
};

/// One store that is connected through a proxy, one that is not.
struct ALostReply : InTrouble {
  void SetUp() override {
    ASSERT_TRUE(sides.ready(near) && sides.ready(far));
    far.commit(put("key", "old"), [this](const Outcome& outcome) { outcomes.push_back(outcome); });
    ASSERT_TRUE(sides.until([&] { return outcomes.size() == 1; }));
    outcomes.clear();
  }
  std::unique_ptr<Store> connect_far() {
    EtcdOptions options = place.options("far");
    options.endpoints = {"127.0.0.1:" + std::to_string(proxy.port())};
    return std::move(open_etcd(options)).value();
  }
  void commit_far(const std::string& value) {
    far.commit(put("key", value), [this](const Outcome& outcome) { outcomes.push_back(outcome); });
  }
  std::string stored() { return sides.read(near, "key").entries.at(0).value; }

  Proxy proxy{place.server.client_port()};
  Store& near = sides.add(place.connect("near"));
  Store& far = sides.add(connect_far());
  std::vector<Outcome> outcomes;
};

TEST_F(ALostReply, IsReadBack) {
  proxy.set(Proxy::Mode::SwallowReplies);
  commit_far("new");
  ASSERT_TRUE(sides.until([&] { return stored() == "new"; }));
  EXPECT_TRUE(outcomes.empty());
  const Revision revision = sides.read(near, "key").entries[0].revision;
  proxy.set(Proxy::Mode::Pass);
  proxy.cut();
  ASSERT_TRUE(sides.until([&] { return !outcomes.empty(); }));
  ASSERT_TRUE(std::holds_alternative<Committed>(outcomes[0]));
  EXPECT_EQ(std::get<Committed>(outcomes[0]).revision, revision);
}

TEST_F(ALostReply, IsReadBackAlsoWhenTheQuestionComesLate) {
  proxy.set(Proxy::Mode::HoldRequests);
  commit_far("new");
  ASSERT_TRUE(sides.until([&] { return proxy.holds("new"); }));
  proxy.set(Proxy::Mode::Refuse);
  proxy.cut();
  proxy.release();
  ASSERT_TRUE(sides.until([&] { return stored() == "new"; }));
  EXPECT_TRUE(outcomes.empty()) << "nobody can know yet";
  proxy.set(Proxy::Mode::Pass);
  ASSERT_TRUE(sides.until([&] { return !outcomes.empty(); }));
  EXPECT_TRUE(std::holds_alternative<Committed>(outcomes[0]));
}

TEST_F(ALostReply, NeverBelongsToWhatWasCalledUndone) {
  proxy.set(Proxy::Mode::HoldRequests);
  commit_far("called off");
  ASSERT_TRUE(sides.until([&] { return proxy.holds("called off"); }));
  proxy.set(Proxy::Mode::Pass);
  proxy.cut();
  ASSERT_TRUE(sides.until([&] { return !outcomes.empty(); }));
  ASSERT_TRUE(std::holds_alternative<Error>(outcomes[0]));
  EXPECT_THAT(std::get<Error>(outcomes[0]).message, HasSubstr("abandoned; try again"));
  proxy.release();  // etcd carries it out now, and finds the marker changed
  ASSERT_TRUE(sides.until([&] { return proxy.answered_bytes() > 0; }));
  commit_far("new");
  ASSERT_TRUE(sides.until([&] { return outcomes.size() == 2; }));
  pass(seconds(1));
  EXPECT_TRUE(std::holds_alternative<Committed>(outcomes[1]));
  EXPECT_EQ(stored(), "new");
}

TEST_F(InTrouble, AStoppedEtcdCostsLeadershipAndDoublesNothing) {
  Store& store = sides.add(place.connect("a"));
  Candidacy candidacy;
  ASSERT_TRUE(sides.ready(store));
  store.campaign(candidacy.events());
  ASSERT_TRUE(sides.until([&] { return candidacy.leads(); }));
  Tally tally(store);
  ASSERT_TRUE(sides.until([&] { return tally.committed() > 20; }));
  place.server.stop();
  pass(seconds(8));
  EXPECT_EQ(candidacy.losses.size(), 1U);
  EXPECT_FALSE(store.ready().ok());
  EXPECT_TRUE(std::holds_alternative<NotLeader>(sides.commit(store, put("meanwhile", "value"))));
  const int before = tally.committed();
  place.server.go_on();
  ASSERT_TRUE(sides.until([&] { return candidacy.leads() && tally.committed() > before + 20; }));
  EXPECT_GT(candidacy.terms[1], candidacy.terms[0]);
  tally.stop();
  ASSERT_TRUE(sides.until([&] { return tally.stopped(); }));
  EXPECT_TRUE(sides.read(store, "meanwhile").entries.empty());
  // A commit in flight may have been carried out or not: the store agrees with the reported result.
  EXPECT_EQ(tally.stored(sides, store), tally.committed());
}

TEST_F(InTrouble, WhatWasAnsweredSurvivesAKilledEtcdAndWatchesSkipNothing) {
  Store& store = sides.add(place.connect("a"));
  Store& watcher = sides.add(place.connect("b"));
  ASSERT_TRUE(sides.ready(store) && sides.ready(watcher));
  Received received;
  watcher.watch("tally", sides.read(watcher).revision, received.events());
  Tally tally(store);
  for (int round = 0; round < 3; ++round) {
    const int before = tally.committed();
    ASSERT_TRUE(sides.until([&] { return tally.committed() > before + 20; }));
    place.server.kill();
    ASSERT_TRUE(sides.until([&] { return !store.ready().ok(); }));
    const Outcome meanwhile = sides.commit(store, put("meanwhile", "value"));
    ASSERT_TRUE(std::holds_alternative<Error>(meanwhile));
    EXPECT_THAT(std::get<Error>(meanwhile).message, HasSubstr("does not answer"));
    place.server.start();
    ASSERT_TRUE(sides.ready(store));
  }
  EXPECT_TRUE(sides.read(store, "meanwhile").entries.empty());
  tally.stop();
  ASSERT_TRUE(sides.until([&] { return tally.stopped(); }));
  EXPECT_EQ(tally.stored(sides, store), tally.committed());
  ASSERT_TRUE(sides.until(
      [&] { return received.changes.size() >= static_cast<std::size_t>(tally.committed()); }));
  EXPECT_TRUE(counts_up(received.changes));
  EXPECT_TRUE(received.behind.empty());
}

TEST_F(InTrouble, AnEtcdPutBackFromABackupIsAnother) {
  Store& store = sides.add(place.connect("a"));
  ASSERT_TRUE(sides.ready(store));
  Candidacy candidacy;
  store.campaign(candidacy.events());
  ASSERT_TRUE(sides.until([&] { return candidacy.leads(); }));
  sides.commits(store, put("key", "saved"));
  const host::TemporaryFolder folder;
  place.server.save(folder.path() / "backup");
  sides.commits(store, put("key", "lost"));
  sides.commits(store, put("key", "lost, too"));
  const auto store_id = store.store_id();
  Received received;
  store.watch("", sides.read(store).revision, received.events());
  place.server.kill();
  place.server.put_back(folder.path() / "backup");
  place.server.start();
  ASSERT_TRUE(sides.until([&] { return store.store_id().value_or(*store_id) != store_id; }));
  EXPECT_EQ(received.behind.size(), 1U);
  EXPECT_EQ(candidacy.losses.size(), 1U);
  ASSERT_TRUE(sides.until([&] { return candidacy.leads(); }));
  EXPECT_EQ(sides.read(store).entries.at(0).value, "saved");
  EXPECT_GT(sides.commits(store, put("key", "goes on")), 0U);
}

TEST_F(InTrouble, ALeaderThatWasStoppedForLongerThanItsLeaseCommitsNothing) {
  process_test::Child leader({PERIGEE_LEADER_BINARY, place.server.endpoint()});
  ASSERT_TRUE(leader.says("leads in term")) << leader.output();
  Store& store = sides.add(place.connect("next"));
  ASSERT_TRUE(sides.ready(store));
  ASSERT_TRUE(sides.until([&] { return !sides.read(store, "owner").entries.empty(); }));
  Candidacy candidacy;
  store.campaign(candidacy.events());
  leader.signal(SIGSTOP);
  ASSERT_TRUE(sides.until([&] { return candidacy.leads(); }));
  const Revision revision = sides.commits(store, put("owner", "next"));
  leader.signal(SIGCONT);
  EXPECT_TRUE(leader.says("leads no more")) << leader.output();
  pass(seconds(1));
  EXPECT_EQ(sides.read(store, "owner").entries, (std::vector<Entry>{{"owner", "next", revision}}));
}

TEST_F(InTrouble, ALeaderWhoseClockWasSetBackFindsARestartedEtcd) {
  if (process_test::slowness > 1) {
    GTEST_SKIP() << "sanitizers want to be the first library of a process";
  }
  host::TemporaryFolder folder;
  const process_test::SteppedClock clock(folder.path() / "clock");
  process_test::Child leader(clock.with({PERIGEE_LEADER_BINARY, place.server.endpoint()}));
  ASSERT_TRUE(leader.says("leads in term")) << leader.output();
  clock.set(-3'600);
  place.server.kill();
  ASSERT_TRUE(leader.says("leads no more")) << leader.output();
  const std::size_t until_then = leader.output().size();
  pass(seconds(2));  // attempts to connect fail meanwhile
  place.server.start();
  EXPECT_TRUE(leader.says("leads in term", until_then)) << leader.output();
}

// gRPC's timers that end calls stand still after a step back.
TEST_F(InTrouble, ALeaderWhoseClockWasSetBackLeavesAnEndpointThatHangs) {
  if (process_test::slowness > 1) {
    GTEST_SKIP() << "sanitizers want to be the first library of a process";
  }
  Proxy proxy{place.server.client_port()};
  host::TemporaryFolder folder;
  const process_test::SteppedClock clock(folder.path() / "clock");
  process_test::Child leader(
      clock.with({PERIGEE_LEADER_BINARY, "127.0.0.1:" + std::to_string(proxy.port()),
                  place.server.endpoint()}));
  ASSERT_TRUE(leader.says("leads in term")) << leader.output();
  clock.set(-3'600);
  proxy.set(Proxy::Mode::SwallowReplies);
  ASSERT_TRUE(leader.says("leads no more")) << leader.output();
  const std::size_t until_then = leader.output().size();
  EXPECT_TRUE(leader.says("leads in term", until_then)) << leader.output();
}

}  // namespace
}  // namespace perigee::coordination
