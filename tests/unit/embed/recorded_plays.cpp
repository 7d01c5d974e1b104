#include "recorded_plays.hpp"

#include <gtest/gtest.h>

#include "perigee/base/frames.hpp"
#include "recorded_stage.hpp"

namespace perigee::recorded {
namespace {

constexpr Micros session_us = 12'000'000;
constexpr Micros place_every_us = 250'000;
/// Where messages are sent, after the stage's beginning.
constexpr Micros message_at_us = 4'000'000;

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

void compare(Outcome& out, const Place& then, const Vec3& now) {
  out.worst_m = std::max(out.worst_m, length(now - then.position));
  ++out.places;
}

}  // namespace

std::optional<AcknowledgeFrame> last_acknowledged(const std::vector<Sent>& up) {
  std::optional<AcknowledgeFrame> last;
  for (const Sent& payload : up) {
    FrameReader frames(payload.bytes);
    while (const auto frame = frames.next()) {
      AcknowledgeFrame read;
      if (client_frame_kind(frame->bytes) != ClientFrame::Acknowledge) continue;
      if (read_acknowledge(frame->bytes, read)) last = read;
    }
  }
  return last;
}

Session record(const Version& version) {
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

Outcome play_server(const Session& session) {
  Outcome out;
  Stage stage(wire_version);
  stage.down = [](std::uint64_t, std::span<const std::byte>) { return false; };
  std::vector<Sent> up;
  stage.up = [&](std::uint64_t sequence, std::span<const std::byte> bytes) {
    up.push_back({stage.at_us(), sequence, {bytes.begin(), bytes.end()}});
    return true;
  };
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
  out.acknowledged = last_acknowledged(up);
  out.name_of_bea = ada.client.player_name(stage.bea().prediction().avatar());
  return out;
}

}  // namespace perigee::recorded
