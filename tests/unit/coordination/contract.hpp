/// The contract of every coordination store: the same tests for each implementation. A `Place` is
/// one implementation: it connects several sides to one store, and discards its history.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "perigee/coordination/store.hpp"
#include "perigee/host/loop.hpp"
#include "process/slowness.hpp"

namespace perigee::coordination {

/// Sides of one or several stores, polled together.
class Sides {
 public:
  Store& add(std::unique_ptr<Store> store) {
    stores_.push_back(std::move(store));
    return *stores_.back();
  }
  void remove(const Store& store) {
    std::erase_if(stores_, [&](const auto& held) { return held.get() == &store; });
  }
  void clear() { stores_.clear(); }
  /// Polls until `done` holds, at most `patience_s`.
  bool until(const std::function<bool()>& done, int patience_s = 20) {
    const Micros end_us =
        host::Loop::clock_us() + Micros{patience_s} * 1'000'000 * process_test::slowness;
    while (!done()) {
      if (host::Loop::clock_us() > end_us) return false;
      for (const auto& store : stores_) store->poll(host::Loop::clock_us());
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
  }
  bool ready(const Store& store) {
    return until([&] { return store.ready().ok(); });
  }
  Outcome commit(Store& store, Txn txn, int patience_s = 20) {
    std::optional<Outcome> outcome;
    store.commit(std::move(txn), [&](const Outcome& came) { outcome = came; });
    if (!until([&] { return outcome.has_value(); }, patience_s)) ADD_FAILURE() << "no outcome";
    return outcome.value_or(Error{"no outcome"});
  }
  /// Commits and expects success; 0 otherwise.
  Revision commits(Store& store, Txn txn) {
    const Outcome outcome = commit(store, std::move(txn));
    const auto* committed = std::get_if<Committed>(&outcome);
    if (const auto* error = std::get_if<Error>(&outcome)) ADD_FAILURE() << error->message;
    EXPECT_NE(committed, nullptr) << "outcome " << outcome.index();
    return committed != nullptr ? committed->revision : 0;
  }
  Snapshot read(Store& store, const std::string& prefix = "") {
    std::optional<Result<Snapshot>> result;
    store.read(prefix, [&](Result<Snapshot> came) { result = std::move(came); });
    if (!until([&] { return result.has_value(); })) ADD_FAILURE() << "not read";
    if (result && !*result) ADD_FAILURE() << result->error().message;
    return result && *result ? **result : Snapshot{};
  }

 private:
  std::vector<std::unique_ptr<Store>> stores_;
};

/// Events of a candidate.
struct Candidacy {
  std::vector<Revision> terms;
  std::vector<std::string> losses;
  bool leads() const { return terms.size() > losses.size(); }
  LeadershipEvents events() {
    return {[this](Revision term) { terms.push_back(term); },
            [this](const std::string& why) { losses.push_back(why); }};
  }
};

/// Events of a watch.
struct Received {
  std::vector<Change> changes;
  std::vector<std::string> behind;
  WatchEvents events() {
    return {[this](std::span<const Change> came) {
              changes.insert(changes.end(), came.begin(), came.end());
            },
            [this](const std::string& why) { behind.push_back(why); }};
  }
};

inline Txn put(const std::string& key, const std::string& value) {
  return Txn{{}, {{key, value}}, {}};
}

/// Adds one to a number by compare-and-swap, until it has done so `times` times.
class Incrementer {
 public:
  Incrementer(Store& store, std::string key, int times)
      : store_(store), key_(std::move(key)), left_(times) {
    go_on();
  }
  bool done() const { return left_ == 0; }
  int lost_races() const { return lost_races_; }

 private:
  void go_on() {
    Txn txn{{{key_, revision_}}, {{key_, std::to_string(number_ + 1)}}, {}};
    store_.commit(std::move(txn), [this](const Outcome& outcome) { on_outcome(outcome); });
  }
  void on_outcome(const Outcome& outcome) {
    if (const auto* committed = std::get_if<Committed>(&outcome)) {
      ++number_;
      revision_ = committed->revision;
      --left_;
    } else if (const auto* stale = std::get_if<Stale>(&outcome)) {
      ++lost_races_;
      ASSERT_EQ(stale->present.size(), 1U);
      number_ = std::stoi(stale->present[0].value);
      revision_ = stale->present[0].revision;
    }
    if (left_ > 0) go_on();
  }
  Store& store_;
  const std::string key_;
  int left_;
  int number_ = 0;
  Revision revision_ = 0;
  int lost_races_ = 0;
};

template <class Place>
class TheStore : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(sides_.ready(a_) && sides_.ready(b_)); }
  Revision commits(Store& store, Txn txn) { return sides_.commits(store, std::move(txn)); }
  Outcome commit(Store& store, Txn txn) { return sides_.commit(store, std::move(txn)); }

