// The connection to a gateway, without a client.
#include "perigee/client/gateway_connection.hpp"

#include "perigee/base/fabric.hpp"
#include "perigee/base/gateway_frame.hpp"
#include "unit/transport/fixture.hpp"

namespace perigee::client {
namespace {

using transport::Bytes;

struct AGatewayConnection : transport::TransportTest {
  AGatewayConnection() {
    EXPECT_TRUE(connection.begin(now_us, token(1)));
    for (int i = 0; i < 20 && !connection.transport().connected(); ++i) frame();
    EXPECT_TRUE(connection.transport().connected());
  }
  void frame(Micros pause_us = 10'000) {
    now_us += pause_us;
    connection.advance(now_us, pause_us);
    while (const auto out = connection.poll_send()) {
      if (const auto payload = to_server(at, transport::bytes_of(out->datagram))) {
        newest_up = payload->sequence;
      }
    }
    server->advance(now_us, unix_s());
    take_events();
    for (transport::Parcel& parcel : std::exchange(postbag.parcels, {})) {
      connection.receive(now_us, connection.transport().server_address(), parcel.bytes);
    }
  }
  void send_something() {
    connection.send(now_us, std::array{std::byte{1}});
    frame();
  }
  void echo(std::uint64_t sequence, Micros hold_us) {
    std::array<std::byte, echo_frame_bytes> bytes{};
    ByteWriter writer(bytes);
    const Micros steps = hold_us / EchoFrame::hold_step_us;
    ASSERT_TRUE(write_echo(
        writer, {static_cast<std::uint16_t>(sequence), static_cast<std::uint16_t>(steps)}));
    connection.on_frame(now_us, bytes);
  }
  void give_resume_token(std::uint32_t number) {
    for (std::uint8_t part = 0; part < 2; ++part) give_part(number, part);
  }
  /// The gateway falls silent, and the client resumes with its spare token.
  void lose_session() {
    start_server();
    for (int i = 0; i < 300 && new_sessions == 0; ++i) frame();
    EXPECT_EQ(new_sessions, 1);
  }
  void give_part(std::uint32_t number, std::uint8_t part) {
    const transport::ConnectToken& whole = token_to_resume;
    std::size_t size = whole.size();
    while (size > 0 && whole[size - 1] == std::byte{0}) --size;
    Bytes bytes(resume_frame_bytes_max);
    ByteWriter writer(bytes);
    ASSERT_TRUE(write_resume(writer, resume_part(number, part, std::span(whole).first(size))));
    connection.on_frame(now_us, writer.written());
  }
  std::optional<std::uint32_t> acknowledged() {
    std::array<std::byte, 100> payload;
    FrameWriter writer(payload);
    connection.write_answer(writer);
    FrameReader reader(writer.payload());
    const auto frame = reader.next();
    return frame ? read_resume_received(frame->bytes) : std::nullopt;
  }
  const Address at = transport::player_address(1);
  transport::ConnectToken token_to_resume = token(1);
  TelemetryLog telemetry;
  int new_sessions = 0;
  std::vector<Bytes> orders;
  GatewayConnection connection{
      {.telemetry = telemetry,
       .on_new_session = [this](Micros) { ++new_sessions; },
       .on_order = [this](auto bytes) { orders.push_back(transport::bytes_of(bytes)); }},
      {}};
  std::uint64_t newest_up = 0;
};

TEST_F(AGatewayConnection, MeasuresTheRoundTripWithoutTheHold) {
  send_something();
  EXPECT_FALSE(telemetry.rtt_known());
  now_us += 50'000;
  echo(newest_up, 20'000);
  ASSERT_TRUE(telemetry.rtt_known());
  EXPECT_EQ(telemetry.rtt_us(), 10'000 + 50'000 - 20'000);
}

TEST_F(AGatewayConnection, IgnoresAnEchoOfAPayloadThatItHasNotSent) {
  echo(newest_up + 7, 0);
  EXPECT_FALSE(telemetry.rtt_known());
}

TEST_F(AGatewayConnection, AcknowledgesEachResumeTokenOnce) {
  EXPECT_FALSE(acknowledged());
  give_resume_token(1);
  EXPECT_EQ(acknowledged(), 1U);
  EXPECT_FALSE(acknowledged());
  give_resume_token(2);
  EXPECT_EQ(acknowledged(), 2U);
}

TEST_F(AGatewayConnection, AcknowledgesAResumeTokenOnceItHasAllParts) {
  give_part(1, 1);
  EXPECT_FALSE(acknowledged()) << "the first part was lost";
  give_part(2, 0);
  EXPECT_FALSE(acknowledged()) << "a part of another token";
  give_part(2, 1);
  EXPECT_EQ(acknowledged(), 2U);
  give_part(2, 0);
  EXPECT_EQ(acknowledged(), 2U) << "the answer was lost, so the gateway repeats the token";
  EXPECT_TRUE(connection.transport().has_spare());
}

TEST_F(AGatewayConnection, PassesOrdersOn) {
  const std::array order{std::byte{static_cast<std::uint8_t>(GatewayFrame::Order)}, std::byte{9}};
  connection.on_frame(now_us, order);
  ASSERT_EQ(orders.size(), 1U);
  EXPECT_EQ(orders[0], transport::bytes_of(order));
}

TEST_F(AGatewayConnection, ReconnectsAfterSilenceAndReportsTheNewSession) {
  give_resume_token(1);
  EXPECT_EQ(new_sessions, 0) << "the first session is not new";
  lose_session();
  EXPECT_TRUE(connection.transport().connected());
  EXPECT_FALSE(acknowledged()) << "the token was of the ended session";
}

// Otherwise the longer way to another gateway is taken for a queue.
TEST_F(AGatewayConnection, ForgetsThePathWhenItResumesAtAnotherGateway) {
  send_something();
  echo(newest_up, 0);
  give_resume_token(1);
  lose_session();
  EXPECT_TRUE(telemetry.rtt_known()) << "the same gateway";

  transport::ConnectTokenSpec elsewhere = spec(1);
  elsewhere.public_addresses = {};
  elsewhere.public_addresses.push_back(Address::v4(10, 0, 0, 2, 40000));
  token_to_resume = make(elsewhere);
  give_resume_token(2);
  new_sessions = 0;
  lose_session();
  EXPECT_FALSE(telemetry.rtt_known());
}

TEST_F(AGatewayConnection, TakesAStallOfItsOwnForNoSilence) {
  give_resume_token(1);
  now_us += 5'000'000;
  connection.advance(now_us, 5'000'000);
  EXPECT_TRUE(connection.transport().connected()) << "datagrams of the stall may be waiting";
  now_us += 10'000;
  connection.advance(now_us, 10'000);
  EXPECT_TRUE(connection.transport().reconnecting());
}

TEST_F(AGatewayConnection, ThatWasEndedHereStaysEnded) {
  give_resume_token(1);
  connection.disconnect(now_us);
  for (int i = 0; i < 300; ++i) frame();
  EXPECT_EQ(connection.transport().state(), transport::ClientState::Disconnected);
  EXPECT_EQ(new_sessions, 0);
}

}  // namespace
}  // namespace perigee::client
