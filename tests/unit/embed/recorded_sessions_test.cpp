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
#include "perigee/transport/keys.hpp"
#include "perigee/world/schema.hpp"
#include "recorded_plays.hpp"

namespace perigee::recorded {
namespace {

namespace files = std::filesystem;

constexpr std::size_t file_bytes_max = 1 << 20;

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

TEST(ARecording, IsMadeOfThisVersion) {
  ASSERT_TRUE(transport::init_crypto());
  const Session session = record(this_version());
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
    const auto then = last_acknowledged(session.up);
    ASSERT_TRUE(then && outcome.acknowledged);
    EXPECT_EQ(outcome.acknowledged->stream_epoch, then->stream_epoch);
    EXPECT_EQ(outcome.acknowledged->events.next, then->events.next);
    EXPECT_LE(std::abs(ticks_between(then->newest_block, outcome.acknowledged->newest_block)), 6);
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
