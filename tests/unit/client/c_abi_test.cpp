// The contract of perigee_client.h without a server; the program of docs/use_from_c.md has one.
#include "perigee/client/c_abi.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perigee/base/wire_client.hpp"
#include "perigee/replay/flight_recorder.hpp"
#include "unit/transport/fixture.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::client {
namespace {

struct TheCAbi : transport::TransportTest {
  test::Yard game;
  std::unique_ptr<perigee_client, decltype(&perigee_client_destroy)> handle{
      create_handle(game, PERIGEE_CLIENT_ABI), &perigee_client_destroy};
  perigee_client* client = handle.get();
  perigee_client_input input{.struct_bytes = sizeof(perigee_client_input)};
  std::array<std::uint8_t, PERIGEE_CLIENT_DATAGRAM_BYTES_MAX> datagram{};
  perigee_client_address peer{};
  std::size_t size = 0;

  int begin() {
    const auto given = token(1);
    return perigee_client_begin(client, now_us, reinterpret_cast<const std::uint8_t*>(given.data()),
                                given.size());
  }
  int poll() {
    return perigee_client_poll_send(client, &peer, datagram.data(), datagram.size(), &size);
  }
};

TEST(TheCInterface, LetsNoExceptionPass) {
  EXPECT_EQ(without_exceptions(7, [] { return 8; }), 8);
  EXPECT_EQ(without_exceptions(7, []() -> int { throw std::bad_alloc(); }), 7);
}

TEST_F(TheCAbi, IsRefusedToProgramsOfAnother) {
  EXPECT_EQ(perigee_client_abi(), PERIGEE_CLIENT_ABI);
  EXPECT_EQ(create_handle(game, PERIGEE_CLIENT_ABI + 1), nullptr);
}

TEST_F(TheCAbi, TellsWhatALogInNeeds) {
  EXPECT_EQ(perigee_client_wire_version(), wire_version);
  EXPECT_EQ(perigee_client_schema_hash(client), game.schema_hash());
}

TEST_F(TheCAbi, DialsTheTokensServer) {
  EXPECT_EQ(perigee_client_get_state(client), PERIGEE_CLIENT_DISCONNECTED);
  ASSERT_EQ(begin(), PERIGEE_CLIENT_OK);
  EXPECT_EQ(perigee_client_advance(client, now_us, &input), PERIGEE_CLIENT_OK);
  EXPECT_EQ(perigee_client_get_state(client), PERIGEE_CLIENT_CONNECTING);
  ASSERT_EQ(poll(), 1);
  EXPECT_EQ(size, transport::request_bytes);
  EXPECT_EQ(peer.family, 4);
  EXPECT_NE(peer.port, 0);
  EXPECT_EQ(poll(), 0);
  EXPECT_EQ(perigee_client_disconnect(client, now_us), PERIGEE_CLIENT_OK);
  EXPECT_EQ(perigee_client_get_state(client), PERIGEE_CLIENT_DISCONNECTED);
}

TEST_F(TheCAbi, TellsTheSizesOfTheGamesStates) {
  EXPECT_EQ(perigee_client_game_state_bytes(client), sizeof(test::Marksman));
  EXPECT_EQ(perigee_client_type_state_bytes(client, test::person_row), sizeof(test::Marksman));
  EXPECT_EQ(perigee_client_type_state_bytes(client, test::pillar_row), sizeof(test::Post));
  EXPECT_EQ(perigee_client_type_state_bytes(client, test::deck_row), 0U);
  EXPECT_EQ(perigee_client_type_state_bytes(client, 256 + test::pillar_row), 0U);
  EXPECT_EQ(perigee_client_type_state_bytes(nullptr, test::pillar_row), 0U);
  EXPECT_EQ(perigee_client_world_state_bytes(client), sizeof(test::Post));
  EXPECT_EQ(perigee_client_world_state_bytes(nullptr), 0U);
}

/// The yard with input fields of its own.
struct Fielded final : world::GameModule {
  struct Controls {
    std::int16_t lean = 0;
    std::uint8_t slot = 1;
    std::uint8_t emote = 0;
    static void fields(auto&& field, auto& controls) {
      field(controls.lean, "lean", {.low = -100, .high = 100});
      field(controls.slot, "slot", {.low = 1, .high = 5, .missing = WhenMissing::Kept});
      field(controls.emote, "emote", {.high = 6, .missing = WhenMissing::Momentary});
    }
  };
  test::Yard yard;
  InputLayout layout = input_layout_of<Controls>();
  const InputLayout& input_layout() const override { return layout; }
  std::string_view name() const override { return yard.name(); }
  std::uint64_t schema_hash() const override { return yard.schema_hash(); }
  std::span<const world::EntityType> types() const override { return yard.types(); }
  const world::ParentingParams& parenting() const override { return yard.parenting(); }
  void populate(world::World&, const world::Bounds&, std::uint32_t) const override {}
  void drive(world::World&, Tick) const override {}
  world::ActorSpawn spawn_state(const world::World&, const world::Bounds&,
                                std::uint32_t) const override {
    return {};
  }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
};

std::optional<int64_t> value_of(const perigee_client* client, const char* field) {
  int64_t value = 0;
  const bool known = perigee_client_get_input(client, field, &value) == PERIGEE_CLIENT_OK;
  return known ? std::optional(value) : std::nullopt;
}

TEST(TheCInterface, SetsTheGamesInputFieldsByName) {
  const Fielded game;
  const std::unique_ptr<perigee_client, decltype(&perigee_client_destroy)> client(
      create_handle(game, PERIGEE_CLIENT_ABI), &perigee_client_destroy);
  const test::Yard without;
  EXPECT_NE(perigee_client_schema_hash(client.get()), without.schema_hash());
  perigee_client_input_field fields[4];
  ASSERT_EQ(perigee_client_input_fields(client.get(), fields, sizeof *fields, 4), 3);
  EXPECT_STREQ(fields[0].name, "lean");
  EXPECT_EQ(fields[0].low, -100);
  EXPECT_EQ(fields[0].bytes, 2U);
  EXPECT_EQ(fields[1].initial, 1);
  EXPECT_EQ(fields[1].offset, 2U);
  EXPECT_EQ(fields[2].missing, std::uint32_t{PERIGEE_CLIENT_MISSING_MOMENTARY});
  EXPECT_EQ(perigee_client_input_fields(client.get(), fields, sizeof *fields - 1, 4),
            PERIGEE_CLIENT_BAD_ARGUMENT);

  const auto set = [&](const char* name, int64_t value) {
    return perigee_client_set_input(client.get(), name, value);
  };
  EXPECT_EQ(set("lean", -100), PERIGEE_CLIENT_OK);
  EXPECT_EQ(set("lean", 101), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(set("lien", 1), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(set("slot", 3), PERIGEE_CLIENT_OK);
  EXPECT_EQ(set("emote", 2), PERIGEE_CLIENT_OK);
  EXPECT_EQ(value_of(client.get(), "lean"), -100);
  EXPECT_EQ(value_of(client.get(), "slot"), 3);
  EXPECT_EQ(value_of(client.get(), "emote"), 2);
  EXPECT_EQ(value_of(client.get(), "lien"), std::nullopt);
  perigee_client_input input{.struct_bytes = sizeof(perigee_client_input)};
  ASSERT_EQ(perigee_client_advance(client.get(), 1'000'000, &input), PERIGEE_CLIENT_OK);
  EXPECT_EQ(value_of(client.get(), "lean"), -100);
  EXPECT_EQ(value_of(client.get(), "slot"), 3);
  EXPECT_EQ(value_of(client.get(), "emote"), 0) << "dropped like a press, while not playing";
}

TEST(TheCInterface, TakesTheGamesInputAsAStruct) {
  const Fielded game;
  const std::unique_ptr<perigee_client, decltype(&perigee_client_destroy)> client(
      create_handle(game, PERIGEE_CLIENT_ABI), &perigee_client_destroy);
  ASSERT_EQ(perigee_client_own_input_bytes(client.get()), sizeof(Fielded::Controls));
  const auto set = [&](const Fielded::Controls& controls, std::size_t bytes) {
    return perigee_client_set_own_input(client.get(), &controls, bytes);
  };
  EXPECT_EQ(set({.lean = 9, .slot = 5}, 4), PERIGEE_CLIENT_OK);
  EXPECT_EQ(set({.lean = 8, .slot = 6}, 4), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(set({.lean = 8}, 3), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(value_of(client.get(), "lean"), 9);
  EXPECT_EQ(value_of(client.get(), "slot"), 5);
}

TEST_F(TheCAbi, HasNoInputFieldsOfAGameWithoutAny) {
  EXPECT_EQ(perigee_client_input_fields(client, nullptr, sizeof(perigee_client_input_field), 0), 0);
  EXPECT_EQ(perigee_client_set_input(client, "slot", 1), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_own_input_bytes(client), 0U);
}

TEST_F(TheCAbi, KnowsNothingOfAGameThatHasNotBegun) {
  std::array<char, 33> name{};
  name.fill('x');
  EXPECT_EQ(perigee_client_player_name(client, 5, name.data(), name.size()), 0);
  EXPECT_EQ(name[0], 0);
  EXPECT_EQ(perigee_client_player_name(client, 5, name.data(), 0), PERIGEE_CLIENT_BUFFER_TOO_SMALL);
  EXPECT_EQ(perigee_client_player_name(client, 5, nullptr, 9), PERIGEE_CLIENT_BAD_ARGUMENT);
  test::Marksman state;
  EXPECT_EQ(perigee_client_game_state(client, 5, &state, sizeof state), 0);
  EXPECT_EQ(perigee_client_game_state(client, 5, nullptr, sizeof state),
            PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_game_state(client, 5, &state, world::GameState::bytes_max + 1),
            PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_world_state(client, &state, sizeof state), 0);
  EXPECT_EQ(perigee_client_world_state(client, nullptr, sizeof state), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_world_state(client, &state, world::GameState::bytes_max + 1),
            PERIGEE_CLIENT_BAD_ARGUMENT);
  perigee_client_outcome outcome{};
  EXPECT_EQ(perigee_client_outcomes(client, &outcome, sizeof outcome, 1), 0);
  EXPECT_EQ(perigee_client_outcomes(client, &outcome, sizeof outcome - 1, 1),
            PERIGEE_CLIENT_BAD_ARGUMENT);
}

TEST_F(TheCAbi, KeepsMessagesUntilTheGameHasThem) {
  std::array<std::uint8_t, PERIGEE_CLIENT_MESSAGE_BYTES_MAX + 1> message{};
  std::size_t bytes = 7;
  EXPECT_EQ(perigee_client_messages(client, message.data(), message.size(), &bytes), 0);
  EXPECT_EQ(bytes, 7U);
  EXPECT_EQ(perigee_client_messages(client, message.data(), message.size() - 2, &bytes),
            PERIGEE_CLIENT_BUFFER_TOO_SMALL);
  EXPECT_EQ(perigee_client_messages(client, nullptr, message.size(), &bytes),
            PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_send_message(nullptr, message.data(), 1), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_send_message(client, message.data(), 0), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_send_message(client, message.data(), message.size()),
            PERIGEE_CLIENT_BAD_ARGUMENT);
  for (std::size_t i = 0; i < messages_waiting_max; ++i) {
    EXPECT_EQ(perigee_client_send_message(client, message.data(), message.size() - 1),
              PERIGEE_CLIENT_OK);
  }
  EXPECT_EQ(perigee_client_send_message(client, message.data(), 1), PERIGEE_CLIENT_TOO_MANY);
}

TEST_F(TheCAbi, RefusesATokenThatIsNone) {
  EXPECT_EQ(perigee_client_begin(client, now_us, datagram.data(), 40), PERIGEE_CLIENT_BAD_TOKEN);
  EXPECT_EQ(perigee_client_get_state(client), PERIGEE_CLIENT_TOKEN_INVALID);
}

TEST_F(TheCAbi, DropsStrangersBytesInSilence) {
  ASSERT_EQ(begin(), PERIGEE_CLIENT_OK);
  peer.family = 6;
  EXPECT_EQ(perigee_client_receive(client, now_us, &peer, datagram.data(), datagram.size()),
            PERIGEE_CLIENT_OK);
  peer.family = 5;
  EXPECT_EQ(perigee_client_receive(client, now_us, &peer, datagram.data(), datagram.size()),
            PERIGEE_CLIENT_BAD_ARGUMENT);
}

TEST_F(TheCAbi, RefusesNothingsAndNoNumbers) {
  EXPECT_EQ(perigee_client_advance(nullptr, now_us, &input), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_advance(client, now_us, nullptr), PERIGEE_CLIENT_BAD_ARGUMENT);
  input.yaw_rad = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(perigee_client_advance(client, now_us, &input), PERIGEE_CLIENT_BAD_ARGUMENT);
  input = {};
  EXPECT_EQ(perigee_client_advance(client, now_us, &input), PERIGEE_CLIENT_BAD_ARGUMENT)
      << "struct_bytes was forgotten";
  EXPECT_EQ(perigee_client_poll_send(client, &peer, datagram.data(), 1'000, &size),
            PERIGEE_CLIENT_BUFFER_TOO_SMALL);
  EXPECT_EQ(perigee_client_inject_desync(client, 1, 0, 0), PERIGEE_CLIENT_NOT_PLAYING);
  EXPECT_EQ(perigee_client_scene(client, now_us, nullptr, sizeof(perigee_client_entity), 1),
            PERIGEE_CLIENT_BAD_ARGUMENT);
  perigee_client_destroy(nullptr);
}

TEST_F(TheCAbi, FillsStructsOfProgramsThatKnowMoreFields) {
  struct Newer {
    perigee_client_telemetry known;
    std::uint64_t unheard_of;
  } newer;
  newer.unheard_of = 7;
  newer.known.struct_bytes = sizeof newer;
  EXPECT_EQ(perigee_client_get_telemetry(client, &newer.known), PERIGEE_CLIENT_OK);
  EXPECT_EQ(newer.known.struct_bytes, sizeof newer);
  EXPECT_EQ(newer.unheard_of, 0U);
  newer.known.struct_bytes = 8;
  EXPECT_EQ(perigee_client_get_telemetry(client, &newer.known), PERIGEE_CLIENT_BAD_ARGUMENT);
  perigee_client_time time{};
  time.struct_bytes = sizeof time;
  EXPECT_EQ(perigee_client_get_time(client, &time), PERIGEE_CLIENT_OK);
  EXPECT_EQ(time.known, 0U);
  time.struct_bytes = 32;  // the former struct, without a rate
  EXPECT_EQ(perigee_client_get_time(client, &time), PERIGEE_CLIENT_OK);
  time.struct_bytes = 24;
  EXPECT_EQ(perigee_client_get_time(client, &time), PERIGEE_CLIENT_BAD_ARGUMENT);
}

TEST_F(TheCAbi, TellsTheSizesOfItsStructs) {
  EXPECT_EQ(perigee_client_struct_bytes("address"), sizeof(perigee_client_address));
  EXPECT_EQ(perigee_client_struct_bytes("input"), sizeof(perigee_client_input));
  EXPECT_EQ(perigee_client_struct_bytes("entity"), sizeof(perigee_client_entity));
  EXPECT_EQ(perigee_client_struct_bytes("cue"), sizeof(perigee_client_cue));
  EXPECT_EQ(perigee_client_struct_bytes("heard_cue"), sizeof(perigee_client_heard_cue));
  EXPECT_EQ(perigee_client_struct_bytes("outcome"), sizeof(perigee_client_outcome));
  EXPECT_EQ(perigee_client_struct_bytes("projectile"), sizeof(perigee_client_projectile));
  EXPECT_EQ(perigee_client_struct_bytes("ground"), sizeof(perigee_client_ground));
  EXPECT_EQ(perigee_client_struct_bytes("time"), sizeof(perigee_client_time));
  EXPECT_EQ(perigee_client_struct_bytes("telemetry"), sizeof(perigee_client_telemetry));
  EXPECT_EQ(perigee_client_struct_bytes("net_sample"), sizeof(perigee_client_net_sample));
  EXPECT_EQ(perigee_client_struct_bytes("input_field"), sizeof(perigee_client_input_field));
  EXPECT_EQ(perigee_client_struct_bytes("perigee_client_entity"), 0U);
  EXPECT_EQ(perigee_client_struct_bytes(nullptr), 0U);
  EXPECT_EQ(perigee_client_game_state_bytes(client), sizeof(test::Marksman));
  EXPECT_EQ(perigee_client_game_state_bytes(nullptr), 0U);
}

TEST_F(TheCAbi, HasNoProjectilesBeforeOneFlies) {
  perigee_client_projectile projectile{};
  EXPECT_EQ(perigee_client_projectiles(client, now_us, &projectile, sizeof projectile, 1), 0);
  EXPECT_EQ(perigee_client_projectiles(client, now_us, &projectile, sizeof projectile - 1, 1),
            PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_projectiles(client, now_us, nullptr, sizeof projectile, 1),
            PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_projectiles(nullptr, now_us, nullptr, sizeof projectile, 0),
            PERIGEE_CLIENT_BAD_ARGUMENT);
}

TEST_F(TheCAbi, HasNoCuesAndNoGroundWhereThereAreNone) {
  perigee_client_cue cue{};
  EXPECT_EQ(perigee_client_cues(client, &cue, sizeof cue, 1), 0);
  EXPECT_EQ(perigee_client_cues(client, nullptr, sizeof cue, 1), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_cues(client, &cue, 8, 1), PERIGEE_CLIENT_BAD_ARGUMENT);
  perigee_client_heard_cue heard;
  EXPECT_EQ(perigee_client_heard(client, &heard, sizeof heard, 1), 0);
  EXPECT_EQ(perigee_client_heard(client, nullptr, sizeof heard, 1), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_heard(client, &heard, 40, 1), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_heard(nullptr, &heard, sizeof heard, 1), PERIGEE_CLIENT_BAD_ARGUMENT);
  perigee_client_ground ground{};
  ground.struct_bytes = sizeof ground;
  EXPECT_EQ(perigee_client_get_ground(client, 7, &ground), PERIGEE_CLIENT_BAD_ARGUMENT);
  const std::array<std::int32_t, 3> one{1, 1, 1};
  EXPECT_EQ(perigee_client_cells(client, 7, one.data(), one.data(), datagram.data(), 1),
            PERIGEE_CLIENT_BAD_ARGUMENT);
}

TEST_F(TheCAbi, TurnsTechniques) {
  EXPECT_EQ(perigee_client_use(client, "smoothing=none prediction=off"), PERIGEE_CLIENT_OK);
  EXPECT_EQ(perigee_client_use(client, "smoothing=silk"), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_use(client, nullptr), PERIGEE_CLIENT_BAD_ARGUMENT);
}

TEST_F(TheCAbi, NamesTheGamesTypes) {
  EXPECT_EQ(perigee_client_type_name(client, 0), game.types()[0].name);
  EXPECT_EQ(perigee_client_type_name(client, 10'000), nullptr);
}

TEST_F(TheCAbi, HoldsDatagramsBackOnASimulatedPath) {
  ASSERT_EQ(begin(), PERIGEE_CLIENT_OK);
  EXPECT_EQ(perigee_client_link(client, now_us, "delay-ms=100"), PERIGEE_CLIENT_OK);
  for (const char* wrong : {"", "P99", "none P5", "delay-ms=x"}) {
    EXPECT_EQ(perigee_client_link(client, now_us, wrong), PERIGEE_CLIENT_BAD_ARGUMENT) << wrong;
  }
  EXPECT_EQ(perigee_client_link(client, now_us, nullptr), PERIGEE_CLIENT_BAD_ARGUMENT);
  const std::int64_t sent_us = now_us;
  perigee_client_advance(client, now_us, &input);
  EXPECT_EQ(poll(), 0) << "underway";
  perigee_client_advance(client, now_us = sent_us + 99'000, &input);
  EXPECT_EQ(poll(), 0);
  perigee_client_advance(client, now_us = sent_us + 101'000, &input);
  EXPECT_EQ(poll(), 1);
  EXPECT_EQ(size, transport::request_bytes);
  EXPECT_EQ(perigee_client_link(client, now_us, "none"), PERIGEE_CLIENT_OK);
}

TEST_F(TheCAbi, DisconnectsAtOnceOnASimulatedPath) {
  ASSERT_EQ(begin(), PERIGEE_CLIENT_OK);
  EXPECT_EQ(perigee_client_link(client, now_us, "P8 delay-ms=2000"), PERIGEE_CLIENT_OK);
  EXPECT_EQ(perigee_client_disconnect(client, now_us), PERIGEE_CLIENT_OK);
  perigee_client_advance(client, now_us += 10'000, &input);
  EXPECT_EQ(poll(), 1) << "nothing is held back any more, not even the queued request";
  EXPECT_EQ(perigee_client_get_state(client), PERIGEE_CLIENT_DISCONNECTED);
}

TEST_F(TheCAbi, HasTheNewestSamplesOfItsNetGraph) {
  std::array<perigee_client_net_sample, 4> samples{};
  const auto graph = [&](std::size_t capacity) {
    return perigee_client_net_graph(client, samples.data(), sizeof samples[0], capacity);
  };
  EXPECT_EQ(graph(4), 0);
  ASSERT_EQ(begin(), PERIGEE_CLIENT_OK);
  for (int i = 0; i < 61; ++i, now_us += 10'000) {
    perigee_client_advance(client, now_us, &input);
    while (poll() == 1) {
    }
  }
  EXPECT_EQ(graph(0), 12);
  EXPECT_EQ(graph(4), 12);
  for (std::size_t i = 1; i < samples.size(); ++i) {
    EXPECT_EQ(samples[i].end_us - samples[i - 1].end_us, 50'000);
  }
  EXPECT_LE(samples[3].end_us, now_us);
  EXPECT_GT(samples[3].end_us, now_us - 60'000);
  std::uint32_t sent = 0;
  for (const auto& sample : samples) sent += sample.packets_sent;
  EXPECT_EQ(sent, 2U) << "requests, ten a second";
  EXPECT_EQ(perigee_client_net_graph(client, nullptr, sizeof samples[0], 4),
            PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_net_graph(client, samples.data(), 8, 4), PERIGEE_CLIENT_BAD_ARGUMENT);
}

TEST_F(TheCAbi, RecordsNothingBeforeItIsAskedOrPlays) {
  std::array<std::uint8_t, 64> recording{};
  EXPECT_EQ(perigee_client_recording(client, recording.data(), recording.size(), &size), 0);
  EXPECT_EQ(perigee_client_record(client, 30), PERIGEE_CLIENT_OK);
  EXPECT_EQ(perigee_client_recording(client, recording.data(), recording.size(), &size), 0);
  EXPECT_EQ(perigee_client_record(client, 0), PERIGEE_CLIENT_OK);
  for (const int wrong : {-1, 41}) {
    EXPECT_EQ(perigee_client_record(client, wrong), PERIGEE_CLIENT_BAD_ARGUMENT);
  }
  EXPECT_EQ(perigee_client_record(nullptr, 30), PERIGEE_CLIENT_BAD_ARGUMENT);
  EXPECT_EQ(perigee_client_recording(client, nullptr, 64, &size), PERIGEE_CLIENT_BAD_ARGUMENT);
}

TEST_F(TheCAbi, ReportsAFlightOrSaysWhyItCannot) {
  std::vector<char> json(8);
  const auto report = [&](std::span<const std::byte> half, std::span<const std::byte> other = {}) {
    const int became = perigee_client_report_flight(
        client, reinterpret_cast<const std::uint8_t*>(half.data()), half.size(),
        reinterpret_cast<const std::uint8_t*>(other.data()), other.size(), 1, json.data(),
        json.size(), &size);
    return became;
  };
  const auto said = [&] { return std::string(json.data(), size); };
  const std::array<std::byte, 3> nonsense{};
  EXPECT_EQ(report(nonsense), PERIGEE_CLIENT_BUFFER_TOO_SMALL);
  json.resize(size);
  EXPECT_EQ(report(nonsense), 0);
  EXPECT_EQ(said(), "not a flight recording: the file begins otherwise");

  replay::FlightRecorder recorder(game.types());
  world::StepRecord step;
  for (step.tick = Tick{10}; step.tick != Tick{14}; ++step.tick) recorder.note(step);
  const auto bytes = replay::write_recording(recorder.recording(
      {.side = replay::Side::Worker, .game = std::string(game.name()), .avatar = 1},
      [](Handle) { return std::nullopt; }));
  json.resize(1 << 20);
  ASSERT_EQ(report(bytes), 1) << said();
  EXPECT_TRUE(said().starts_with("{\"game\":")) << said();
  EXPECT_NE(said().find("\"rules\":true"), std::string::npos);
  EXPECT_EQ(report(bytes, bytes), 0);
  EXPECT_NE(said().find("of the same side"), std::string::npos);
  EXPECT_EQ(perigee_client_report_flight(client, nullptr, 0, nullptr, 0, 0, json.data(),
                                         json.size(), &size),
            PERIGEE_CLIENT_BAD_ARGUMENT);
}

}  // namespace
}  // namespace perigee::client
