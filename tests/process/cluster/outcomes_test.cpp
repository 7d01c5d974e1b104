// Workers die and stand still while their players shoot each other: what anybody was told cannot
// be undone, is not.
#include "fleet.hpp"
#include "process/journal_watch.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

struct AWorldOfFighters : AFleet {
  static constexpr int kills = 6;
  static constexpr std::size_t told_min = 24;
  static constexpr world_store::Epoch no_later_life = ~world_store::Epoch{0};
  const fs::path log = folder / "outcomes.csv";
  std::optional<JournalWatch> journal;

  void start_world() {
    const fs::path file = folder / "world.db";
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
  /// As soon(), and the journal forgets nothing unseen meanwhile.
  template <class Done>
  bool settles(Done done) {
    return soon([&] {
      look();
      return done();
    });
  }
  /// The moment that a line is written: what was told too early is lost then.
  bool somebody_is_told() const {
    const auto before = fs::file_size(log);
    for (int i = 0; i < 10'000 * slowness; ++i) {
      if (fs::file_size(log) > before) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }
  unsigned players_of_others(unsigned victim) const {
    return status(20 + (victim + 1) % 3).players() + status(20 + (victim + 2) % 3).players();
  }
  /// It gets again what was its own, and whoever plays has a buddy that could go on.
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
    ASSERT_TRUE(somebody_is_told());
    sims[victim]->signal(SIGKILL);
    EXPECT_TRUE(settles([&] { return players_of_others(victim) == players; })) << "all play on";
    sims[victim]->wait();
    start_worker(victim);
    gets_back(victim, had);
  }
  void stop_and_go_on(unsigned victim) {
    const auto had = status(20 + victim);
    const auto rows_of_it = [&] { return journal->rows_up_to(had.slot(), no_later_life); };
    const std::size_t so_far = rows_of_it();
    ASSERT_TRUE(settles([&] { return rows_of_it() > so_far; })) << "it has something to say";
    sims[victim]->signal(SIGSTOP);
    EXPECT_TRUE(settles([&] { return players_of_others(victim) == players; })) << "all play on";
    const world_store::Epoch life = journal->newest_life(had.slot());
    const std::size_t rows = journal->rows_up_to(had.slot(), life);
    sims[victim]->signal(SIGCONT);
    EXPECT_TRUE(sims[victim]->says("this worker's world ends"));
    gets_back(victim, had);
    EXPECT_EQ(journal->rows_up_to(had.slot(), life), rows) << "its former life says nothing more";
  }
};

TEST_F(AWorldOfFighters, ForgetsNothingThatPlayersWereToldWhenItsWorkersDieOrStandStill) {
  start_world();
  Child people(bots({"--count", std::to_string(players), "--seconds", "600", "--fierce",
                     "--outcome-log", log.string(), "--json"}));
  ASSERT_TRUE(people.says("playing 12")) << people.output();
  for (int i = 0; i < kills; ++i) kill_and_start_again(busiest());
  stop_and_go_on(busiest());
  EXPECT_TRUE(settles([&] { return read_outcome_log(log).size() >= told_min; }));
  people.signal(SIGINT);
  EXPECT_EQ(people.wait(), 0) << people.output();
  EXPECT_THAT(people.output(), HasSubstr("\"disconnects\":0,"));
  EXPECT_THAT(people.output(), HasSubstr("\"avatars_changed\":0,"));
  look();
  const auto told = read_outcome_log(log);
  EXPECT_THAT(journal->missing(told), IsEmpty());
  EXPECT_THAT(told_again(told), IsEmpty());
  EXPECT_THAT(journal->contradictions(), IsEmpty());
}

}  // namespace
}  // namespace perigee::process_test
