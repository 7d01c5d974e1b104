// Our own client changes its address and plays on.
#include "fixture.hpp"

namespace perigee::transport {
namespace {

class Moves : public TransportTest {
 protected:
  const Address home = player_address(1);
  const Address away = player_address(2);
  const Address far_away = player_address(3);

  Moves() : client(join(7, home)) {
    pass(200'000, *client, home);
    events.clear();
  }
  Bytes payload(std::string_view messages) {
    EXPECT_TRUE(client->send_payload(now_us, text(messages)));
    return bytes_of(client->poll_send()->datagram);
  }
  std::size_t moved() const {
    return static_cast<std::size_t>(std::ranges::count(
        events, ServerEvent::Kind::Moved, [](const ServerEvent& event) { return event.kind; }));
  }
  /// The address to which the server sends this session's payloads.
  Address server_sends_to() {
    postbag.parcels.clear();
    server->send_payload(now_us, 0, text("where"));
    return postbag.parcels.back().to;
  }
  std::unique_ptr<Client> client;
};

TEST_F(Moves, TheSessionFollowsItsClient) {
  pass(100'000, *client, away);
  ASSERT_EQ(moved(), 1u);
  EXPECT_EQ(events.back().address, away);
  EXPECT_EQ(events.back().client_id, 7u);
  EXPECT_EQ(server_sends_to(), away);
  deliver_down(*client, away);
  EXPECT_EQ(down_payloads, std::vector<Bytes>{text("where")});
}

TEST_F(Moves, NoInputIsLostOnTheWay) {
  for (int i = 0; i < 30; ++i) {
    client->send_payload(now_us, text("x"));
    pass(10'000, *client, i < 10 ? home : away);
  }
  EXPECT_EQ(up_payloads.size(), 30u);
}

TEST_F(Moves, BothTablesFollow) {
  pass(100'000, *client, away);
  const auto other = join(8, home);  // the old address is free for other clients
  EXPECT_TRUE(other->connected());
  pass(6'000'000, *client, away);
  EXPECT_TRUE(server->connected(0));
  client->disconnect(now_us);
  deliver_up(*client, away);
  const auto third = join(9, away);
  EXPECT_TRUE(third->connected());
}

TEST_F(Moves, AnUnprovenAddressIsReceivedFromButNotSentTo) {
  // A client that spoofs another source address cannot direct its stream there.
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(to_server(away, payload("spoofed")));
    now_us += 16'000;
  }
  EXPECT_EQ(server_sends_to(), home);
  std::size_t bytes = 0;
  for (const Parcel& parcel : postbag.parcels) bytes += parcel.to == away ? parcel.bytes.size() : 0;
  EXPECT_LT(bytes, 100u * 33u);
  EXPECT_EQ(moved(), 0u);
}

TEST_F(Moves, APacketCopiedToAnotherAddressMovesNothing) {
  const Bytes up = payload("mine");
  EXPECT_TRUE(to_server(home, up));
  EXPECT_FALSE(to_server(away, up));
  EXPECT_EQ(dropped(Drop::ReplaySeen), 1u);
  // Even if the copy is faster, it only triggers a challenge that the copier cannot read.
  const Bytes next = payload("next");
  EXPECT_TRUE(to_server(away, next));
  EXPECT_FALSE(to_server(home, next));
  EXPECT_EQ(server_sends_to(), home);
}

TEST_F(Moves, AnOldPacketFromAnotherAddressEarnsNoQuestion) {
  const Bytes old = payload("old");
  EXPECT_TRUE(to_server(home, payload("new")));
  postbag.parcels.clear();
  EXPECT_TRUE(to_server(away, old));  // accepted: it is genuine and new to the window
  EXPECT_TRUE(postbag.parcels.empty());
}

TEST_F(Moves, AForgedNameIsDroppedAfterTheTag) {
  Bytes forged = payload("x");
  forged.back() ^= std::byte{1};
  EXPECT_FALSE(to_server(away, forged));
  EXPECT_EQ(dropped(Drop::Forged), 1u);
}

TEST_F(Moves, AWrongNameIsAStranger) {
  Bytes wrong = payload("x");
  wrong[5] ^= std::byte{1};  // the lowest byte of the session number
  EXPECT_FALSE(to_server(away, wrong));
  EXPECT_EQ(dropped(Drop::UnknownSource), 1u);
}

TEST_F(Moves, PingPongBetweenTwoAddressesIsBoundedAndCounted) {
  for (int i = 0; i < 500; ++i) pass(10'000, *client, i % 20 < 10 ? away : home);  // 5 s
  EXPECT_TRUE(client->connected());
  EXPECT_GE(moved(), 1u);
  EXPECT_LE(moved(), 10u);
  EXPECT_GT(dropped(Drop::MoveTooSoon), 0u);
}

TEST_F(Moves, AQuestionIsAskedAtMostTenTimesASecond) {
  postbag.parcels.clear();
  for (int i = 0; i < 100; ++i) {
    to_server(away, payload("x"));
    now_us += 10'000;
  }
  EXPECT_EQ(postbag.parcels.size(), 10u);
}

TEST_F(Moves, AnAnswerCountsOnlyFromWhereItWasAskedFor) {
  to_server(away, payload("x"));
  deliver_down(*client, away);  // the client answers at once
  const Bytes answer = bytes_of(client->poll_send()->datagram);
  to_server(far_away, answer);
  take_events();
  EXPECT_EQ(moved(), 0u);
  EXPECT_EQ(server_sends_to(), home);
}

TEST_F(Moves, TheAddressOfAnotherSessionStaysItsOwn) {
  const auto other = join(8, away);
  EXPECT_FALSE(to_server(away, payload("x")));
  EXPECT_EQ(dropped(Drop::MoveToBusyAddress), 1u);
  other->send_payload(now_us, text("other"));
  deliver_up(*other, away);
  EXPECT_EQ(up_payloads.back(), text("other"));
}

TEST_F(Moves, ARedialFromTheNewAddressReplacesTheOldSession) {
  settings.issue_of = issue_of;
  start_server();
  Client c;
  ASSERT_TRUE(c.begin(now_us, make(spec(7, 1))));
  pass(30'000, c, home);
  ASSERT_TRUE(c.set_spare(now_us, make(spec(7, 2))));
  pass(50'000, c, away);
  c.redial(now_us);
  pass(100'000, c, away);
  EXPECT_TRUE(c.connected());
  EXPECT_EQ(c.sessions(), 2u);
  EXPECT_EQ(server->clients(), 1u);
}

TEST_F(Moves, AGoodbyeFromAnotherAddressEndsTheSession) {
  client->disconnect(now_us);
  deliver_up(*client, away);
  EXPECT_EQ(server->clients(), 0u);
  EXPECT_EQ(dropped(Drop::GoodbyeOfNobody), 9u);
}

TEST_F(Moves, AClientOfAnotherMakerIsKnownByItsAddressOnly) {
  const ConnectToken t = token(9);
  Client other;  // up to its response; later packets are made by hand
  ASSERT_TRUE(other.begin(now_us, t));
  deliver_up(other, far_away);
  deliver_down(other, far_away);
  deliver_up(other, far_away);
  const Key key = read_connect_token(t)->client_to_server;
  const auto say = [&](std::uint64_t sequence, const Address& from) {
    std::array<std::byte, datagram_bytes_max> out{};
    const std::size_t size =
        seal_packet(PacketType::Payload, sequence, text("x"), perigee_protocol_id, key, out);
    return to_server(from, bytes_of(std::span(out).first(size))).has_value();
  };
  EXPECT_TRUE(say(3, far_away));
  EXPECT_FALSE(say(4, away));
  EXPECT_EQ(dropped(Drop::UnknownSource), 1u);
  EXPECT_TRUE(say(5, far_away));
}

}  // namespace
}  // namespace perigee::transport
