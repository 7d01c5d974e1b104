// Messages between clients and a game in a whole cluster: players talk while they run back and
// forth over a border, on a bad network, and a worker dies. Nothing is lost, doubled or out of
// order. What the game keeps of the players is there after everything was killed.
#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "sanitized.hpp"
#include "two_floors.hpp"

namespace perigee::lab {
namespace {

struct Talker {
  std::uint32_t heard = 0;  ///< messages of this player
  static void fields(auto&& field, auto& talker) { field(talker.heard, world::SeenBy::Owner); }
};

std::span<const std::byte> as_message(const std::string& text) {
  return as_bytes_of(text.data(), text.size());
}
std::string as_text(std::span<const std::byte> message) {
  return {reinterpret_cast<const char*>(message.data()), message.size()};
}

/// Two floors that meet at x = 0. The game answers each message with its number, and tells
/// all players every eighth one.
class Parlour final : public TwoFloors {
 public:
  static constexpr std::uint32_t told_everybody = 8;
  mutable std::uint64_t wrong = 0;  ///< messages out of order, twice, or without their answer
  mutable std::set<std::string> broadcasts;
  mutable std::map<Handle, std::string> profiles;  ///< as the newest tick found them
  mutable std::set<std::uint64_t> player_ids;

  Parlour() : TwoFloors("parlour", world::codec_of<Talker>()) {}
  Vec3 start(bool left, std::uint32_t ordinal) const override {
    return {0, 0.91, (left ? -15.0 : -12.0) + 6.0 * (ordinal % 5)};
  }
  void apply_event(const world::GameEvent&, world::GameState& state) const override {
    ++state.as<Talker>().heard;
  }
  void on_message(world::Journal& journal, const world::Participant& who,
                  std::span<const std::byte> message) const override {
    const std::uint32_t number = journal.state(who.actor)->as<Talker>().heard + 1;
    const std::string text = std::to_string(number);
    wrong += as_text(message) != text;
    wrong += !journal.notify(who.actor, {.tick = who.tick});
    wrong += journal.tell(who.actor, as_message(text)) != world::TellRefusal::None;
    const world::KeepRefusal kept = journal.save(who.actor, as_message(text));
    wrong += kept != world::KeepRefusal::None && kept != world::KeepRefusal::NoStore;
    if (number % told_everybody != 0) return;
    const world::MatchResult result{
        .origin = who.actor, .match = number, .bytes = as_message(text)};
    const world::KeepRefusal result_kept = journal.keep(result);
    wrong += result_kept != world::KeepRefusal::None && result_kept != world::KeepRefusal::NoStore;
    const std::string news = "from " + std::to_string(who.actor) + ": " + text;
    wrong += journal.tell_everybody(as_message(news)) != world::TellRefusal::None;
    broadcasts.insert(news);
  }
  void on_join(world::Journal&, const world::Participant& who) const override {
    player_ids.insert(who.account.player_id);
  }
  void think(world::ThinkContext& context) const override {
    context.for_each_actor([&](const world::ThinkActor& actor) {
      const auto profile = context.journal().profile(actor.handle);
      profiles[actor.handle] = profile ? as_text(*profile) : "not read";
    });
  }
};

/// The messages that one player has sent and received.
struct Talk {
  std::uint32_t said = 0, answered = 0;
  std::uint64_t wrong = 0;
  std::map<std::string, int> news;

