/// A flight as JSON for viewers: paths, errors, corrections and their causes.
#include "perigee/replay/flight_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perigee/replay/flight_recorder.hpp"
#include "unit/replay/walker.hpp"

namespace perigee::replay {
namespace {

using nlohmann::json;

struct AFlight : testing::Test {
  Walker walker;
  std::vector<world::EntityType> types{{.id = 0, .name = "deck", .shape = walker.deck_shape},
                                       {.id = 1,
                                        .name = "walker",
                                        .kind = world::EntityKind::Actor,
                                        .shape = world::actor_shape(walker.params),
                                        .actor = walker.params}};
  std::vector<NotedCorrection> corrections;
  std::vector<ReceivedClaim> claims;

  Recording recorded(const Chain& chain, Side side) const {
    FlightRecorder recorder(types);
    for (const world::StepRecord& record : chain) recorder.note(record);
    for (const ReceivedClaim& claim : claims) recorder.note_claim(claim);
    if (side == Side::Client) {
      for (const NotedCorrection& correction : corrections) recorder.note_correction(correction);
    }
    return recorder.recording(
        {.side = side, .game = "pla\"in\n", .build = "1", .avatar = 0xabc, .type = 1},
        [](Handle handle) { return std::optional(Recording::Thing{handle, 0, false}); });
  }
  json report(const Recording* client, const Recording* worker,
              const ReportSettings& settings = {}) const {
    const auto text = report_flight(walker.game, {client, worker}, settings);
    EXPECT_TRUE(text.ok()) << text.error().message;
    return json::parse(*text);
  }
  static double at(const json& rows, const char* column, std::size_t row, std::size_t axis) {
    return rows[column][3 * row + axis];
  }
};

/// The same ticks on both sides; the worker misses a jump of tick 120.
struct AFlightWithALostInput : AFlight {
  Chain predicted = walker.ticks(60), became = walker.ticks(60);
  AFlightWithALostInput() {
    predicted[20].input.samples.push_back({.pressed = button_jump});
    became[20].guessed = true;
    walker.play(predicted);
    walker.play(became);
    corrections.push_back({Tick{140}, CorrectionCause::InputLate, 0.8});
  }
};

TEST_F(AFlightWithALostInput, HasBothPathsAndTheCause) {
  const Recording client = recorded(predicted, Side::Client);
  const Recording worker = recorded(became, Side::Worker);
  const json told = report(&client, &worker);
  EXPECT_EQ(told["avatar"], "abc");
  EXPECT_EQ(told["game"], "pla\"in?");
  ASSERT_EQ(told["halves"].size(), 2U);
  for (const json& half : told["halves"]) {
    EXPECT_EQ(half["ticks"], 60);
    EXPECT_EQ(half["rerun"]["bitsDiffer"], 0);
  }
  const json& rows = told["rows"];
  EXPECT_EQ(rows["first"], 100);
  ASSERT_EQ(rows["count"], 60);
  for (const char* column : {"predictedM", "serverM", "claimedM"}) {
    EXPECT_EQ(rows[column].size(), 180U) << column;
  }
  EXPECT_EQ(rows["parentPose"].size(), 420U);
  const Pose& deck_pose = became[20].parent_motion.pose;
  const Vec3 server = transform(deck_pose, became[20].after.position);
  EXPECT_NEAR(at(rows, "serverM", 20, 1), server.y, 1e-4);
  EXPECT_GT(at(rows, "predictedM", 20, 1), at(rows, "serverM", 20, 1)) << "it jumped";
  EXPECT_NEAR(at(rows, "predictedM", 19, 1), at(rows, "serverM", 19, 1), 1e-4);
  EXPECT_TRUE(rows["claimedM"][0].is_null());
  EXPECT_EQ(rows["pressed"][20], button_jump);
  EXPECT_EQ(rows["guessed"][20], 1);
  EXPECT_EQ(rows["guessed"][21], 0);

  ASSERT_EQ(told["corrections"].size(), 1U);
  const json& correction = told["corrections"][0];
  EXPECT_EQ(correction["at"], 140);
  EXPECT_EQ(correction["noted"], "input_late");
  EXPECT_EQ(correction["cause"], "input_lost");
  EXPECT_EQ(correction["parted"], 120);
  EXPECT_EQ(correction["difference"]["field"], "input.pressed");
  EXPECT_LT(correction["leftM"], 1e-3);
}

TEST_F(AFlightWithALostInput, IsNotReplayedWithoutTheRules) {
  const Recording client = recorded(predicted, Side::Client);
  const Recording worker = recorded(became, Side::Worker);
  const json told = report(&client, &worker, {.rules = false});
  EXPECT_EQ(told["rules"], false);
  EXPECT_FALSE(told["halves"][0].contains("rerun"));
  EXPECT_FALSE(told["corrections"][0].contains("cause"));
  EXPECT_TRUE(told["corrections"][0].contains("difference"));
}

TEST_F(AFlightWithALostInput, ExplainsTheNewestCorrectionsOnly) {
  corrections = {{Tick{130}, CorrectionCause::Unknown, 0.3}, corrections[0]};
  const Recording client = recorded(predicted, Side::Client);
  const Recording worker = recorded(became, Side::Worker);
  const json told = report(&client, &worker, {.explained_max = 1});
  EXPECT_FALSE(told["corrections"][0].contains("cause"));
  EXPECT_TRUE(told["corrections"][1].contains("cause"));
}

TEST_F(AFlightWithALostInput, ShowsTheClientsClaimsWhereItsHalfIsMissing) {
  for (const world::StepRecord& record : predicted) {
    claims.push_back({record.tick + 1, record.parent, to_float(record.after.position)});
  }
  const Recording worker = recorded(became, Side::Worker);
  const json told = report(nullptr, &worker);
  EXPECT_NEAR(at(told["rows"], "claimedM", 25, 1),
              transform(became[25].parent_motion.pose, predicted[25].after.position).y, 1e-3);
  ASSERT_GE(told["corrections"].size(), 1U);
  const json& first = told["corrections"][0];
  EXPECT_GE(first["parted"], 120);
  EXPECT_GT(first["meters"], 0.05);
  EXPECT_EQ(first["guessedBefore"], 1);
  EXPECT_FALSE(first.contains("cause"));
}

// The tunable that displaces a prediction, and is corrected before the next tick.
TEST_F(AFlight, NamesACorrectionThatNoTickHas) {
  Chain chain = walker.ticks(40);
  walker.play(chain);
  corrections.push_back({Tick{120}, CorrectionCause::Unknown, 0.5});
  const Recording client = recorded(chain, Side::Client);
  const Recording worker = recorded(chain, Side::Worker);
  const json told = report(&client, &worker);
  const json& correction = told["corrections"][0];
  EXPECT_EQ(correction["cause"], "residual");
  EXPECT_EQ(correction["betweenTicks"], true);
  EXPECT_LT(correction["leftM"], 1e-3);
}

// Whichever half has the bad input: it is never stepped.
TEST_F(AFlight, IsRefusedIfAnInputOfAHalfIsOutOfItsRange) {
  Chain chain = walker.ticks(10);
  walker.play(chain);
  const Recording worker = recorded(chain, Side::Worker);
  Recording client = recorded(chain, Side::Client);
  client.ticks[3].input.own.changed[9] = std::byte{1};
  const Recording bad_worker = [&] {
    Recording out = worker;
    out.ticks[3].input.own.changed[9] = std::byte{1};
    return out;
  }();
  const auto of_client = report_flight(walker.game, {&client, &worker});
  ASSERT_FALSE(of_client.ok());
  EXPECT_THAT(of_client.error().message, testing::StartsWith("client's half: the input field"));
  const auto of_worker = report_flight(walker.game, {nullptr, &bad_worker});
  ASSERT_FALSE(of_worker.ok());
  EXPECT_THAT(of_worker.error().message, testing::StartsWith("worker's half: the input field"));
  EXPECT_TRUE(report_flight(walker.game, {&client, &worker}, {.rules = false}).ok())
      << "nothing is stepped";
}

TEST_F(AFlight, OfAPlayoutBufferIsNamedByTheClientsTicks) {
  Chain predicted = walker.ticks(40);
  walker.play(predicted);
  Chain became = predicted;
  for (world::StepRecord& record : became) record.tick = record.tick + 6;
  const Recording client = recorded(predicted, Side::Client);
  Recording worker = recorded(became, Side::Worker);
  worker.header.delay_ticks = 6;
  const json rows = report(&client, &worker)["rows"];
  EXPECT_EQ(rows["first"], 100);
  EXPECT_EQ(rows["count"], 40);
  EXPECT_EQ(rows["predictedM"], rows["serverM"]);
}

TEST_F(AFlight, HasHalvesOfOneTime) {
  Chain chain = walker.ticks(5);
  walker.play(chain);
  const Recording client = recorded(chain, Side::Client);
  for (world::StepRecord& record : chain) record.tick = record.tick + 100'000;
  const Recording worker = recorded(chain, Side::Worker);
  const auto refused = report_flight(walker.game, {&client, &worker});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("two halves of one flight"));
}

}  // namespace
}  // namespace perigee::replay
