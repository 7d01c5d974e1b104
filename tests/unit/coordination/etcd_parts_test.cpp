// The parts of the etcd store without an etcd: its answers are made up. Real servers are in
// tests/process/coordination.
#include <gmock/gmock.h>

#include "etcd_commits.hpp"
#include "etcd_leadership.hpp"
#include "etcd_watches.hpp"

namespace perigee::coordination {
namespace {

using testing::HasSubstr;

/// Port 1 of loopback refuses connections: no call is answered before the test ends.
const EtcdOptions options{.endpoints = {"127.0.0.1:1"}, .name = "one", .instance = 7};

struct EtcdParts : testing::Test {
  const EtcdKeys keys{options};
  Inbox inbox;
  EtcdWire wire{EtcdWire::open(options.endpoints, {}).value(), inbox, options.call_deadline_us};
  Micros now_us = 1'000'000;
  std::optional<std::string> displaced;
  Revision seen = 0;
  bool ready = false;
  int leader_reads = 0;

  EtcdLeadership leadership{{.options = options,
                             .keys = keys,
                             .wire = wire,
                             .now_us = now_us,
                             .ready = [this] { return ready; },
                             .away = [] { return true; },
                             .failed = [](auto&, auto&) {},
                             .read_leader_soon = [this] { ++leader_reads; }}};
  EtcdCommits commits{{.options = options,
                       .keys = keys,
                       .wire = wire,
                       .inbox = inbox,
                       .now_us = now_us,
                       .leadership = leadership,
                       .displaced = displaced,
                       .seen = seen,
                       .ready = [this]() -> Result<Ok> {
                         if (ready) return Ok{};
                         return Error{"away"};
                       },
                       .failed = [](auto&, auto&) {}}};
  EtcdWatches watches{{.keys = keys,
                       .wire = wire,
                       .inbox = inbox,
                       .now_us = now_us,
                       .ready = [this] { return ready; },
                       .failed = [](auto&, auto&) {}}};

  std::vector<Outcome> outcomes;
  void commit() {
    commits.commit({.puts = {{"key", "value"}}},
                   [this](auto& outcome) { outcomes.push_back(outcome); });
    inbox.run();
  }
  std::string error(std::size_t index) const {
    const Error* const error = std::get_if<Error>(&outcomes.at(index));
    return error ? error->message : "no error";
  }
};

TEST_F(EtcdParts, HaveTheirKeysBelowTheRoot) {
  EXPECT_EQ(keys.marker, "/perigee/members/one");
  EXPECT_EQ(keys.leader, "/perigee/leader");
  EXPECT_EQ(keys.store_id, "/perigee/incarnation");
  pb::KeyValue kv;
  kv.set_key(keys.of_caller("map"));
  kv.set_value("x");
  kv.set_mod_revision(5);
  EXPECT_EQ(keys.entry_of(kv), (Entry{"map", "x", 5}));
}

TEST_F(EtcdParts, CommitsThatWereNeverSentFailAfterTwiceTheTimeOfACall) {
  commit();
  now_us += 2 * options.call_deadline_us;
  commits.advance();
  EXPECT_TRUE(outcomes.empty());
  ++now_us;
  commits.advance();
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(error(0), "away");
}

TEST_F(EtcdParts, CommitsQueuedBeforeTheFirstPollAreAsOldAsThat) {
  now_us = 0;
  commit();
  commits.begin_time(90'000'000);
  now_us = 90'000'000;
  commits.advance();
  EXPECT_TRUE(outcomes.empty());
}

TEST_F(EtcdParts, CommitsAreRefusedBeyondTheQueueAndForADisplacedMember) {
  for (std::size_t i = 0; i < commits_max; ++i) commit();
  commit();
  EXPECT_THAT(error(0), HasSubstr("too many pending commits"));
  displaced = "another process has the name";
  commit();
  EXPECT_EQ(error(1), "another process has the name");
}

TEST_F(EtcdParts, ACandidateCommitsOnlyAsTheLeader) {
  leadership.campaign({});
  EXPECT_EQ(leader_reads, 1);
  commit();
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<NotLeader>(outcomes[0]));
  leadership.resign();
  EXPECT_FALSE(leadership.campaigns());
}

TEST_F(EtcdParts, TheEndOfAHistoryEndsThePresentCommitsAndWatches) {
  std::string behind;
  watches.watch("a", 3, {.changed = {}, .behind = [&](auto& why) { behind = why; }});
  commits.commit({.puts = {{"key", "value"}}}, [this](auto& outcome) {
    outcomes.push_back(outcome);
    commit();
  });
  watches.end_all("recreated");
  commits.end_history(Error{"recreated"});
  EXPECT_EQ(behind, "recreated");
  ASSERT_EQ(outcomes.size(), 1U) << "the commit of the callback waits for the next history";
  EXPECT_EQ(error(0), "recreated");
}

}  // namespace
}  // namespace perigee::coordination
