// Clients of the last minor version still play: their recorded payloads, through today's gateway
// and worker; and the payloads of the servers of their time, through today's client.
// docs/compatibility.md says what that proves. (D9) To record a session of this version:
// PERIGEE_RECORD_SESSION=yes unit_embed --gtest_filter='ARecording.*'
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "perigee/base/wire_client.hpp"
#include "recorded_stage.hpp"

namespace perigee::recorded {
namespace {

namespace files = std::filesystem;

constexpr Micros session_us = 12'000'000;
constexpr Micros place_every_us = 250'000;
/// Where messages are sent, after the stage's beginning.
constexpr Micros message_at_us = 4'000'000;
constexpr std::size_t file_bytes_max = 1 << 20;

struct Version {
  int major = 0, minor = 0;
};
Version this_version() {
  Version out;
  char dot = 0;
  std::istringstream(PERIGEE_VERSION) >> out.major >> dot >> out.minor;
  return out;
}

files::path file_of(const Session& session) {
  return files::path(PERIGEE_SESSIONS) /
         (std::to_string(session.major) + "." + std::to_string(session.minor) + "-wire-" +
          std::to_string(session.wire) + ".session");
}

std::vector<Session> recorded_sessions() {
  std::vector<files::path> paths;
  for (const auto& entry : files::directory_iterator(PERIGEE_SESSIONS)) {
    if (entry.path().extension() == ".session") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Session> sessions;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    auto session = read_whole<Session>(as_bytes_of(text.data(), text.size()),
                                       [](auto& cursor, auto& out) { return walk(cursor, out); });
    EXPECT_TRUE(session) << path << " is no session";
    if (session) sessions.push_back(std::move(*session));
  }
  return sessions;
}

/// Today's client as Ada.
struct LiveAda {
  explicit LiveAda(Stage& stage) : stage(stage), client(stage.game(), client::Settings{}) {
    EXPECT_TRUE(client.begin(stage.now_us(), stage.token()));
  }
  void turn() {
    while (auto datagram = stage.arrived()) {
      client.receive(stage.now_us(), Stage::address(), *datagram);
    }
    client.advance(stage.now_us(), runner);
    if (stage.at_us() == message_at_us) {
      const auto bytes = as_bytes_of(Stage::message.data(), Stage::message.size());
      EXPECT_EQ(client.send_message(bytes), client::MessageRefusal::None);
    }
    while (const auto message = client.take_message()) {
      messages +=
          std::ranges::equal(*message, as_bytes_of(Stage::message.data(), Stage::message.size()));
    }
    while (const auto out = client.poll_send()) stage.send(out->datagram);
  }
  Stage& stage;
  client::Client client;
  Runner runner;
  int messages = 0;
};

std::uint32_t laps_of(const world::GameState& state) { return state.as<Lapper>().laps; }

/// Plays a session of today's client and server, with a lost datagram now and then.
Session record() {
  const Version version = this_version();
  Session out{.major = static_cast<std::uint16_t>(version.major),
              .minor = static_cast<std::uint16_t>(version.minor),
              .wire = wire_version,
              .step = world::step_version};
  Stage stage(wire_version);
  const auto keep = [&stage](std::vector<Sent>& list, std::uint32_t every) {
    return [&stage, &list, every, count = 0U](std::uint64_t sequence,
                                              std::span<const std::byte> bytes) mutable {
      if (++count % every == 0) return false;
      list.push_back({stage.at_us(), sequence, {bytes.begin(), bytes.end()}});
      return true;
    };
  };
  stage.up = keep(out.up, 41);
  stage.down = keep(out.down, 37);
  LiveAda ada(stage);
  while (stage.at_us() < session_us) {
    stage.step();
    ada.turn();
    if (stage.at_us() % place_every_us != 0 || !ada.client.playing() || !stage.ada()) continue;
    out.on_server.push_back({stage.at_us(), stage.ada()->state.position});
    out.on_client.push_back({stage.at_us(), ada.client.prediction().state().position});
  }
  EXPECT_EQ(ada.messages, 1);
  out.laps = laps_of(stage.ada()->game);
  out.corrections = static_cast<std::uint32_t>(ada.client.telemetry().totals().corrections);
  return out;
}

TEST(ARecording, IsMadeOfThisVersion) {
  ASSERT_TRUE(transport::init_crypto());
  const Session session = record();
  EXPECT_GE(session.laps, 1U);
  EXPECT_GT(session.on_server.size(), 40U);
  std::vector<std::byte> bytes(file_bytes_max);
  ByteWriter writer(bytes);
  ASSERT_TRUE(walk(writer, session));
  if (std::getenv("PERIGEE_RECORD_SESSION") == nullptr) return;
  std::ofstream(file_of(session), std::ios::binary)
      .write(reinterpret_cast<const char*>(writer.written().data()),
             static_cast<std::streamsize>(writer.size()));
}

TEST(TheRecordings, AreThoseOfThisVersionAndOfTheLastMinor) {
  const Version now = this_version();
  bool of_this_wire = false, of_last_minor = false;
  for (const Session& session : recorded_sessions()) {
    const std::string name = file_of(session).filename();
    const bool this_minor = session.major == now.major && session.minor == now.minor;
    const bool last_minor = session.major == now.major && session.minor + 1 == now.minor;
    EXPECT_TRUE(this_minor || last_minor)
        << name << " is older than the last minor: remove it, and what reads its wire version";
    EXPECT_EQ(session.step, world::step_version)
        << name << ": its client computes other steps, and is refused at its log-in. Name that in "
        << "CHANGELOG.md as a break, and remove the file";
    of_this_wire = of_this_wire || (this_minor && session.wire == wire_version);
    of_last_minor = of_last_minor || last_minor;
  }
  EXPECT_TRUE(of_this_wire) << "there is no session of " << now.major << "." << now.minor
                            << " with wire version " << wire_version
                            << ": record one beside the others (see the top of this file)";
  constexpr int first_recorded_minor = 1;
  EXPECT_TRUE(of_last_minor || (now.major == 0 && now.minor == first_recorded_minor))
      << "the session of the last minor is missing: its clients have to play until the next one";
}

/// What came of a recorded half of a session.
struct Outcome {
  double worst_m = 0;      ///< between the places of then and of now
  std::size_t places = 0;  ///< compared
  std::uint32_t laps = 0;
  std::size_t messages = 0;
  std::uint64_t corrections = 0;
  std::string name_of_bea;
};

void compare(Outcome& out, const Place& then, const Vec3& now) {
  out.worst_m = std::max(out.worst_m, length(now - then.position));
  ++out.places;
}

/// The recorded client with today's server.
Outcome play_client(const Session& session) {
  Outcome out;
  Stage stage(session.wire);
  transport::Client wire;
  EXPECT_TRUE(wire.begin(stage.now_us(), stage.token()));
  auto next = session.up.begin();
  auto place = session.on_server.begin();
  while (stage.at_us() < session_us) {
    stage.step();
    while (auto datagram = stage.arrived()) {
      wire.receive(stage.now_us(), Stage::address(), *datagram);
    }
    wire.advance(stage.now_us());
    for (; next != session.up.end() && next->at_us <= stage.at_us(); ++next) {
      wire.send_payload(stage.now_us(), next->bytes);
    }
    while (const auto datagram = wire.poll_send()) stage.send(datagram->datagram);
    if (place == session.on_server.end() || place->at_us > stage.at_us()) continue;
    if (stage.ada()) compare(out, *place, stage.ada()->state.position);
    ++place;
  }
  if (stage.ada()) out.laps = laps_of(stage.ada()->game);
  out.messages = stage.messages_at_bea();
  return out;
}

/// Today's client with the recorded server.
Outcome play_server(const Session& session) {
  Outcome out;
  Stage stage(wire_version);
  stage.down = [](std::uint64_t, std::span<const std::byte>) { return false; };
  LiveAda ada(stage);
  auto next = session.down.begin();
  auto place = session.on_client.begin();
  while (stage.at_us() < session_us) {
    stage.step();
    for (; next != session.down.end() && next->at_us <= stage.at_us(); ++next) {
      stage.send_to_ada(*next);
    }
    ada.turn();
    if (place == session.on_client.end() || place->at_us > stage.at_us()) continue;
    if (ada.client.playing()) compare(out, *place, ada.client.prediction().state().position);
    ++place;
  }
  const auto own = ada.client.game_state(ada.client.prediction().avatar());
  if (own) out.laps = laps_of(*own);
  out.messages = static_cast<std::size_t>(ada.messages);
  out.corrections = ada.client.telemetry().totals().corrections;
  out.name_of_bea = ada.client.player_name(stage.bea().prediction().avatar());
  return out;
}

constexpr double same_place_m = 0.01;

void garble(std::vector<Sent>& payloads) {
  for (Sent& each : payloads) {
    for (std::byte& byte : each.bytes) byte ^= std::byte{0x55};
  }
}

TEST(ARecordedClient, MovesItsAvatarAsItDid) {
  ASSERT_TRUE(transport::init_crypto());
  for (const Session& session : recorded_sessions()) {
    SCOPED_TRACE(file_of(session).filename());
    const Outcome outcome = play_client(session);
    EXPECT_EQ(outcome.places, session.on_server.size());
    EXPECT_LT(outcome.worst_m, same_place_m);
    EXPECT_EQ(outcome.laps, session.laps);
    EXPECT_EQ(outcome.messages, 1U);
  }
}

TEST(ARecordedClient, MovesNothingWithPayloadsThatAreNotUnderstood) {
  ASSERT_TRUE(transport::init_crypto());
  for (Session session : recorded_sessions()) {
    SCOPED_TRACE(file_of(session).filename());
    garble(session.up);
    const Outcome outcome = play_client(session);
    EXPECT_GT(outcome.worst_m, 5);
    EXPECT_EQ(outcome.laps, 0U);
    EXPECT_EQ(outcome.messages, 0U);
  }
}

TEST(ARecordedClient, OfAVersionToComeDoesNotConnect) {
  ASSERT_TRUE(transport::init_crypto());
  for (Session session : recorded_sessions()) {
    session.wire = wire_version + 1;
    EXPECT_EQ(play_client(session).places, 0U);
  }
}

TEST(ARecordedServer, IsUnderstoodByTodaysClient) {
  ASSERT_TRUE(transport::init_crypto());
  for (const Session& session : recorded_sessions()) {
    SCOPED_TRACE(file_of(session).filename());
    const Outcome outcome = play_server(session);
    EXPECT_EQ(outcome.places, session.on_client.size());
    EXPECT_LT(outcome.worst_m, same_place_m);
    EXPECT_EQ(outcome.laps, session.laps);
    EXPECT_EQ(outcome.messages, 1U);
    EXPECT_EQ(outcome.corrections, session.corrections);
    EXPECT_EQ(outcome.name_of_bea, "Bea");
  }
}

TEST(ARecordedServer, IsNotPlayedWithIfItsPayloadsAreNotUnderstood) {
  ASSERT_TRUE(transport::init_crypto());
  for (Session session : recorded_sessions()) {
    SCOPED_TRACE(file_of(session).filename());
    garble(session.down);
    const Outcome outcome = play_server(session);
    EXPECT_EQ(outcome.places, 0U);
    EXPECT_EQ(outcome.name_of_bea, "");
  }
}

}  // namespace
}  // namespace perigee::recorded
