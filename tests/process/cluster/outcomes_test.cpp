// Workers die and stall while their players shoot each other: no irreversible outcome that a player
// was sent is undone. (D7)
#include <sqlite3.h>

#include "fleet.hpp"
#include "process/journal_watch.hpp"

namespace perigee::process_test {
namespace {

using testing::IsEmpty;

/// Looks to others like a worker that was stopped in the middle of a write.
class OpenTransaction {
 public:
  explicit OpenTransaction(const fs::path& file) {
    EXPECT_EQ(sqlite3_open(file.c_str(), &db_), SQLITE_OK);
    sqlite3_busy_timeout(db_, static_cast<int>(std::chrono::milliseconds(patience).count()));
    EXPECT_EQ(sqlite3_exec(db_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  ~OpenTransaction() { sqlite3_close(db_); }
  OpenTransaction(const OpenTransaction&) = delete;
  OpenTransaction& operator=(const OpenTransaction&) = delete;

 private:
  sqlite3* db_ = nullptr;
};

struct AWorldOfFighters : AFleet {
  static constexpr int kills = 6;
  static constexpr std::size_t sent_min = 24;
  static constexpr int late_min = 3;
  static constexpr Incarnation no_later_incarnation{~0U};
  const fs::path log = folder / "outcomes.csv";
  const fs::path file = folder / "world.db";
  std::optional<JournalWatch> journal;

  void start_world() {
    of_each_worker = {"--sim-world-store", "sqlite:" + file.string()};
    start_three();
    auto store = world_store::open_sqlite(file);
    ASSERT_TRUE(store.ok()) << store.error().message;
    journal.emplace(std::move(*store));
  }
  void look() {
    const auto looked = journal->look();
    EXPECT_TRUE(looked.ok()) << looked.error().message;
  }
  /// As soon(), and looks at the journal often enough that no row expires unseen.
  template <class Done>
  bool settles(Done done) {
    return soon([&] {
      look();
      return done();
    });
  }
  std::vector<std::string> fighters() const {
    return bots({"--count", std::to_string(players), "--seconds", "600", "--fierce",
                 "--outcome-log", log.string(), "--json"});
  }
  /// Sum of the series over all workers.
  double sum(const std::string& name) const {
    double all = 0;
    for (const unsigned worker : {110U, 111U, 112U}) all += std::max(0.0, series(worker, name));
    return all;
  }
  void expect_the_journal_has_what_was_sent() {
    look();
    const auto sent = read_outcome_log(log);
    EXPECT_THAT(journal->missing(sent), IsEmpty());
    EXPECT_THAT(sent_again(sent), IsEmpty());
    EXPECT_THAT(journal->contradictions(), IsEmpty());
  }
  unsigned players_of_others(unsigned victim) const {
    return status(20 + (victim + 1) % 3).players() + status(20 + (victim + 2) % 3).players();
  }
  /// Waits until the next death is not part of a crash chain any more: a worker that dies soon
  /// after it took over from another one forms a chain with it, and the third worker of a chain has
  /// no successor (decision 0044). So do workers that die in turns, because a death may become
  /// known late.
  void wait_out_the_row() {
    const auto over = std::chrono::steady_clock::now() + std::chrono::seconds(8);
    EXPECT_TRUE(settles([&] { return std::chrono::steady_clock::now() >= over; }));
  }
  /// The victim gets its regions again, and every worker has a standby in sync.
  void gets_back(unsigned victim, const sim::v1::StatusReply& had) {
    for (const auto& region : had.regions()) {
      move_region(std::to_string(region.region()), "sim-" + std::to_string(victim));
      look();
    }
    EXPECT_TRUE(in_sync({0, 1, 2}));
    look();
  }
  void kill_and_start_again(unsigned victim) {
    const auto had = status(20 + victim);
    ASSERT_TRUE(grows(log)) << "an outcome that was sent too early is lost now";
    sims[victim]->signal(SIGKILL);
    EXPECT_TRUE(settles([&] { return players_of_others(victim) == players; })) << "all play on";
    sims[victim]->wait();
    start_worker(victim);
    gets_back(victim, had);
    wait_out_the_row();
  }
  void stop_and_go_on(unsigned victim) {
    const auto had = status(20 + victim);
    const auto slot = WorkerSlot::at(had.slot());
    const auto rows_of_it = [&] { return journal->rows_up_to(slot, no_later_incarnation); };
    const std::size_t so_far = rows_of_it();
    ASSERT_TRUE(settles([&] { return rows_of_it() > so_far; })) << "it has something to say";
    sims[victim]->signal(SIGSTOP);
    EXPECT_TRUE(settles([&] { return players_of_others(victim) == players; })) << "all play on";
    const Incarnation incarnation = journal->newest_incarnation(slot);
    const std::size_t rows = journal->rows_up_to(slot, incarnation);
    sims[victim]->signal(SIGCONT);
    EXPECT_TRUE(sims[victim]->says("discarding its world"));
    gets_back(victim, had);
    EXPECT_EQ(journal->rows_up_to(slot, incarnation), rows)
        << "its former incarnation writes nothing more";
  }
};

TEST_F(AWorldOfFighters, ForgetsNothingThatPlayersWereSentWhenItsWorkersDieOrStandStill) {
  start_world();
  Child people(fighters());
  ASSERT_TRUE(people.says("playing 12")) << people.output();
  for (int i = 0; i < kills; ++i) kill_and_start_again(busiest());
  stop_and_go_on(busiest());
  EXPECT_TRUE(settles([&] { return read_outcome_log(log).size() >= sent_min; }));
  people.signal(SIGINT);
  EXPECT_EQ(people.wait(), 0) << people.output();
  EXPECT_EQ(figure_of(people.output(), "disconnects"), 0) << people.output();
  EXPECT_EQ(figure_of(people.output(), "avatars_changed"), 0) << people.output();
  expect_the_journal_has_what_was_sent();
}

// The other workers' outcomes wait, are sent to players 5 s late, and are all in the journal in the
// end.
TEST_F(AWorldOfFighters, ForgetsNothingWhenSomebodyStandsStillInTheMiddleOfWriting) {
  start_world();
  Child people(fighters());
  ASSERT_TRUE(people.says("playing 12")) << people.output();
  ASSERT_TRUE(settles([&] { return journal->size() > 0; }));
  {
    const OpenTransaction stands(file);
    const std::string late = "perigee_sim_world_store_outcomes_total{result=\"sent_unstored\"}";
    EXPECT_TRUE(settles([&] { return sum(late) >= late_min; }));
    EXPECT_GT(sum("perigee_sim_world_store_behind"), 0);
    EXPECT_GT(sum("perigee_sim_world_store_faults_total{kind=\"locked\"}"), 0);
  }
  EXPECT_TRUE(settles([&] {
    return sum("perigee_sim_world_store_behind") == 0 &&
           sum("perigee_sim_world_store_rows_waiting") == 0;
  }));
  people.signal(SIGINT);
  EXPECT_EQ(people.wait(), 0) << people.output();
  expect_the_journal_has_what_was_sent();
  std::size_t warnings = 0;
  for (Child* sim : sims) {
    sim->signal(SIGTERM);
    sim->wait();
    const std::string& output = sim->output();
    const auto fails = [&](std::size_t from) {
      return output.find("the world store does not work; retrying", from);
    };
    // A busy machine may have made other workers wait for the file once more; then that must be
    // over, too.
    for (std::size_t at = fails(0); at != std::string::npos; at = fails(at + 1), ++warnings) {
      EXPECT_LT(output.find("the world store works again", at), fails(at + 1)) << "said once";
    }
  }
  EXPECT_GT(warnings, 0U);
}

}  // namespace
}  // namespace perigee::process_test
