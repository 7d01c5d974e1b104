/// Recordings can be read and replay bit for bit; for an unreadable one the reason is given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perigee/replay/flight_recorder.hpp"
#include "perigee/replay/rerun.hpp"
#include "unit/replay/walker.hpp"

namespace perigee::replay {
namespace {

struct ARecording : testing::Test {
  Walker walker;
  std::vector<world::EntityType> types = make_types(walker);
  FlightRecorder recorder{types};

  static std::vector<world::EntityType> make_types(const Walker& walker) {
    return {{.id = 0, .name = "deck", .shape = walker.deck_shape},
            {.id = 1, .name = "wall", .shape = walker.wall_shape},
            {.id = 2, .name = "ground", .shape = walker.ground_shape},
            {.id = 3,
             .name = "walker",
             .kind = world::EntityKind::Actor,
             .shape = world::actor_shape(walker.params),
             .actor = walker.params}};
  }
  static std::optional<Recording::Thing> thing_of(Handle handle) {
    if (handle == deck) return Recording::Thing{deck, 0, false};
    if (handle == wall) return Recording::Thing{wall, 1, false};
    if (handle == ground) return Recording::Thing{ground, 2, false};
    return std::nullopt;
  }
  Recording taken(Side side = Side::Client) const {
    return recorder.recording(
        {.side = side, .game = "plain", .build = "1", .avatar = 77, .type = 3}, thing_of);
  }
  void note(const Chain& chain) {
    for (const world::StepRecord& record : chain) recorder.note(record);
  }
  /// A chain with a wall, cells, jumps, guesses, and a parent that moves and changes.
  Chain eventful() const {
    Chain out = walker.ticks(200);
    for (std::size_t i = 0; i < out.size(); ++i) {
      walker.add_wall(out[i], 6);
      walker.add_ground(out[i], 3);
      out[i].frame.inertia = world::Inertia::Full;
      out[i].frame.angular_velocity = {0, 0.1, -0.0};
      if (i % 60 == 30) out[i].input.samples.push_back({.pressed = button_jump});
      out[i].guessed = i % 7 == 0;
      if (i == 100) out[i].switched_from = Motion{.pose = {{1, 0, 0}, {}}};
    }
    walker.play(out);
    return out;
  }
};

world::MeshPtr strip(int squares) {
  world::MeshSource out;
  out.materials = {{4, 0.25F}, {9, 1}};
  for (int i = 0; i <= squares; ++i) {
    const auto x = static_cast<float>(i) * 0.05F;
    out.corners.push_back({x, 0, 0});
    out.corners.push_back({x, 0, 1});
    if (i == squares) break;
    const auto at = static_cast<std::uint32_t>(2 * i);
    out.triangles.push_back({at, at + 1, at + 2});
    out.triangles.push_back({at + 2, at + 1, at + 3});
    out.material_of.insert(out.material_of.end(), {1, 0});
  }
  return *world::Mesh::make(out);
}

TEST_F(ARecording, HasHullsAndTheTrianglesOfLevelsUnlessTheyAreTooMany) {
  for (const bool too_many : {false, true}) {
    const world::MeshPtr mesh = strip(too_many ? 300'000 : 20);
    const std::vector<Vec3f> corners{
        {0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 1}, {0.2F, 0.2F, 0.2F}};
    const world::HullPtr hull = *world::Hull::make(corners);
    types[2].shape = world::make_shape({world::Box{.half = {1, 1, 1}}}, mesh, {hull, hull});
    types[1].shape = world::make_shape({}, nullptr, {hull});
    FlightRecorder in_level(types);
    for (const world::StepRecord& record : walker.ticks(20)) in_level.note(record);
    const auto read = read_recording(write_recording(in_level.recording(
        {.side = Side::Client, .game = "plain", .build = "1", .avatar = 77, .type = 3}, thing_of)));
    ASSERT_EQ(read.ok(), !too_many);
    if (too_many) {
      EXPECT_THAT(read.error().message, testing::HasSubstr("without the triangles"));
    } else {
      EXPECT_EQ(read->types[2].shape->mesh()->hash(), mesh->hash());
      EXPECT_EQ(read->types[2].shape->mesh()->surface(0), mesh->surface(0));
      EXPECT_EQ(read->types[2].shape->boxes().size(), 1U);
      ASSERT_EQ(read->types[2].shape->hulls().size(), 2U);
      EXPECT_EQ(read->types[2].shape->hulls()[1]->hash(), hull->hash());
      EXPECT_EQ(read->types[1].shape->hulls()[0]->hash(), hull->hash());
      EXPECT_EQ(read->types[1].shape->mesh(), nullptr);
    }
  }
}

TEST_F(ARecording, HasHeightfieldsUnlessTheyAreTooLarge) {
  for (const std::uint32_t side : {33U, 2'500U}) {
    world::HeightfieldSource source{.columns = side, .rows = side};
    source.heights.assign(std::size_t{side} * side, 7);
    source.heights[40] = 900;
    source.cells.assign(std::size_t{side - 1} * (side - 1), 1);
    source.cells[3] = world::Heightfield::hole;
    source.materials = {{4, 0.25F}, {9, 1}};
    const world::HeightfieldPtr field = *world::Heightfield::make(source);
    types[2].shape = world::make_shape(field);
    FlightRecorder in_level(types);
    for (const world::StepRecord& record : walker.ticks(20)) in_level.note(record);
    const auto bytes = write_recording(in_level.recording(
        {.side = Side::Client, .game = "plain", .build = "1", .avatar = 77, .type = 3}, thing_of));
    const auto read = read_recording(bytes);
    ASSERT_EQ(read.ok(), side == 33);
    if (!read) {
      EXPECT_THAT(read.error().message, testing::HasSubstr("without the triangles, heights"));
      EXPECT_LT(bytes.size(), 100'000U);
      continue;
    }
    ASSERT_NE(read->types[2].shape->heightfield(), nullptr);
    EXPECT_EQ(read->types[2].shape->heightfield()->hash(), field->hash());
    EXPECT_EQ(read->types[2].shape->material(0)->surface, 9);
    for (std::size_t size = 0; size < bytes.size(); size += 61) {
      ASSERT_FALSE(read_recording(std::span(bytes).first(size)).ok()) << size;
    }
  }
}

TEST_F(ARecording, HasHullsUnlessTheyAreTooMany) {
  std::vector<Vec3f> round;
  Random random(3);
  while (round.size() < 64) {
    const Vec3 way{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    round.push_back(to_float(normalized(way) * 5));
  }
  const auto rock = world::Hull::make(round);
  ASSERT_TRUE(rock.ok()) << rock.error().message;
  const std::vector<world::HullPtr> many(world::Shape::hulls_max, *rock);
  types[1].shape = world::make_shape({}, nullptr, many);
  for (const bool too_many : {false, true}) {
    if (too_many) {
      while (types.size() < Recording::types_max) {
        types.push_back({.id = static_cast<world::TypeId>(types.size()), .shape = types[1].shape});
      }
    }
    FlightRecorder in_level(types);
    for (const world::StepRecord& record : walker.ticks(20)) in_level.note(record);
    const auto read = read_recording(write_recording(in_level.recording(
        {.side = Side::Client, .game = "plain", .build = "1", .avatar = 77, .type = 3}, thing_of)));
    ASSERT_EQ(read.ok(), !too_many);
    if (too_many) {
      EXPECT_THAT(read.error().message,
                  testing::HasSubstr("without the triangles, heights and hulls"));
    } else {
      EXPECT_EQ(read->types[1].shape->hulls().size(), world::Shape::hulls_max);
    }
  }
}

TEST_F(ARecording, RunsAgainBitForBit) {
  note(eventful());
  const auto read = read_recording(write_recording(taken()));
  ASSERT_TRUE(read.ok()) << read.error().message;
  const Rerun again = rerun(walker.game, *read);
  EXPECT_EQ(again.ticks, 200U);
  EXPECT_EQ(again.bits_otherwise, 0U);
  EXPECT_EQ(again.begun_anew, 0U);
}

TEST_F(ARecording, TellsATickThatCameOutOtherwise) {
  Chain chain = eventful();
  chain[50].after.position.x += 1e-9;
  note(chain);
  const Rerun again = rerun(walker.game, taken());
  EXPECT_EQ(again.first, chain[50].tick);
  EXPECT_EQ(again.ticks_otherwise, 1U);
  EXPECT_EQ(again.begun_anew, 1U) << "the next tick began with what really was";
}

TEST_F(ARecording, KeepsTheNewestTenSeconds) {
  note(walker.ticks(700));
  EXPECT_EQ(taken().ticks.size(), 600U);
  EXPECT_EQ(taken().ticks.front().tick, Tick{200});
  recorder.note(walker.tick(5000));
  EXPECT_EQ(recorder.ticks(), 1U) << "after a long gap it is another flight";
  recorder.note(walker.tick(5200));
  EXPECT_EQ(recorder.ticks(), 2U) << "a client that stalled goes on";
  recorder.note(walker.tick(5600));
  EXPECT_EQ(taken().ticks.front().tick, Tick{5200}) << "ten seconds, also with gaps";
  recorder.note(walker.tick(5300));
  EXPECT_EQ(taken().ticks.back().tick, Tick{5300}) << "time went back a little";
  EXPECT_EQ(taken().ticks.front().tick, Tick{5200});
  recorder.note(walker.tick(400));
  EXPECT_EQ(recorder.ticks(), 1U) << "another world";
}

TEST_F(ARecording, KeepsClaimsAndCorrections) {
  note(walker.ticks(20));
  recorder.note_claim({Tick{50}, deck, {9, 9, 9}});
  recorder.note_claim({Tick{105}, deck, {1, 2, 3}});
  recorder.note_claim({Tick{105}, deck, {4, 5, 6}});
  recorder.note_claim({Tick{106}, no_entity, {1e20F, 0, 0}});
  recorder.note_correction({Tick{90}, CorrectionCause::Residual, 9});
  recorder.note_correction({Tick{110}, CorrectionCause::StaleObject, 0.25});
  const auto read = read_recording(write_recording(taken(Side::Worker)));
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->claims.size(), 1U) << "in order, of recorded ticks, and inside of any game";
  EXPECT_EQ(read->claims[0].tick, Tick{105});
  EXPECT_EQ(read->claims[0].parent, deck);
  EXPECT_EQ(read->claims[0].position, (Vec3f{1, 2, 3}));
  ASSERT_EQ(read->corrections.size(), 1U);
  EXPECT_EQ(read->corrections[0].at, Tick{110});
  EXPECT_EQ(read->corrections[0].cause, CorrectionCause::StaleObject);
  EXPECT_EQ(read->corrections[0].meters, 0.25);
}

TEST_F(ARecording, WithClaimsOutOfOrderIsRefused) {
  note(walker.ticks(3));
  Recording recording = taken(Side::Worker);
  recording.claims = {{Tick{101}}, {Tick{102}}};
  auto bytes = write_recording(recording);
  ASSERT_TRUE(read_recording(bytes).ok());
  constexpr std::size_t claim_bytes = 20, rest_bytes = 2 + 8;  // no corrections, the checksum
  bytes[bytes.size() - rest_bytes - claim_bytes] = std::byte{101};
  EXPECT_THAT(read_recording(bytes).error().message, testing::HasSubstr("invalid at byte"));
}

// Contacts with such a thing would have normals beyond any number.
TEST_F(ARecording, WithARotationOfAnotherLengthIsRefused) {
  static constexpr Quat enormous{1e11, 0, 0, 1e11};
  const auto error_of = [](const Recording& recording) {
    const auto read = read_recording(write_recording(recording));
    return read.ok() ? std::string("read") : read.error().message;
  };
  note(eventful());
  const Recording recording = taken();
  ASSERT_FALSE(recording.ticks[0].neighbours.empty());
  ASSERT_TRUE(recording.ticks[100].switched_from);
  EXPECT_EQ(error_of(recording), "read");
  const auto with = [&](auto change) {
    Recording changed = recording;
    change(changed);
    return error_of(changed);
  };
  const auto refused = testing::HasSubstr("invalid at byte");
  EXPECT_THAT(with([](auto& r) { r.ticks[0].neighbours[0].previous.rotation = enormous; }),
              refused);
  EXPECT_THAT(with([](auto& r) { r.ticks[0].neighbours[0].pose.rotation = {0, 0, 0, 0}; }),
              refused);
  EXPECT_THAT(with([](auto& r) { r.ticks[0].parent_motion.pose.rotation = enormous; }), refused);
  EXPECT_THAT(with([](auto& r) { r.ticks[100].switched_from->pose.rotation = enormous; }), refused);
  const auto turned_box = [](auto& r) {
    r.types[0].shape = world::make_shape({{.half = {1, 1, 1}, .rotation = enormous}});
  };
  EXPECT_THAT(with(turned_box), refused);
}

TEST_F(ARecording, HasTwoHalvesOfOneFlight) {
  note(walker.ticks(3));
  const Recording client = taken(), worker = taken(Side::Worker);
  const auto halves = halves_of(worker, client);
  ASSERT_TRUE(halves.ok());
  EXPECT_EQ(halves->client, &client);
  EXPECT_EQ(halves->worker, &worker);
  EXPECT_THAT(halves_of(client, client).error().message, testing::HasSubstr("same side"));
  Recording other = worker;
  other.header.avatar = 78;
  EXPECT_THAT(halves_of(client, other).error().message,
              testing::HasSubstr("two different avatars"));
  other = client;
  other.ticks.clear();
  EXPECT_THAT(halves_of(other).error().message, testing::HasSubstr("no ticks"));
}

TEST_F(ARecording, KeepsWhatFitsIntoItsBytes) {
  FlightRecorder small(types, {.ticks = 600, .bytes = 20'000});
  for (const world::StepRecord& record : eventful()) small.note(record);
  EXPECT_LE(small.bytes_used(), 20'000U);
  EXPECT_GT(small.ticks(), 30U);
  const Recording kept =
      small.recording({.game = "plain", .avatar = 77, .type = 3}, ARecording::thing_of);
  EXPECT_EQ(kept.ticks.back().tick, Tick{299});
  EXPECT_EQ(rerun(walker.game, kept).bits_otherwise, 0U);
}

TEST_F(ARecording, SaysWhyItCannotBeRead) {
  note(eventful());
  const auto bytes = write_recording(taken());
  const auto error_of = [](std::vector<std::byte> wrong) {
    const auto read = read_recording(wrong);
    return read.ok() ? std::string("read") : read.error().message;
  };
  EXPECT_THAT(error_of({}), testing::HasSubstr("not a flight recording"));
  auto other = bytes;
  other[16] = std::byte{9};
  EXPECT_THAT(error_of(other), testing::HasSubstr("version 9"));
  EXPECT_THAT(error_of({bytes.begin(), bytes.end() - 20}), testing::HasSubstr("truncated"));
  auto bent = bytes;
  bent[bytes.size() - 1] ^= std::byte{1};
  EXPECT_THAT(error_of(bent), testing::HasSubstr("checksum"));
}

TEST_F(ARecording, IsRefusedHoweverShortItIsCut) {
  note(walker.ticks(3));
  const auto bytes = write_recording(taken());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(read_recording(std::span(bytes).first(size)).ok()) << size;
  }
}

TEST_F(ARecording, NamesTheTickAndTheFieldInWhichTwoSidesPart) {
  Chain predicted = walker.ticks(60);
  Chain became = walker.ticks(60);
  predicted[20].input.samples.push_back({.pressed = button_jump});
  became[20].guessed = true;
  walker.play(predicted);
  walker.play(became);
  note(predicted);
  const Recording client = taken();
  recorder.clear();
  note(became);
  const Recording worker = taken(Side::Worker);
  const auto parting = where_parted(client, worker);
  ASSERT_TRUE(parting.has_value());
  EXPECT_EQ(parting->tick, predicted[20].tick);
  ASSERT_TRUE(parting->difference.has_value());
  EXPECT_EQ(parting->difference->field, "input.pressed");
  EXPECT_EQ(parting->difference->client, "1");
  EXPECT_EQ(parting->difference->worker, "0");
  EXPECT_EQ(why_parted(walker.game, client, worker, *parting).cause, CorrectionCause::InputLost);
}

TEST_F(ARecording, NamesAnInputFieldOfTheGame) {
  InputLayout layout;
  layout.add({.name = "lean", .is_signed = true, .low = -9, .high = 9, .initial = -3});
  layout.add({.name = "throttle", .offset = 1, .high = 255, .initial = 9});
  layout.close(2);
  Chain predicted = walker.ticks(60);
  Chain became = walker.ticks(60);
  layout.set(predicted[20].input.own, *layout.find("throttle"), 200);
  layout.set(predicted[20].input.own, *layout.find("lean"), -7);
  layout.set(became[20].input.own, *layout.find("lean"), -7);
  became[20].input.forward = -127;
  walker.play(predicted);
  walker.play(became);
  became[20].input.forward = 127;
  note(predicted);
  Recording client = taken();
  recorder.clear();
  note(became);
  Recording worker = taken(Side::Worker);
  client.header.input_fields = worker.header.input_fields = recorded_input_fields(layout);
  const auto read = read_recording(write_recording(worker));
  ASSERT_TRUE(read.ok()) << read.error().message;
  const auto parting = where_parted(client, *read);
  ASSERT_TRUE(parting.has_value() && parting->difference.has_value());
  EXPECT_EQ(parting->difference->field, "input.throttle");
  EXPECT_EQ(parting->difference->client, "200");
  EXPECT_EQ(parting->difference->worker, "9");
  EXPECT_EQ(text_of(read->header.input_fields, read->ticks[20].input.own), "lean -7, throttle 9");
}

// Any program may have written a file. The game steps its inputs only if it has the same fields,
// each in its range.
TEST_F(ARecording, OfOtherInputFieldsIsNotPlayable) {
  const auto layout_of = [](const InputField& slot) {
    InputLayout layout;
    layout.add(slot);
    layout.close(slot.size);
    return layout;
  };
  const InputField slot{.name = "slot", .low = 1, .high = 5, .initial = 1};
  walker.game.inputs = layout_of(slot);
  Chain chain = walker.ticks(10);
  walker.game.inputs.set(chain[4].input.own, slot, 5);
  walker.play(chain);
  note(chain);
  Recording recording = taken();
  recording.header.input_fields = recorded_input_fields(walker.game.inputs);
  EXPECT_FALSE(unplayable(walker.game, recording));
  const auto why_with = [&](const InputLayout& recorded) {
    Recording other = recording;
    other.header.input_fields = recorded_input_fields(recorded);
    const auto why = unplayable(walker.game, other);
    return why ? why->message : "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(why_with({}), HasSubstr("'slot' differs from the one here"));
  InputField other = slot;
  other.name = "weapon";
  EXPECT_THAT(why_with(layout_of(other)), HasSubstr("'weapon' differs"));
  (other = slot).initial = 2;
  EXPECT_THAT(why_with(layout_of(other)), HasSubstr("version of the game 'plain'"));
  (other = slot).size = 2;
  EXPECT_NE(why_with(layout_of(other)), "");
  (other = slot).is_signed = true;
  EXPECT_NE(why_with(layout_of(other)), "");
  (other = slot).high = 4;
  EXPECT_EQ(why_with(layout_of(other)), "") << "a file has no ranges";
  walker.game.inputs = layout_of(other);
  EXPECT_THAT(
      unplayable(walker.game, recording)->message,
      HasSubstr("'slot' is out of its range at tick " + std::to_string(chain[4].tick.count)));
  walker.game.inputs = {};
  EXPECT_THAT(unplayable(walker.game, recording)->message, HasSubstr("'slot' differs"));
  recording.header.input_fields = {};
  EXPECT_THAT(unplayable(walker.game, recording)->message, HasSubstr("out of its range at tick"));
}

// A different rotation of the frame causes a slowly growing error: an explanation that starts at
// the tick at which the error became noticeable would find different start states, and take these
// for the cause.
TEST_F(ARecording, NamesTheCauseOfWhatGrewSinceTheLastStateThatBothHad) {
  Chain predicted = walker.ticks(60);
  for (world::StepRecord& record : predicted) {
    record.neighbours.clear();  // no neighbours in flight
    record.frame.inertia = world::Inertia::Full;
  }
  Chain became = predicted;
  for (world::StepRecord& record : became) {
    if (record.tick.count >= 110) record.frame.acceleration = {3, 0, 0};
  }
  walker.play(predicted);
  walker.play(became);
  note(became);
  const Recording worker = taken(Side::Worker);
  recorder.clear();
  note(predicted);
  recorder.note_final({Tick{115}, Tick{105}, deck, became[5].before});
  Recording client = taken();
  client.header.tick = Tick{155};
  client.header.meters = 20;
  const auto parting = where_parted(client, worker);
  ASSERT_TRUE(parting.has_value());
  EXPECT_GT(parting->tick.count, 115U);
  EXPECT_EQ(parting->difference->field, "before.position");
  const Explanation why = why_parted(walker.game, client, worker, *parting);
  EXPECT_EQ(why.cause, CorrectionCause::RotatingFrame);
  EXPECT_EQ(why.since, Tick{110});
}

// V11
TEST_F(ARecording, NamesTheCellThatOneSideHadDug) {
  Chain predicted = walker.ticks(20);
  Chain became = walker.ticks(20);
  for (world::StepRecord& record : predicted) walker.add_ground(record, 100);
  for (world::StepRecord& record : became) walker.add_ground(record, 1);
  walker.play(predicted);
  walker.play(became);
  note(predicted);
  const auto client = read_recording(write_recording(taken()));
  recorder.clear();
  note(became);
  const auto worker = read_recording(write_recording(taken(Side::Worker)));
  ASSERT_TRUE(client.ok() && worker.ok());
  const auto parting = where_parted(*client, *worker);
  ASSERT_TRUE(parting.has_value() && parting->difference.has_value());
  EXPECT_THAT(parting->difference->field, testing::StartsWith("neighbour 7.cell(17, 7, "));
  EXPECT_EQ(parting->difference->client, "no");
  EXPECT_EQ(parting->difference->worker, "yes");
}

TEST_F(ARecording, NamesATunableThatDiffers) {
  note(walker.ticks(3));
  const Recording worker = taken(Side::Worker);
  types[0].gravity.acceleration = {0, -9, 0};
  const Recording client = taken();
  EXPECT_NE(client.header.tunables_hash, worker.header.tunables_hash);
  const auto found = differing_tunables(client, worker);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].field, "type 'deck'.gravity.acceleration");
  EXPECT_EQ(found[0].client, "(0, -9, 0)");
}

}  // namespace
}  // namespace perigee::replay
