// The results of several threads, merged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "figures.hpp"
#include "progress.hpp"

namespace perigee::bots {
namespace {

Progress progress_with(std::uint32_t playing, double rtt_ms, std::uint64_t bytes) {
  Progress out;
  out.full = {.players = playing + 1,
              .joined = playing,
              .playing = playing,
              .bytes = bytes,
              .rtts_ms = std::vector(playing, rtt_ms),
              .jitters_ms = std::vector(playing, 1.0)};
  out.measured_s = 60;
  out.corrections = playing;
  out.deeds.ticks = 100;
  out.deeds.moving_ticks = 50;
  return out;
}

TEST(Results, ProgressOfThreadsAddsUp) {
  Progress sum = progress_with(2, 50, 1'000);
  sum.add(progress_with(6, 80, 9'000));
  EXPECT_EQ(sum.full.players, 10U);
  EXPECT_EQ(sum.full.playing, 8U);
  EXPECT_EQ(sum.full.bytes, 10'000U);
  EXPECT_EQ(sum.full.rtts_ms.size(), 8U);
  EXPECT_EQ(sum.measured_s, 120);
  EXPECT_EQ(line_of(sum, {}, 7'400'000),
            "   7 s  joined 8/10  playing 8  rtt 80/80 ms  jitter 1.0 ms  corrections 4.0/min "
            "(ground 0.0)  moving 50 %  1.2 kB/s per bot");
}

TEST(Results, ThinPlayersHaveTheirOwnPartOfTheLine) {
  Progress now;
  now.thin = {.players = 3, .joined = 2, .playing = 2, .bytes = 8'000, .rtts_ms = {40, 60}};
  Progress before;
  before.thin.bytes = 2'000;
  EXPECT_EQ(line_of(now, before, 2'000'000),
            "   2 s  thin: joined 2/3  playing 2  rtt 40/40 ms  3.0 kB/s per player");
}

TEST(Results, SamplesOfThreadsFillTheRoom) {
  Samples all(3), one(2), other(2);
  one.lead_ms = {1, 2};
  other.lead_ms = {3, 4};
  all.add(one);
  all.add(other);
  EXPECT_THAT(all.lead_ms, testing::ElementsAre(1, 2, 3));
}

TEST(Results, AThinPlayerThatIsMissingIsAFailure) {
  Figures figures;
  figures.bots = figures.joined = 2;
  figures.thin.players = 4;
  figures.thin.joined = 3;
  EXPECT_FALSE(figures.all_well());
  figures.thin.joined = 4;
  EXPECT_TRUE(figures.all_well());
  figures.thin.silent = 1;
  EXPECT_FALSE(figures.all_well());
}

TEST(Results, TheTableTellsThinPlayersApart) {
  Figures figures;
  figures.thin = {.players = 40, .joined = 39, .measured_s = 120, .bytes = 360'000, .late = 6};
  const std::string text = table(figures);
  EXPECT_EQ(text.find("bots on profile"), std::string::npos);
  EXPECT_NE(text.find("40 thin players"), std::string::npos);
  EXPECT_THAT(text, testing::ContainsRegex("inputs late +3.00 /min per player"));
  EXPECT_THAT(text, testing::ContainsRegex("received +3.0 kB/s per player"));
  const auto object = nlohmann::json::parse(json(figures));
  EXPECT_EQ(object["thin"]["joined"], 39);
  EXPECT_EQ(object["thin"]["inputs_late"], 6);
  EXPECT_EQ(object["bots"], 0);
}

}  // namespace
}  // namespace perigee::bots
