#include "perigee/coordination/embedded.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "contract.hpp"
#include "perigee/coordination/loop_driver.hpp"
#include "perigee/host/read_file.hpp"
#include "perigee/host/secrets.hpp"
#include "unit/host/temporary_folder.hpp"

namespace perigee::coordination {
namespace {

using testing::HasSubstr;

std::unique_ptr<Embedded> open(const std::filesystem::path& folder, bool restored = false) {
  auto opened = Embedded::open({folder, host::random_u64(), restored});
  if (!opened) ADD_FAILURE() << opened.error().message;
  return opened ? std::move(opened).value() : nullptr;
}

struct EmbeddedPlace {
  host::TemporaryFolder folder;
  std::unique_ptr<Embedded> embedded = open(folder.path());
  std::unique_ptr<Store> connect(const std::string&) { return embedded->connect(); }
  void forget_history(Sides& sides, Store& store) {
    for (std::size_t put_keys = 0; put_keys <= Embedded::history_max; put_keys += ops_max) {
      Txn txn;
      for (std::size_t i = 0; i < ops_max; ++i) txn.puts.push_back({std::to_string(i), ""});
      sides.commits(store, txn);
    }
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Embedded, TheStore, EmbeddedPlace);

struct AnEmbeddedStore : testing::Test {
  host::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "coordination.state";
  Sides sides;
};

TEST_F(AnEmbeddedStore, GoesOnWhereItEnded) {
  Revision term = 0;
  std::optional<std::uint64_t> store_id;
  {
    const auto embedded = open(folder.path());
    Store& store = sides.add(embedded->connect());
    Candidacy candidacy;
    store.campaign(candidacy.events());
    ASSERT_TRUE(sides.until([&] { return candidacy.leads(); }));
    sides.commits(store, put("key", "value"));
    term = candidacy.terms[0];
    store_id = store.store_id();
    sides.clear();
  }
  const auto embedded = open(folder.path());
  Store& store = sides.add(embedded->connect());
  EXPECT_EQ(store.store_id(), store_id);
  const Snapshot snapshot = sides.read(store);
  ASSERT_EQ(snapshot.entries.size(), 1U);
  EXPECT_EQ(snapshot.entries[0].value, "value");
  Candidacy candidacy;
  store.campaign(candidacy.events());
  ASSERT_TRUE(sides.until([&] { return candidacy.leads(); }));
  EXPECT_GT(candidacy.terms[0], term);
  Received received;
  store.watch("", 1, received.events());
  ASSERT_TRUE(sides.until([&] { return !received.behind.empty(); }))
      << "changes of another process";
  sides.clear();
}

TEST_F(AnEmbeddedStore, IsAnotherOnceTheOperatorSaysThatItWasPutBack) {
  std::optional<std::uint64_t> before;
  for (const bool restored : {false, false, true}) {
    const auto embedded = open(folder.path(), restored);
    const auto store = embedded->connect();
    EXPECT_EQ(before && store->store_id() != before, restored);
    before = store->store_id();
  }
}

TEST_F(AnEmbeddedStore, BelongsToOneProcess) {
  const auto embedded = open(folder.path());
  const auto second = Embedded::open({folder.path(), 1, false});
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error().message,
              HasSubstr("held by another perigee-directory; stop that process"));
}

TEST_F(AnEmbeddedStore, SaysWhatIsWrongWithItsFileAndLeavesIt) {
  const auto good = [&] {
    const auto embedded = open(folder.path());
    Store& store = sides.add(embedded->connect());
    sides.commits(store, put("key", "value"));
    sides.clear();
    return **host::read_if_present(file);
  }();
  std::string flipped = good;
  flipped[good.size() - 5] ^= 1;
  for (const std::string& bad : {std::string("garbage"), std::string(1'000, '\0'), std::string(),
                                 flipped, good.substr(0, good.size() - 1)}) {
    std::ofstream(file, std::ios::binary) << bad;
    const auto opened = Embedded::open({folder.path(), 1, false});
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().message, HasSubstr("Restore a matching copy"));
    EXPECT_EQ(**host::read_if_present(file), bad);
  }
}

TEST_F(AnEmbeddedStore, ChangesNothingWhenTheDiskIsFull) {
  const auto embedded = open(folder.path());
  Store& store = sides.add(embedded->connect());
  const Revision before = sides.commits(store, put("key", "old"));
  rlimit unlimited{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const rlimit small{4'096, unlimited.rlim_max};  // the disk is full in the middle of the file
  signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Outcome outcome = sides.commit(store, {{}, {{"key", std::string(50'000, 'x')}}, {}});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  ASSERT_TRUE(std::holds_alternative<Error>(outcome));
  EXPECT_EQ(sides.read(store).entries, (std::vector<Entry>{{"key", "old", before}}));
  EXPECT_GT(sides.commits(store, {{{"key", before}}, {{"key", "new"}}, {}}), before);
  sides.clear();
}

TEST_F(AnEmbeddedStore, SaysWhyNobodyLeadsWhileTheDiskIsFull) {
  const auto embedded = open(folder.path());
  Store& store = sides.add(embedded->connect());
  sides.commits(store, put("key", std::string(8'000, 'x')));
  rlimit unlimited{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const rlimit small{4'096, unlimited.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  Candidacy candidacy;
  store.campaign(candidacy.events());
  EXPECT_TRUE(sides.until([&] { return !store.ready(); }));
  EXPECT_FALSE(candidacy.leads());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  EXPECT_TRUE(sides.until([&] { return candidacy.leads(); }));
  EXPECT_TRUE(store.ready());
  sides.clear();
}

TEST_F(AnEmbeddedStore, PutsAFileAsideToBeginAnew) {
  std::vector<std::size_t> found;
  for (const bool anew : {true, false, true}) {
    const auto embedded = std::move(Embedded::open({folder.path(), 1, false, anew})).value();
    Store& store = sides.add(embedded->connect());
    found.push_back(sides.read(store).entries.size());
    sides.commits(store, put("key", "value"));
    sides.clear();
  }
  EXPECT_EQ(found, (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "coordination.state.old"));
}

TEST_F(AnEmbeddedStore, IsFullAtItsLimit) {
  const auto embedded = open(folder.path());
  Store& store = sides.add(embedded->connect());
  const std::string large(value_bytes_max, 'x');
  std::size_t count = 0;
  Outcome outcome = Committed{};
  for (; count < 100 && std::holds_alternative<Committed>(outcome); ++count) {
    outcome = sides.commit(store, put(std::to_string(count), large));
  }
  ASSERT_TRUE(std::holds_alternative<Error>(outcome));
  EXPECT_THAT(std::get<Error>(outcome).message, HasSubstr("needs etcd"));
  EXPECT_EQ(count, Embedded::bytes_max / value_bytes_max) << "keys take room, too";
  EXPECT_GT(sides.commits(store, {{}, {}, {"0"}}), 0U);
  sides.clear();
}

/// Commits 1, 2, 3 … and writes each to `sent` once it has been answered, until it is killed.
[[noreturn]] void count_for_ever(const std::filesystem::path& folder, int sent) {
  const auto embedded = open(folder);
  Sides sides;
  Store& store = sides.add(embedded->connect());
  for (std::uint32_t number = 1;; ++number) {
    sides.commits(store, put("count", std::to_string(number)));
    if (write(sent, &number, sizeof number) != sizeof number) _exit(1);
  }
}

TEST_F(AnEmbeddedStore, HasWhatItAnsweredWhenItWasKilled) {
  for (int round = 0; round < 5; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) count_for_ever(folder.path(), ends[1]);
    close(ends[1]);
    std::uint32_t answered = 0;
    for (int i = 0; i < 20 + round; ++i) {
      ASSERT_EQ(read(ends[0], &answered, sizeof answered), ssize_t{sizeof answered});
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(ends[0], &answered, sizeof answered) == ssize_t{sizeof answered}) {
    }
    close(ends[0]);
    const auto embedded = open(folder.path());
    Store& store = sides.add(embedded->connect());
    const auto count = std::stoul(sides.read(store, "count").entries.at(0).value);
    EXPECT_GE(count, answered);
    EXPECT_LE(count, answered + 1) << "one may be on its way";
    sides.clear();
  }
}

TEST_F(AnEmbeddedStore, RunsOnALoopWithoutWaitingForItsTimer) {
  host::Loop loop;
  const auto embedded = open(folder.path());
  const auto store = embedded->connect();
  std::vector<Revision> revisions;
  {
    const LoopDriver driver(loop, *store);
    const std::function<void(const Outcome&)> next = [&](const Outcome& outcome) {
      revisions.push_back(std::get<Committed>(outcome).revision);
      if (revisions.size() == 20) return loop.stop();
      store->commit(put("key", "value"), next);
    };
    store->commit(put("key", "value"), next);
    loop.run();
  }
  EXPECT_EQ(revisions.size(), 20U);
}

}  // namespace
}  // namespace perigee::coordination
