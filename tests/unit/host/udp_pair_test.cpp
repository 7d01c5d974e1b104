// Two sockets on one port, and both address families.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "perigee/host/udp_socket.hpp"

namespace perigee::host {
namespace {

using Bytes = std::vector<std::byte>;

Bytes datagram(std::size_t size, unsigned first) {
  Bytes bytes(size, std::byte{1});
  if (size > 0) bytes[0] = static_cast<std::byte>(first);
  return bytes;
}

class APair : public testing::TestWithParam<const char*> {
 protected:
  static constexpr UdpShape shape{.bytes_min = 18,
                                  .low_nibble_min = 4,
                                  .low_nibble_max = 6,
                                  .high_nibble_min = 1,
                                  .high_nibble_max = 8};
  APair() {
    const auto local = parse_address(GetParam()).value();
    auto opened = UdpSocket::open_pair(
        loop, local, shape, {}, [this](auto batch) { take(first, batch); },
        {.send_queue_datagrams = 0}, [this](auto batch) { take(second, batch); });
    first_socket.emplace(std::move(opened.value().first));
    second_socket.emplace(std::move(opened.value().second));
    sender.emplace(UdpSocket::open(loop, local, {}, [](auto) {}).value());
    loop.at_turn_end([this] { second_socket->receive_noted(); });
    guard.at(Loop::clock_us() + 20'000'000);
  }
  void take(std::vector<Bytes>& to, std::span<const Datagram> batch) {
    for (const Datagram& one : batch) {
      EXPECT_EQ(one.from, sender->local());
      to.emplace_back(one.bytes.begin(), one.bytes.end());
    }
    if (first.size() >= first_expected && first.size() + second.size() >= expected) loop.stop();
  }
  void send(const std::vector<Bytes>& all) {
    expected = first.size() + second.size() + all.size();
    for (const Bytes& bytes : all) {
      sender->send(first_socket->local(), bytes);
      sender->flush();  // one by one: a whole run goes to the socket of its first datagram
    }
    loop.run();
  }

  Loop loop;
  Timer guard{loop, [this] {
                ADD_FAILURE() << first.size() << " and " << second.size() << " arrived";
                loop.stop();
              }};
  std::optional<UdpSocket> first_socket, second_socket, sender;
  std::size_t expected = 1;
  std::size_t first_expected = 0;
  std::vector<Bytes> first, second;
};

TEST_P(APair, SharesItsPortByTheShapeOfWhatArrives) {
  const std::vector<Bytes> sessions{datagram(18, 0x14), datagram(18, 0x85), datagram(1400, 0x46)};
  std::vector<Bytes> others{datagram(17, 0x14), datagram(1, 0x14)};
  for (const unsigned byte : {0x00U, 0x13U, 0x17U, 0x04U, 0x94U, 0xffU}) {
    others.push_back(datagram(50, byte));
  }
  std::vector<Bytes> all = others;
  all.insert(all.end(), sessions.begin(), sessions.end());
  send(all);
  EXPECT_EQ(first, sessions);
  EXPECT_EQ(second, others);
}

TEST_P(APair, LosesNothingOfTheFirstWhenTheSecondIsFlooded) {
  first_expected = 2;
  for (int i = 0; i < 20'000; ++i) sender->send(first_socket->local(), datagram(100, 0));
  send({datagram(50, 0x15), datagram(50, 0x25)});
  EXPECT_GT(second_socket->counts().kernel_dropped, 0U);
  EXPECT_EQ(first_socket->counts().kernel_dropped, 0U);
}

TEST_P(APair, SendsStrangersToTheSecondSocketOnceItKnowsItsPeers) {
  std::vector<Address> peers;
  for (std::uint16_t port = 1; port < 1'000; ++port) {
    peers.push_back(sender->local());
    peers.back().port = port == sender->local().port ? std::uint16_t{1'000} : port;
  }
  first_socket->know_peers(peers);
  send({datagram(50, 0x15)});
  EXPECT_EQ(first.size(), 0U);
  EXPECT_EQ(second.size(), 1U);
  peers[500] = sender->local();
  first_socket->know_peers(peers);
  send({datagram(50, 0x25), datagram(50, 0x03)});
  send({datagram(51, 0x25)});
  EXPECT_THAT(first, testing::ElementsAre(datagram(50, 0x25), datagram(51, 0x25)));
  EXPECT_EQ(second.size(), 2U) << "and what is no packet of a session goes there, whoever sends it";
}

TEST_P(APair, TrustsEverybodyWhenThereAreMorePeersThanTheKernelTakes) {
  std::vector<Address> peers(5'000, first_socket->local());
  for (std::size_t i = 0; i < peers.size(); ++i) peers[i].ip[2] = static_cast<std::uint8_t>(i);
  first_socket->know_peers(peers);
  send({datagram(50, 0x15)});
  EXPECT_EQ(first.size(), 1U);
}

TEST_P(APair, LeavesItsPortToNobodyElse) {
  const auto twin =
      UdpSocket::open_pair(loop, first_socket->local(), shape, {}, [](auto) {}, {}, [](auto) {});
  ASSERT_FALSE(twin.ok());
  EXPECT_THAT(twin.error().message, testing::HasSubstr("choose another --port-base"));
}

INSTANTIATE_TEST_SUITE_P(OfEachFamily, APair, testing::Values("127.0.0.1:0", "[::1]:0"));

TEST(ASocketOnAllAddresses, SpeaksToBothFamilies) {
  Loop loop;
  std::vector<Address> from;
  auto wide = UdpSocket::open(loop, parse_address("[::]:0").value(), {},
                              [&](std::span<const Datagram> batch) {
                                for (const Datagram& one : batch) from.push_back(one.from);
                                if (from.size() == 2) loop.stop();
                              });
  ASSERT_TRUE(wide) << wide.error().message;
  std::vector<Address> answered;
  const auto on_answer = [&](std::span<const Datagram> batch) {
    for (const Datagram& one : batch) answered.push_back(one.from);
    if (answered.size() == 2) loop.stop();
  };
  auto v4 = UdpSocket::open(loop, Address::v4(127, 0, 0, 1, 0), {}, on_answer).value();
  auto v6 = UdpSocket::open(loop, parse_address("[::1]:0").value(), {}, on_answer).value();
  Address port = v4.local();
  port.port = wide->local().port;
  v4.send(port, datagram(10, 1));
  v4.flush();
  Address port6 = v6.local();
  port6.port = port.port;
  v6.send(port6, datagram(10, 1));
  v6.flush();
  loop.run();
  EXPECT_THAT(from, testing::UnorderedElementsAre(v4.local(), v6.local()));
  for (const Address& peer : from) wide->send(peer, datagram(10, 2));
  wide->flush();
  loop.run();
  EXPECT_THAT(answered, testing::UnorderedElementsAre(port, port6));
}

}  // namespace
}  // namespace perigee::host
