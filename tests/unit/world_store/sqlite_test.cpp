// The contract with SQLite, and faults of a file.
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <barrier>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "unit/world_store/contract.hpp"
#include "unit/world_store/lasting_contract.hpp"

namespace perigee::world_store {
namespace {

namespace fs = std::filesystem;

class Folder final : public Place {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "perigee-test-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Folder() override { fs::remove_all(folder_); }
  fs::path file() const { return folder_ / "world.sqlite"; }

  Result<std::unique_ptr<Store>> open() override { return open_sqlite(file()); }
  void execute(const std::string& sql) override {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file().c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
  }
  void crash(pid_t writer) override { kill(writer, SIGKILL); }

 private:
  fs::path folder_;
};

std::unique_ptr<Place> make_folder() { return std::make_unique<Folder>(); }

INSTANTIATE_TEST_SUITE_P(InAFile, AWorldStore, testing::Values(Engine{"Sqlite", make_folder}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(InAFile, ALastingStore, testing::Values(Engine{"Sqlite", make_folder}),
                         name_of);

class AFile : public testing::Test {
 protected:
  static constexpr ClusterId world = 4;
  static std::vector<JournalRow> rows(std::uint32_t from, std::uint32_t count) {
    std::vector<JournalRow> out(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      out[i] = {.id = {.target = from + i, .tick = Tick{7}},
                .slot = WorkerSlot{1},
                .incarnation = Incarnation{1},
                .payload = std::vector<std::byte>(400)};
    }
    return out;
  }
  std::string refusal() {
    const auto refused = folder.open();
    return refused ? "it was opened" : refused.error().message;
  }
  Folder folder;
};

TEST_F(AFile, IsForItsOwnerOnly) {
  const auto store = folder.open();
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(fs::status(folder.file()).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

// All workers do this when a world begins.
TEST_F(AFile, MayBeBegunByManyAtTheSameMoment) {
  for (int round = 0; round < 50; ++round) {
    Folder anew;
    std::barrier together(4);
    std::mutex lock;
    std::vector<std::string> refusals;
    const auto begin = [&] {
      together.arrive_and_wait();
      const auto store = anew.open();
      const std::lock_guard guard(lock);
      if (!store) refusals.push_back(store.error().message);
    };
    std::vector<std::thread> all;
    for (int i = 0; i < 4; ++i) all.emplace_back(begin);
    for (std::thread& each : all) each.join();
    EXPECT_THAT(refusals, testing::IsEmpty());
  }
}

TEST_F(AFile, OfGarbageIsRefusedInASentence) {
  std::ofstream(folder.file()) << std::string(20'000, 'x');
  EXPECT_THAT(refusal(), HasSubstr("file is not a database; restore a backup"));
}

TEST_F(AFile, OfAnotherProgramIsLeftAlone) {
  folder.execute("CREATE TABLE sessions (client_id INTEGER)");
  EXPECT_THAT(refusal(), HasSubstr("is another program's database; use a separate file"));
}

TEST_F(AFile, InAFolderThatIsNotThereIsRefusedInASentence) {
  const auto refused = open_sqlite(folder.file() / "deeper");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("check owner, mode and health of the file"));
}

TEST_F(AFile, ThatAnotherProgramWritesIsAnErrorUntilItEnds) {
  const auto store = std::move(folder.open()).value();
  ASSERT_TRUE(store->adopt(world).ok());
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(folder.file().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto refused = store->append(world, rows(0, 1));
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("another program has it open for writing"));
  EXPECT_EQ(store->faults()[StoreFault::Locked], 1U);
  EXPECT_TRUE(store->read_journal({.after = Tick{0}}).ok()) << "reading goes on";
  sqlite3_close(other);
  EXPECT_EQ(store->append(world, rows(0, 1)).value(), std::vector{Write::Written});
}

/// No file of this process can grow any further, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit full = before_;
    full.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

TEST_F(AFile, OnAFullDiskIsAnErrorUntilThereIsRoom) {
  const auto store = std::move(folder.open()).value();
  ASSERT_TRUE(store->adopt(world).ok());
  std::uint32_t written = 0;
  {
    const FullDisk disk(2U << 20U);
    auto became = store->append(world, rows(written, 100));
    for (; became && written < 100'000; became = store->append(world, rows(written, 100))) {
      written += 100;
    }
    ASSERT_FALSE(became.ok());
    EXPECT_THAT(became.error().message, HasSubstr("make room on that disk"));
    EXPECT_GE(store->faults()[StoreFault::DiskFull], 1U);
    EXPECT_FALSE(store->append(world, rows(written, 100)).ok()) << "still full";
  }
  EXPECT_EQ(store->append(world, rows(written, 100)).value(), std::vector(100, Write::Written))
      << "nothing of the failed batches stayed";
  written += 100;
  EXPECT_EQ(store->read_journal({.after = Tick{0}, .rows_max = 1'000'000})->size(), written);
}

}  // namespace
}  // namespace perigee::world_store