  void turn(client::Client& client, bool speaks) {
    while (const auto message = client.take_message()) {
      const std::string text = as_text(*message);
      if (text.starts_with("from ")) {
        ++news[text];
      } else {
        wrong += text != std::to_string(++answered);
      }
    }
    for (int i = 0; speaks && i < 3; ++i) {
      const std::string text = std::to_string(said + 1);
      if (client.send_message(as_message(text)) == client::MessageRefusal::None) ++said;
    }
  }
};

struct TalkPlan {
  std::uint32_t workers = 1;
  bool one_dies = false;
  std::uint64_t seed = 1;
};

void expect_all_is_heard(const TalkPlan& plan) {
  const Parlour parlour;
  ClusterOptions options;
  options.link = *find_link_profile("P5");
  options.players = 6;
  options.workers = plan.workers;
  options.regions = plan.workers > 2 ? 2 : 0;
  options.standbys = true;
  options.seed = plan.seed;
  VirtualCluster cluster(options, parlour, [](const client::Client& client, std::uint64_t) {
    return std::make_unique<LaneRunner>(client, 20);
  });
  std::vector<Talk> talks(options.players);
  const auto run_s = [&](int seconds, bool speak) {
    for (int i = 0; i < 2 * seconds; ++i) {
      cluster.run_for(500'000);
      for (std::size_t p = 0; p < cluster.players().size(); ++p) {
        talks[p].turn(*cluster.players()[p].client, speak);
      }
    }
  };
  run_s(20, true);
  if (plan.one_dies) cluster.kill_worker(0);
  run_s(20, true);
  run_s(15, false);
  std::uint32_t said = 0;
  for (const Talk& talk : talks) {
    EXPECT_GT(talk.said, 100U);
    EXPECT_EQ(talk.answered, talk.said);
    EXPECT_EQ(talk.wrong, 0U);
    EXPECT_EQ(talk.news, talks[0].news) << "everybody gets the same";
    for (const auto& [news, times] : talk.news) EXPECT_EQ(times, 1) << news;
    said += talk.said;
  }
  EXPECT_EQ(parlour.wrong, 0U);
  EXPECT_EQ(talks[0].news.size(), parlour.broadcasts.size());
  EXPECT_GT(talks[0].news.size(), 50U);
  std::printf("%u workers%s: %u messages heard and answered, %zu broadcasts to %zu players\n",
              plan.workers, plan.one_dies ? ", one dies" : "", said, talks[0].news.size(),
              talks.size());
}

TEST(ATalk, IsRememberedAfterEverythingIsKilled) {
  const Parlour parlour;
  ClusterOptions options;
  options.link = *find_link_profile("P2");
  options.players = 6;
  options.workers = 2;
  options.world_store_us = 50'000;
  VirtualCluster cluster(options, parlour, [](const client::Client& client, std::uint64_t) {
    return std::make_unique<LaneRunner>(client, 20);
  });
  std::vector<Talk> talks(options.players);
  for (int i = 0; i < 80; ++i) {  // two checkpoints
    cluster.run_for(500'000);
    for (std::size_t p = 0; p < talks.size(); ++p) {
      talks[p].turn(*cluster.players()[p].client, true);
    }
  }
  EXPECT_EQ(parlour.wrong, 0U);
  std::multiset<std::string> stored, read;
  ASSERT_EQ(parlour.player_ids.size(), options.players);
  for (const std::uint64_t player_id : parlour.player_ids) {
    const auto row = cluster.store().read_profile(player_id);
    ASSERT_TRUE(row.ok() && *row);
    stored.insert(as_text((*row)->payload));
    EXPECT_GT(std::stoi(as_text((*row)->payload)), 100);
  }
  const auto results = cluster.store().read_results({});
  ASSERT_TRUE(results.ok());
  EXPECT_GT(results->size(), 50U);
  parlour.profiles.clear();
  cluster.restart_everything(2'000'000);
  cluster.run_for(6'000'000);
  for (const auto& [actor, profile] : parlour.profiles) read.insert(profile);
  EXPECT_EQ(read, stored);
  EXPECT_EQ(cluster.store().read_results({})->size(), results->size());
}

TEST(ATalk, IsHeardWithOneWorker) { expect_all_is_heard({}); }

TEST(ATalk, IsHeardAcrossABorder) { expect_all_is_heard({.workers = 2, .seed = 2}); }

TEST(ATalk, IsHeardWhenAWorkerDies) {
  for (const std::uint64_t seed : {3ULL, 4ULL}) {
    expect_all_is_heard({.workers = 3, .one_dies = true, .seed = seed});
  }
}

}  // namespace
}  // namespace perigee::lab
