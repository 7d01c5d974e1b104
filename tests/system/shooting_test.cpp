// Rifles over real links in virtual time: what one sees is what one hits, aboard a moving ship too.
// (B5, S2; M10 of the lab at small counts)
#include <gtest/gtest.h>

#include <cstdio>

#include "flight.hpp"
#include "marksman.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee {
namespace {

/// Everybody begins in the open, on the station or aboard its ferry.
class Range final : public skiff::Skiff {
 public:
  Range(const skiff::Tunables& tunables, skiff::Row on) : Skiff(tunables), on_(on) {}
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out = Skiff::spawn_state(world, region, ordinal);
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->type != on_) continue;
      out.parent = handle;
      out.state.position = on_ == skiff::ferry_row
                               ? Vec3{ordinal % 2 == 0 ? -3.0 : 3.0, 0.91, -25 + 9.0 * ordinal}
                               : Vec3{35 + 9.0 * ordinal, 0.91, ordinal % 2 == 0 ? 0.0 : 12.0};
      break;
    }
    return out;
  }

 private:
  skiff::Row on_;
};

lab::ClusterOptions options_of(std::string_view profile, std::uint64_t seed) {
  lab::ClusterOptions options;
  options.link = *find_link_profile(profile);
  options.players = 6;
  options.workers = 1;
  options.seed = seed;
  return options;
}

struct Score {
  std::uint32_t inside = 0, inside_hit = 0;
  std::uint32_t outside = 0, outside_missed = 0;
  void print(const char* what) const {
    std::printf("%s: inside by 2 cm %u of %u hit, outside by 2 cm %u of %u missed\n", what,
                inside_hit, inside, outside_missed, outside);
  }
};

Score shoot(skiff::Row on, std::string_view profile, std::uint64_t seed, double seconds) {
  skiff::Tunables tunables;
  tunables.hits_to_kill = 60'000;
  const Range game(tunables, on);
  std::vector<const Marksman*> marksmen;
  const lab::Pilot pilot = [&](const client::Client& client, std::uint64_t brain_seed) {
    auto marksman = std::make_unique<Marksman>(client, brain_seed, 40);
    marksmen.push_back(marksman.get());
    return marksman;
  };
  lab::VirtualCluster cluster(options_of(profile, seed), game, pilot);
  using Verdicts = std::map<std::uint32_t, client::CueNews>;
  std::vector<Verdicts> verdicts(marksmen.size());
  for (double played = 0; played < seconds; played += 0.005) {
    cluster.run_for(5'000);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      for (const client::CueNews& cue : cluster.players()[i].client->cues()) {
        if (cue.state != client::CueState::Played) verdicts[i][cue.tick.count] = cue;
      }
    }
  }
  EXPECT_EQ(cluster.playing(), 6U);
  Score score;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    for (const auto& [tick, shot] : marksmen[i]->shots()) {
      const auto found = verdicts[i].find(tick);
      if (found == verdicts[i].end() || found->second.state != client::CueState::Confirmed)
        continue;
      const bool hit = found->second.detail == skiff::shot_hit;
      ++(shot.inside ? score.inside : score.outside);
      score.inside_hit += shot.inside && hit;
      score.outside_missed += !shot.inside && !hit;
    }
  }
  return score;
}

void expect_honest(const Score& score) {
  EXPECT_GT(score.inside, 100U);
  EXPECT_GT(score.outside, 100U);
  EXPECT_GE(score.inside_hit * 100, score.inside * 95);
  EXPECT_GE(score.outside_missed * 100, score.outside * 95);
}

TEST(ARifle, HitsWhatIsOnTheScreenOnTheStation) {
  const Score score = shoot(skiff::station_row, "P2", 1, 40);
  score.print("station, P2");
  expect_honest(score);
}

TEST(ARifle, HitsWhatIsOnTheScreenAboardAFerry) {
  const Score score = shoot(skiff::ferry_row, "P2", 2, 40);
  score.print("ferry, P2");
  expect_honest(score);
}

// K22: a slow link sees older pictures, and hits what is on them.
TEST(ARifle, HitsWhatIsOnTheScreenOverSlowAndUnrulyLinks) {
  for (const char* profile : {"P3", "P5", "P6"}) {
    SCOPED_TRACE(profile);
    const Score score = shoot(skiff::ferry_row, profile, 4, long_run() ? 240 : 30);
    score.print(profile);
    expect_honest(score);
  }
}

/// Both of a pair shoot in the very same tick, now and then.
class Duelist final : public client::InputSampler {
 public:
  static constexpr std::uint32_t round_ticks = 360;
  explicit Duelist(const client::Client& client) : client_(client) {}
  PlayerInput sample(Tick tick) override {
    PlayerInput input{.tick = tick};
    if (tick.count % round_ticks != 0) return input;
    const client::ViewPoint& at = client_.seen();
    const client::EntityStore& entities = client_.entities();
    const auto frame = entities.drawn_world(client_.prediction().parent(), at);
    std::optional<Vec3> nearest;
    for (const auto& entity : entities.all()) {
      if (entities.type_of(*entity).kind != world::EntityKind::Actor) continue;
      if (entity->handle == client_.prediction().avatar()) continue;
      const auto pose = entities.drawn_world(entity->handle, at);
      if (!frame || !pose) continue;
      const Vec3 way =
          inverse_transform(*frame, pose->position) - client_.prediction().state().position;
      if (!nearest || length(way) < length(*nearest)) nearest = way;
    }
    if (!nearest) return input;
    const auto turn = arc_tangent(nearest->x, nearest->z) * (65536 / (2 * pi));
    input.yaw = static_cast<std::uint16_t>(static_cast<std::int32_t>(turn));
    input.samples.push_back({.pressed = button_fire});
    return input;
  }

 private:
  const client::Client& client_;
};

// S2: latency does not decide who was first, and who shot in one tick are both dead
TEST(ADuel, InOneTickKillsBoth) {
  skiff::Tunables tunables;
  tunables.hits_to_kill = 1;
  for (const skiff::Row on : {skiff::station_row, skiff::ferry_row}) {
    const Range game(tunables, on);
    const lab::Pilot pilot = [](const client::Client& client, std::uint64_t) {
      return std::make_unique<Duelist>(client);
    };
    lab::ClusterOptions options = options_of("P2", 3);
    options.players = 2;
    lab::VirtualCluster cluster(options, game, pilot);
    cluster.run_for(70'000'000);
    const worker::JournalLog& journal = cluster.worker(0).journal();
    std::map<std::uint32_t, std::uint32_t> kills_at;
    for (std::uint64_t n = journal.oldest(); n < journal.total(); ++n) {
      ++kills_at[journal[n].tick.count];
    }
    std::uint32_t both = 0;
    for (const auto& [tick, kills] : kills_at) {
      EXPECT_LE(kills, 2U);
      both += kills == 2;
    }
    std::printf("%u of %zu duels killed both\n", both, kills_at.size());
    EXPECT_GE(kills_at.size(), 8U);
    EXPECT_GE(both * 100, kills_at.size() * 95);
  }
}

}  // namespace
}  // namespace perigee