  Place place_;
  Sides sides_;
  Store& a_ = sides_.add(place_.connect("a"));
  Store& b_ = sides_.add(place_.connect("b"));
};
TYPED_TEST_SUITE_P(TheStore);

TYPED_TEST_P(TheStore, HasWhatWasPutAndNotWhatWasErased) {
  const std::string bytes("\0\xff\n\"", 4);
  const Revision first =
      this->commits(this->a_, {{}, {{"region/1", bytes}, {"region/2", "two"}, {"x", "y"}}, {}});
  const Revision second = this->commits(this->a_, {{}, {{"region/3", ""}}, {"region/2"}});
  EXPECT_GT(second, first);
  const Snapshot snapshot = this->sides_.read(this->b_, "region/");
  EXPECT_EQ(snapshot.entries,
            (std::vector<Entry>{{"region/1", bytes, first}, {"region/3", "", second}}));
  EXPECT_GE(snapshot.revision, second);
  EXPECT_EQ(this->sides_.read(this->b_).entries.size(), 3U);
  EXPECT_TRUE(this->sides_.read(this->b_, "nothing").entries.empty());
}

TYPED_TEST_P(TheStore, ReadsMoreThanOnePage) {
  for (int batch = 0; batch < 3; ++batch) {
    Txn txn;
    for (int i = 0; i < 50; ++i) txn.puts.push_back({std::to_string(1'000 + 50 * batch + i), "v"});
    this->commits(this->a_, txn);
  }
  const Snapshot all = this->sides_.read(this->b_);
  ASSERT_EQ(all.entries.size(), 150U);
  EXPECT_EQ(all.entries.front().key, "1000");
  EXPECT_EQ(all.entries.back().key, "1149");
}

TYPED_TEST_P(TheStore, RefusesWhatIsStaleAndSaysWhatIsThere) {
  const Revision revision = this->commits(this->a_, put("key", "a's"));
  const Outcome outcome =
      this->commit(this->b_, {{{"key", 0}, {"absent", 0}}, {{"key", "b's"}, {"more", "x"}}, {}});
  const auto* stale = std::get_if<Stale>(&outcome);
  ASSERT_NE(stale, nullptr);
  EXPECT_EQ(stale->present, (std::vector<Entry>{{"key", "a's", revision}}));
  EXPECT_EQ(this->sides_.read(this->a_).entries, stale->present) << "nothing was changed";
  EXPECT_GT(this->commits(this->b_, {{{"key", revision}, {"absent", 0}}, {{"key", "b's"}}, {}}),
            revision);
}

TYPED_TEST_P(TheStore, LosesNoUpdateOfTwoThatRace) {
  Incrementer one(this->a_, "count", 500);
  Incrementer other(this->b_, "count", 500);
  ASSERT_TRUE(this->sides_.until([&] { return one.done() && other.done(); }, 100));
  const Snapshot snapshot = this->sides_.read(this->a_, "count");
  ASSERT_EQ(snapshot.entries.size(), 1U);
  EXPECT_EQ(snapshot.entries[0].value, "1000");
  EXPECT_GT(one.lost_races() + other.lost_races(), 0) << "they did not race at all";
}

TYPED_TEST_P(TheStore, CarriesCommitsOutInTheirOrder) {
  std::vector<Revision> revisions;
  for (int i = 0; i < 50; ++i) {
    this->a_.commit(put("key", std::to_string(i)), [&](const Outcome& outcome) {
      revisions.push_back(std::get<Committed>(outcome).revision);
    });
  }
  ASSERT_TRUE(this->sides_.until([&] { return revisions.size() == 50; }));
  EXPECT_TRUE(std::is_sorted(revisions.begin(), revisions.end()));
  EXPECT_EQ(this->sides_.read(this->b_).entries[0].value, "49");
}

TYPED_TEST_P(TheStore, TellsOfChangesInOrderFromAnyRevisionOn) {
  const Revision start = this->sides_.read(this->a_).revision;
  Received received;
  this->b_.watch("w/", start, received.events());
  const Revision first = this->commits(this->a_, {{}, {{"w/1", "one"}, {"other", "x"}}, {}});
  const Revision second = this->commits(this->a_, {{}, {{"w/2", "two"}}, {"w/1"}});
  const std::vector<Change> later{{"w/2", "two", second}, {"w/1", std::nullopt, second}};
  ASSERT_TRUE(this->sides_.until([&] { return received.changes.size() == 3; }));
  EXPECT_EQ(received.changes[0], (Change{"w/1", "one", first}));
  EXPECT_THAT(std::vector(received.changes.begin() + 1, received.changes.end()),
              testing::UnorderedElementsAreArray(later));
  Received resumed;
  this->a_.watch("w/", first, resumed.events());
  ASSERT_TRUE(this->sides_.until([&] { return resumed.changes.size() == 2; }));
  EXPECT_THAT(resumed.changes, testing::UnorderedElementsAreArray(later));
  EXPECT_TRUE(received.behind.empty() && resumed.behind.empty());
}

TYPED_TEST_P(TheStore, TellsNothingOnceAWatchHasEnded) {
  Received received, also;
  const WatchId id = this->a_.watch("", this->sides_.read(this->a_).revision, received.events());
  this->a_.watch("", this->sides_.read(this->a_).revision, also.events());
  this->commits(this->b_, put("key", "1"));
  ASSERT_TRUE(this->sides_.until([&] { return received.changes.size() == 1; }));
  this->a_.unwatch(id);
  this->commits(this->b_, put("key", "2"));
  ASSERT_TRUE(this->sides_.until([&] { return also.changes.size() == 2; }));
  EXPECT_EQ(received.changes.size(), 1U);
}

TYPED_TEST_P(TheStore, SaysWhenAWatchMustReadAnew) {
  const Revision old = this->commits(this->a_, put("key", "0"));
  this->place_.forget_history(this->sides_, this->a_);
  Received received;
  this->b_.watch("", old, received.events());
  ASSERT_TRUE(this->sides_.until([&] { return !received.behind.empty(); }));
  EXPECT_THAT(received.behind[0], testing::HasSubstr("read again"));
  EXPECT_TRUE(received.changes.empty());
}

TYPED_TEST_P(TheStore, HasOneLeaderAtATime) {
  Candidacy one, other;
  this->a_.campaign(one.events());
  ASSERT_TRUE(this->sides_.until([&] { return one.leads(); }));
  this->b_.campaign(other.events());
  this->commits(this->a_, put("key", "a's"));
  EXPECT_TRUE(std::holds_alternative<NotLeader>(this->commit(this->b_, put("key", "b's"))));
  EXPECT_FALSE(other.leads());
  this->a_.resign();
  ASSERT_TRUE(this->sides_.until([&] { return other.leads(); }));
  EXPECT_GT(other.terms[0], one.terms[0]);
  this->commits(this->b_, put("key", "b's"));
  this->a_.campaign(one.events());
  EXPECT_TRUE(std::holds_alternative<NotLeader>(this->commit(this->a_, put("key", "a's"))));
  this->sides_.remove(this->b_);  // an orderly end passes the leadership on at once
  ASSERT_TRUE(this->sides_.until([&] { return one.terms.size() == 2; }));
  EXPECT_GT(one.terms[1], other.terms[0]);
  EXPECT_EQ(this->sides_.read(this->a_).entries[0].value, "b's");
}

TYPED_TEST_P(TheStore, KeepsItsClusterIdAsLongAsItsHistory) {
  ASSERT_TRUE(this->a_.store_id());
  EXPECT_EQ(this->a_.store_id(), this->b_.store_id());
  TypeParam elsewhere;
  Sides others;
  Store& other = others.add(elsewhere.connect("a"));
  ASSERT_TRUE(others.ready(other));
  EXPECT_NE(other.store_id(), this->a_.store_id());
}

TYPED_TEST_P(TheStore, RefusesWhatIsTooLargeInASentence) {
  Txn many;
  for (std::size_t i = 0; i <= ops_max; ++i) many.puts.push_back({std::to_string(i), ""});
  const Txn large = put("key", std::string(value_bytes_max + 1, 'x'));
  const Txn twice{{}, {{"key", "x"}}, {"key"}};
  for (const Txn& txn : {many, large, twice, put("", "x")}) {
    const Outcome outcome = this->commit(this->a_, txn);
    ASSERT_TRUE(std::holds_alternative<Error>(outcome));
    EXPECT_THAT(std::get<Error>(outcome).message, testing::HasSubstr(";"));
  }
  Txn most;
  for (std::size_t i = 0; i < ops_max; ++i) {
    most.puts.push_back({std::to_string(i), std::string(i < 15 ? value_bytes_max : 0, '\xff')});
    most.compares.push_back({std::to_string(i), 0});
  }
  EXPECT_GT(this->commits(this->a_, most), 0U);
  const Outcome again = this->commit(this->b_, most);
  ASSERT_TRUE(std::holds_alternative<Stale>(again));
  EXPECT_EQ(std::get<Stale>(again).present.size(), ops_max);
}

REGISTER_TYPED_TEST_SUITE_P(TheStore, HasWhatWasPutAndNotWhatWasErased, ReadsMoreThanOnePage,
                            RefusesWhatIsStaleAndSaysWhatIsThere, LosesNoUpdateOfTwoThatRace,
                            CarriesCommitsOutInTheirOrder, TellsOfChangesInOrderFromAnyRevisionOn,
                            TellsNothingOnceAWatchHasEnded, SaysWhenAWatchMustReadAnew,
                            HasOneLeaderAtATime, KeepsItsClusterIdAsLongAsItsHistory,
                            RefusesWhatIsTooLargeInASentence);

}  // namespace perigee::coordination
