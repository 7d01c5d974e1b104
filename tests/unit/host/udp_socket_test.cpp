#include "perigee/host/udp_socket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "numbered_datagrams.hpp"

namespace perigee::host {
namespace {

class TwoSockets : public testing::Test {
 protected:
  TwoSockets() {
    receiver.emplace(UdpSocket::open(loop, any_port, {}, [this](std::span<const Datagram> batch) {
                       ++batches;
                       for (const Datagram& datagram : batch) take(datagram);
                     }).value());
    sender.emplace(
        UdpSocket::open(loop, any_port, {.send_queue_datagrams = 128}, [](auto) {}).value());
    guard.at(Loop::clock_us() + 20'000'000);
  }
  void take(const Datagram& datagram) {
    std::uint32_t number = 0;
    std::memcpy(&number, datagram.bytes.data(), sizeof number);
    numbers.push_back(number);
    sizes.push_back(datagram.bytes.size());
    from = datagram.from;
    received_us = datagram.received_us;
    if (numbers.size() == expected) loop.stop();
  }

  Loop loop;
  Timer guard{loop, [this] {
                ADD_FAILURE() << "only " << numbers.size() << " datagrams arrived";
                loop.stop();
              }};
  std::optional<UdpSocket> receiver;
  std::optional<UdpSocket> sender;
  std::size_t expected = 1;
  int batches = 0;
  std::vector<std::uint32_t> numbers;
  std::vector<std::size_t> sizes;
  Address from;
  Micros received_us = 0;
};

TEST_F(TwoSockets, CarryBytesSenderAndTime) {
  const Micros before_us = Loop::clock_us();
  loop.post([&] { sender->send(receiver->local(), numbered(7, 1200)); });
  loop.run();
  EXPECT_THAT(numbers, testing::ElementsAre(7));
  EXPECT_THAT(sizes, testing::ElementsAre(1200));
  EXPECT_EQ(from, sender->local());
  EXPECT_GE(received_us, before_us - 1'000) << "kernel stamps are mapped to the monotonic clock";
  EXPECT_LE(received_us, Loop::clock_us());
}

TEST_F(TwoSockets, KeepTheOrderAcrossBatches) {
  expected = 300;
  loop.post([&] {
    for (std::uint32_t i = 0; i < expected; ++i) sender->send(receiver->local(), numbered(i, 100));
  });
  loop.run();
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_LT(batches, 100) << "300 datagrams are not 300 calls";
  EXPECT_EQ(sender->counts().sent_datagrams, 300U);
  EXPECT_EQ(receiver->counts().received_bytes, 30'000U);
}

TEST_F(TwoSockets, DeliverAtOnceWhenAskedTo) {
  loop.post([&] {
    sender->send(receiver->local(), numbered(7, 100));
    sender->flush();
    receiver->receive_now();  // loopback delivers within the sender's call
    EXPECT_THAT(numbers, testing::ElementsAre(7));
    receiver->receive_now();
    EXPECT_EQ(numbers.size(), 1U);
  });
  loop.run();
}

TEST_F(TwoSockets, CountWhatCannotBeSentAndGoOn) {
  loop.post([&] {
    sender->send(Address::v4(255, 255, 255, 255, 9), numbered(1, 8));  // broadcast: no permission
    sender->send(parse_address("[::1]:9").value(), numbered(1, 8));    // the other family
    sender->send(receiver->local(), numbered(2, 8));
  });
  loop.run();
  EXPECT_THAT(numbers, testing::ElementsAre(2));
  EXPECT_EQ(sender->counts().send_failed, 2U);
}

TEST_F(TwoSockets, DropOversizedDatagramsAndCountThem) {
  const Address to = receiver->local();
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in kernel{};
  kernel.sin_family = AF_INET;
  kernel.sin_port = htons(to.port);
  kernel.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const std::vector<std::byte> large(UdpSocket::datagram_bytes_max + 1);
  const auto small = numbered(3, 8);
  for (const auto& bytes : {large, small}) {
    ASSERT_EQ(sendto(fd, bytes.data(), bytes.size(), 0, reinterpret_cast<sockaddr*>(&kernel),
                     sizeof kernel),
              static_cast<ssize_t>(bytes.size()));
  }
  close(fd);
  loop.run();
  EXPECT_THAT(numbers, testing::ElementsAre(3));
  EXPECT_EQ(receiver->counts().received_oversized, 1U);
}

TEST_F(TwoSockets, RefuseABusyPortWithARemedy) {
  const auto twin = UdpSocket::open(loop, receiver->local(), {}, [](auto) {});
  ASSERT_FALSE(twin.ok());
  EXPECT_THAT(twin.error().message, testing::HasSubstr("choose another --port-base"));
}

TEST_F(TwoSockets, LetAHandlerCloseItsOwnSocket) {
  std::optional<UdpSocket> suicidal;
  suicidal.emplace(UdpSocket::open(loop, any_port, {}, [&](std::span<const Datagram>) {
                     suicidal.reset();
                     loop.stop();
                   }).value());
  loop.post([&] { sender->send(suicidal->local(), numbered(1, 8)); });
  loop.run();
  EXPECT_FALSE(suicidal);
}

}  // namespace
}  // namespace perigee::host
