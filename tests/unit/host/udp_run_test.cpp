// Runs to one peer (UDP GSO), gathering, empty datagrams, full buffers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "numbered_datagrams.hpp"
#include "perigee/host/udp_socket.hpp"

namespace perigee::host {
namespace {

class ARun : public testing::Test {
 protected:
  ARun() { guard.at(Loop::clock_us() + 20'000'000); }
  UdpSocket open(const UdpOptions& options = {}) {
    return UdpSocket::open(loop, any_port, options,
                           [this](std::span<const Datagram> batch) {
                             ++batches;
                             for (const Datagram& datagram : batch) take(datagram);
                           })
        .value();
  }
  void take(const Datagram& datagram) {
    std::uint32_t number = 0;
    std::memcpy(&number, datagram.bytes.data(), sizeof number);
    numbers.push_back(number);
    sizes.push_back(datagram.bytes.size());
    if (numbers.size() == expected) loop.stop();
  }
  void send_all(const std::vector<std::size_t>& lengths) {
    expected = lengths.size();
    for (std::uint32_t i = 0; i < lengths.size(); ++i) {
      sender.send(receiver.local(), numbered(i, lengths[i]));
    }
    sender.flush();
    loop.run();
  }
  void send_each_ms(const UdpSocket& to, std::size_t count) {
    expected = count;
    std::uint32_t sent = 0;
    Timer each(loop, [&] {
      if (sent < expected) sender.send(to.local(), numbered(sent++, 10));
    });
    each.every(1'000);
    loop.run();
  }

  Loop loop;
  Timer guard{loop, [this] {
                ADD_FAILURE() << "only " << numbers.size() << " datagrams arrived";
                loop.stop();
              }};
  UdpSocket receiver = open();
  UdpSocket sender = open();
  std::size_t expected = 1;
  int batches = 0;
  std::vector<std::uint32_t> numbers;
  std::vector<std::size_t> sizes;
};

TEST_F(ARun, ArrivesInOrderAndInItsPieces) {
  const std::vector<std::size_t> lengths{1200, 1200, 300, 301, 1200, 40, 41};
  send_all(lengths);
  EXPECT_THAT(numbers, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_EQ(sizes, lengths);
  EXPECT_EQ(sender.counts().sent_datagrams, lengths.size());
  EXPECT_EQ(sender.counts().sent_in_runs, 5U) << "1200 1200 300, 301, 1200 40, 41";
}

TEST_F(ARun, EndsWhereThePeerChanges) {
  const UdpSocket other = open();
  expected = 4;
  for (const Address& to : {receiver.local(), other.local(), receiver.local(), other.local()}) {
    sender.send(to, numbered(0, 100));
  }
  sender.flush();
  loop.run();
  EXPECT_EQ(numbers.size(), 4U);
  EXPECT_EQ(sender.counts().sent_in_runs, 0U);
}

/// Without checksums the kernel refuses to segment runs, as on devices that cannot compute them.
void forbid_runs(const UdpSocket& socket) {
  for (int fd = 0; fd < 1'024; ++fd) {
    sockaddr_in name{};
    socklen_t size = sizeof name;
    const int on = 1;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&name), &size) == 0 &&
        name.sin_family == AF_INET && ntohs(name.sin_port) == socket.local().port) {
      ASSERT_EQ(setsockopt(fd, SOL_SOCKET, SO_NO_CHECK, &on, sizeof on), 0);
    }
  }
}

TEST_F(ARun, ThatTheKernelRefusesGoesPieceByPiece) {
  forbid_runs(sender);
  send_all(std::vector<std::size_t>(100, 200));
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_EQ(numbers.size(), 100U);
  EXPECT_EQ(sender.counts().sent_datagrams, 100U);
  EXPECT_EQ(sender.counts().sent_in_runs, 0U);
  EXPECT_EQ(sender.counts().send_failed, 0U);
}

TEST_F(ARun, ToAForbiddenPeerFailsAloneAndDoesNotEndRuns) {
  const Address broadcast = Address::v4(255, 255, 255, 255, 9);  // no permission
  for (int i = 0; i < 3; ++i) sender.send(broadcast, numbered(0, 100));
  send_all({100, 100});
  EXPECT_EQ(numbers.size(), 2U);
  EXPECT_EQ(sender.counts().send_failed, 3U);
  EXPECT_EQ(sender.counts().sent_in_runs, 2U);
}

TEST_F(ARun, OfEmptyDatagramsIsSkippedAndReadingGoesOn) {
  for (int i = 0; i < 100; ++i) sender.send(receiver.local(), {});
  sender.send(receiver.local(), numbered(7, 10));
  sender.flush();
  loop.run();
  EXPECT_THAT(numbers, testing::ElementsAre(7));
  EXPECT_EQ(receiver.counts().received_empty, 100U);
}

TEST_F(ARun, LongerThanTheKernelsBufferIsCounted) {
  const UdpSocket full = open({.kernel_buffer_bytes = 4'096});
  for (std::uint32_t i = 0; i < 100; ++i) sender.send(full.local(), numbered(i, 1200));
  sender.flush();
  EXPECT_GT(full.counts().kernel_dropped, 50U);
}

TEST_F(ARun, WithinAMomentIsOneCallForWhoGathers) {
  UdpOptions patient;
  patient.gathering.longest_us = 100'000;
  const UdpSocket gatherer = open(patient);
  send_each_ms(gatherer, 20);
  EXPECT_LE(batches, 4) << "20 datagrams, one per millisecond";
}

TEST_F(ARun, IsReadAtOnceWhileFewCome) {
  const UdpSocket gatherer = open({.gathering = {5'000, 5'000, 165, 165}});
  send_each_ms(gatherer, 60);
  EXPECT_GT(batches, 40) << "waits only from 33,000 datagrams a second on";
}

TEST_F(ARun, IsGatheredWhileManyCome) {
  const UdpSocket gatherer = open({.gathering = {5'000, 5'000, 1, 1}});
  send_each_ms(gatherer, 60);
  EXPECT_LE(batches, 40) << "60 datagrams, one per millisecond; it learns the rate in 20 ms";
}

TEST_F(ARun, LongerThanATurnIsReadInTheNextOnes) {
  const UdpSocket gatherer = open({.turn_datagrams_max = 64, .gathering = {1'000, 1'000, 1, 1}});
  expected = 1'000;
  std::uint32_t sent = 0;
  Timer each(loop, [&] {
    for (int i = 0; i < 200 && sent < expected; ++i) {
      sender.send(gatherer.local(), numbered(sent++, 10));
    }
  });
  each.every(5'000);
  loop.run();
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_EQ(numbers.size(), 1'000U);
}

TEST_F(ARun, LongerThanATurnIsReadAtOnceWhereAsked) {
  UdpSocket asked = open({.turn_datagrams_max = 64});
  for (std::uint32_t i = 0; i < 300; ++i) sender.send(asked.local(), numbered(i, 10));
  sender.flush();
  asked.receive_now();
  EXPECT_EQ(numbers.size(), 300U);
}

TEST_F(ARun, ThatEndedLeavesTheSocketListening) {
  const UdpSocket gatherer = open({.gathering = {1'000, 1'000, 1, 1}});
  for (int run = 0; run < 3; ++run) {
    expected = numbers.size() + 30;
    std::uint32_t sent = 0;
    Timer each(loop, [&] {
      if (sent++ < 30) sender.send(gatherer.local(), numbered(sent, 10));
    });
    each.every(200);
    loop.run();
    each.stop();
    Timer silence(loop, [&] { loop.stop(); });
    silence.at(Loop::clock_us() + 10'000);
    loop.run();
  }
  EXPECT_EQ(numbers.size(), 90U);
}

}  // namespace
}  // namespace perigee::host
