// Hours of play while processes are killed and stopped, the store stands still and the clock is
// set. It prints a table of what was done and what players noticed, and how memory and descriptors
// went.
//   PERIGEE_SOAK_MINUTES=60 PERIGEE_SOAK_SEED=7 build/release/tests/process/cluster/process_cluster
//   --gtest_filter='ASoak.*'
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>

#include "fleet.hpp"
#include "perigee/base/hash.hpp"
#include "process/journal_watch.hpp"

namespace perigee::process_test {
namespace {

using testing::IsEmpty;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

long environment(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atol(text);
}

/// Resident memory and open descriptors of a process.
struct Use {
  double resident_mb = 0;
  long descriptors = 0;
};
Use use_of(pid_t pid) {
  Use out;
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) out.resident_mb = std::atof(line.c_str() + 6) / 1'024;
  }
  std::error_code failed;
  for (const auto& each : fs::directory_iterator("/proc/" + std::to_string(pid) + "/fd", failed)) {
    (void)each;
    ++out.descriptors;
  }
  return out;
}

/// Holds the store's file locked: to its writers the disk stands still.
class SlowDisk {
 public:
  explicit SlowDisk(const fs::path& file) {
    EXPECT_EQ(sqlite3_open(file.c_str(), &db_), SQLITE_OK);
    sqlite3_busy_timeout(db_, 10'000);
    sqlite3_exec(db_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
  }
  ~SlowDisk() { sqlite3_close(db_); }
  SlowDisk(const SlowDisk&) = delete;
  SlowDisk& operator=(const SlowDisk&) = delete;

 private:
  sqlite3* db_ = nullptr;
};

class ASoak : public AFleet {
 protected:
  static constexpr int bots_there = 50;
  /// Time between two deeds: the end of a crash chain, and some undisturbed play.
  static constexpr auto rest = 14s;
  const fs::path log = folder / "outcomes.csv";
  const fs::path file = folder / "world.db";
  const std::uint64_t seed = static_cast<std::uint64_t>(environment("PERIGEE_SOAK_SEED", 1));
  Random random{seed};
  std::optional<JournalWatch> journal;
  std::map<std::string, int> done;
  struct Process {
    Child* child = nullptr;
    Use first;  ///< a while after its start
    Clock::time_point since;
  };
  std::map<std::string, Process> running;
  std::vector<std::string> grown;  ///< rows of the table of processes

  Child& run(const std::string& name, const std::string& binary, std::vector<std::string> more) {
    Child& child = start(binary, std::move(more));
    running[name] = {&child, {}, Clock::now()};
    return child;
  }
  void run_worker(unsigned index) {
    run("sim-" + std::to_string(index), PERIGEE_SIM_BINARY,
        {"--index", std::to_string(index), "--sim-world-store", "sqlite:" + file.string()});
  }
  void run_gateway(unsigned index) {
    run("gateway-" + std::to_string(index), PERIGEE_GATEWAY_BINARY,
        {"--gateway-index", std::to_string(index)});
  }
  void run_directory() {
    run("directory", PERIGEE_DIRECTORY_BINARY,
        {"--directory-workers", "3", "--directory-regions", "3"});
  }
  void run_session() { run("session", PERIGEE_SESSION_BINARY, {}); }
  void begin() {
    Child certs({PERIGEE_ROOT "/perigee", "certs", "--into", (folder / "certs").string()});
    ASSERT_EQ(certs.wait(), 0) << certs.output();
    run_directory();
    run_gateway(0);
    run_gateway(1);
    for (const unsigned index : {0U, 1U, 2U}) run_worker(index);
    run_session();
    for (const unsigned port : {102U, 100U, 181U, 110U, 111U, 112U, 101U}) {
      ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
    }
    ASSERT_TRUE(in_sync({0, 1, 2})) << outputs();
    auto store = world_store::open_sqlite(file);
    ASSERT_TRUE(store.ok()) << store.error().message;
    journal.emplace(std::move(*store));
  }
  /// Looks at the journal often enough that no row expires unseen.
  void play(std::chrono::milliseconds time) {
    for (const auto until = Clock::now() + time; Clock::now() < until;) {
      const auto looked = journal->look();
      EXPECT_TRUE(looked.ok()) << looked.error().message;
      for (auto& [name, process] : running) {
        if (process.first.descriptors == 0 && Clock::now() - process.since > 20s) {
          process.first = use_of(process.child->pid());
        }
      }
      std::this_thread::sleep_for(500ms);
    }
  }
  void end(const std::string& name, int signal) {
    Process& process = running[name];
    note_use(name);
    process.child->signal(signal);
    process.child->wait();
  }
  /// A line about a process that has run for a while: it must not have grown.
  void note_use(const std::string& name) {
    const Process& process = running[name];
    if (process.first.descriptors == 0) return;
    const Use now = use_of(process.child->pid());
    const double minutes = std::chrono::duration<double>(Clock::now() - process.since).count() / 60;
    std::array<char, 160> row{};
    std::snprintf(row.data(), row.size(), "%-10s  %7.1f  %8.1f  %8.1f  %6ld  %6ld", name.c_str(),
                  minutes, process.first.resident_mb, now.resident_mb, process.first.descriptors,
                  now.descriptors);
    grown.emplace_back(row.data());
    EXPECT_LE(now.descriptors, process.first.descriptors + 64) << name << ": descriptors";
  }
  std::string some_worker() { return "sim-" + std::to_string(random.below(3)); }

  void deed() {
    using Deed = std::function<void()>;
    const std::vector<std::pair<const char*, Deed>> deeds{
        {"worker killed",
         [&] {
           const auto index = random.below(3);
           end("sim-" + std::to_string(index), SIGKILL);
           play(3s);
           run_worker(index);
         }},
        {"worker stopped", [&] { stand(some_worker(), 1'000 + random.below(6'000)); }},
        {"gateway killed",
         [&] {
           const auto index = random.below(2);
           end("gateway-" + std::to_string(index), SIGKILL);
           play(2s);
           run_gateway(index);
         }},
        {"gateway stopped",
         [&] { stand("gateway-" + std::to_string(random.below(2)), 500 + random.below(1'500)); }},
        {"directory killed",
         [&] {
           end("directory", SIGKILL);
           play(2s);
           run_directory();
         }},
        {"directory stopped", [&] { stand("directory", 1'000 + random.below(6'000)); }},
        {"session killed",
         [&] {
           end("session", SIGKILL);
           play(2s);
           run_session();
         }},
        {"worker drained, and back",
         [&] {
           const auto index = random.below(3);
           end("sim-" + std::to_string(index), SIGTERM);
           run_worker(index);
         }},
        {"disk stood still",
         [&] {
           const SlowDisk still(file);
           std::this_thread::sleep_for(std::chrono::milliseconds(1'000 + random.below(6'000)));
         }},
    };
    const auto& [what, act] = deeds[random.below(static_cast<std::uint32_t>(deeds.size()))];
    std::printf("%6.1f min  %s\n", std::chrono::duration<double>(Clock::now() - began).count() / 60,
                what);
    std::fflush(stdout);
    ++done[what];
    act();
  }
  void stand(const std::string& name, std::uint32_t ms) {
    Child& child = *running[name].child;
    child.signal(SIGSTOP);
    play(std::chrono::milliseconds(ms));
    child.signal(SIGCONT);
  }

  const Clock::time_point began = Clock::now();
};

TEST_F(ASoak, LosesNoOutcomeAndGrowsNoProcessWhileProcessesDie) {
  const long minutes = environment("PERIGEE_SOAK_MINUTES", 0);
  if (minutes == 0) GTEST_SKIP() << "PERIGEE_SOAK_MINUTES says how long it takes";
  begin();
  Child people(bots({"--count", std::to_string(bots_there), "--seconds", "86400", "--fierce",
                     "--profile", "P1", "--outcome-log", log.string(), "--json"}));
  ASSERT_TRUE(people.says("playing " + std::to_string(bots_there))) << people.output();
  const Use bots_first = use_of(people.pid());
  for (const auto until = began + std::chrono::minutes(minutes); Clock::now() < until;) {
    play(rest);
    deed();
  }
  // Everything is whole again, and everybody plays.
  play(30s);
  EXPECT_TRUE(in_sync({0, 1, 2}));
  EXPECT_EQ(owned_with(bots_there, {0, 1, 2})["character"], bots_there);
  const Use bots_last = use_of(people.pid());
  for (const auto& [name, process] : running) note_use(name);
  people.signal(SIGINT);
  EXPECT_EQ(people.wait(), 0) << people.output();
  play(2s);
  const auto sent = read_outcome_log(log);
  const auto missing = journal->missing(sent);
  EXPECT_THAT(missing, IsEmpty());
  EXPECT_THAT(sent_again(sent), IsEmpty());
  EXPECT_THAT(journal->contradictions(), IsEmpty());

  std::printf("\nseed %llu, %ld minutes, %d bots\n", static_cast<unsigned long long>(seed), minutes,
              bots_there);
  for (const auto& [what, times] : done) std::printf("  %-26s %4d\n", what.c_str(), times);
  std::printf("outcomes sent %zu, lost %zu\n", sent.size(), missing.size());
  for (const char* figure :
       {"disconnects", "resumes", "avatars_changed", "longest_gap_ms", "corrections_per_min"}) {
    std::printf("%s %.1f\n", figure, figure_of(people.output(), figure));
  }
  std::printf("%-10s  %7s  %8s  %8s  %6s  %6s\n", "process", "minutes", "MB then", "MB now",
              "fd then", "fd now");
  for (const std::string& row : grown) std::printf("%s\n", row.c_str());
  std::printf("%-10s           %8.1f  %8.1f  %6ld  %6ld\n", "bots", bots_first.resident_mb,
              bots_last.resident_mb, bots_first.descriptors, bots_last.descriptors);
}

}  // namespace
}  // namespace perigee::process_test
