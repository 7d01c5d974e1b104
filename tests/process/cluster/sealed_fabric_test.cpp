// Sealed fabric (D10): an attacker on the network that sees every datagram and sends from any
// address, and keys that change during play.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>

#include "operator.hpp"

namespace perigee::process_test {
namespace {

using Datagram = std::vector<std::byte>;
constexpr int attacks = 50;

/// Raw sockets on loopback: reads what others receive, and writes with any source port.
class Attacker {
 public:
  Attacker()
      : in_(socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_UDP)),
        out_(socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW)) {}
  ~Attacker() {
    close(in_);
    close(out_);
  }
  Attacker(const Attacker&) = delete;
  Attacker& operator=(const Attacker&) = delete;
  bool allowed() const { return in_ >= 0 && out_ >= 0; }

  /// The shortest of the next datagrams from one port to another. Longer ones may be several, which
  /// the kernel hands over as one.
  std::optional<Datagram> overhear(unsigned from, unsigned to) const {
    std::array<std::byte, 2'048> packet;
    std::optional<Datagram> found;
    int heard = 0;
    comes(
        [&] {
          const ssize_t size = recv(in_, packet.data(), packet.size(), MSG_DONTWAIT);
          constexpr std::size_t headers = sizeof(iphdr) + sizeof(udphdr);
          if (size <= static_cast<ssize_t>(headers)) return false;
          udphdr udp;
          std::memcpy(&udp, packet.data() + sizeof(iphdr), sizeof udp);
          if (ntohs(udp.source) != from || ntohs(udp.dest) != to) return false;
          Datagram next(packet.begin() + headers, packet.begin() + size);
          if (!found || next.size() < found->size()) found = std::move(next);
          return ++heard == 20;
        },
        std::chrono::milliseconds(0));
    return found;
  }
  void send(unsigned from, unsigned to, std::span<const std::byte> datagram) const {
    struct {
      iphdr ip{};
      udphdr udp{};
      std::array<std::byte, 2'048> body{};
    } packet;
    packet.ip.version = 4;
    packet.ip.ihl = 5;
    packet.ip.ttl = 64;
    packet.ip.protocol = IPPROTO_UDP;
    packet.ip.saddr = packet.ip.daddr = htonl(INADDR_LOOPBACK);
    packet.udp.source = htons(static_cast<std::uint16_t>(from));
    packet.udp.dest = htons(static_cast<std::uint16_t>(to));
    packet.udp.len = htons(static_cast<std::uint16_t>(sizeof(udphdr) + datagram.size()));
    std::memcpy(packet.body.data(), datagram.data(), datagram.size());
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const std::size_t size = sizeof(iphdr) + sizeof(udphdr) + datagram.size();
    EXPECT_EQ(
        sendto(out_, &packet, size, 0, reinterpret_cast<const sockaddr*>(&address), sizeof address),
        static_cast<ssize_t>(size));
  }

 private:
  int in_, out_;
};

struct ASealedCluster : AnOperator {
  double refused(unsigned admin, const std::string& reason) const {
    return series(admin, "perigee_fabric_refused_datagrams_total{reason=\"" + reason + "\"}");
  }
  double refused_of_all() const {
    double sum = 0;
    for (const unsigned admin : {100U, 110U, 111U}) {
      for (const char* reason : {"malformed", "not_sealed", "other_cluster", "unknown_sender",
                                 "unknown_epoch", "forged", "replayed"}) {
        sum += refused(admin, reason);
      }
    }
    return sum;
  }
  /// Lost between members because a key was missing on either side.
  double lost_by_keys() const {
    double sum = refused_of_all();
    for (const unsigned admin : {100U, 110U, 111U}) {
      for (const char* reason : {"no_key", "unknown_receiver"}) {
        sum += series(
            admin, "perigee_fabric_unsent_datagrams_total{reason=\"" + std::string(reason) + "\"}");
      }
    }
    return sum;
  }
  static void print_gaps(const Child& players) {
    std::printf("longest gap %.0f ms; the bots themselves stalled for up to %.0f ms\n",
                figure_of(players.output(), "longest_gap_ms"),
                figure_of(players.output(), "stalled_ms"));
  }
  double refused_by_tag_or_number(unsigned admin) const {
    return refused(admin, "forged") + refused(admin, "replayed");
  }
  double key_changes() const { return series(102, "perigee_directory_fabric_key_changes_total"); }
  void change_keys() const {
    const double before = key_changes();
    says({"rotate-keys"}, 0);
    EXPECT_TRUE(soon([&] { return key_changes() == before + 1; })) << key_changes();
  }
  /// Sends it as often as `attacks`, with the sender's own address, and expects this reason.
  void attack(unsigned from, unsigned to, const Datagram& datagram, unsigned admin,
              const std::string& reason) const {
    const double before = refused(admin, reason);
    for (int i = 0; i < attacks; ++i) attacker.send(base + from, base + to, datagram);
    EXPECT_TRUE(soon([&] { return refused(admin, reason) == before + attacks; }))
        << reason << " at " << admin << ": " << refused(admin, reason) - before;
  }

  const Attacker attacker;
  static constexpr unsigned gateway = 30, first_worker = 40, second_worker = 41;
};

TEST_F(ASealedCluster, RefusesAnAttackersDatagramsWhilePlayersPlayOnAndKeysChange) {
  if (!attacker.allowed()) GTEST_SKIP() << "raw sockets are not allowed here";
  start_all();
  Child players(bots({"--count", "10", "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing 10")) << players.output() << outputs();
  const double refused_at_start = refused_of_all();

  const auto input = attacker.overhear(base + gateway, base + first_worker);
  const auto block = attacker.overhear(base + first_worker, base + gateway);
  ASSERT_TRUE(input && block) << outputs();
  Datagram forged = *input;
  forged[15] = std::byte{0x7f};  // of a number far ahead
  Datagram plain = *input;
  plain[1] = std::byte{'F'};
  attack(gateway, first_worker, *input, 110, "replayed");
  attack(first_worker, gateway, *block, 100, "replayed");
  attack(gateway, first_worker, forged, 110, "forged");
  // For another receiver: its tag is wrong there, and its number may be one of the past.
  const double before = refused_by_tag_or_number(111);
  for (int i = 0; i < attacks; ++i) attacker.send(base + gateway, base + second_worker, *input);
  EXPECT_TRUE(soon([&] { return refused_by_tag_or_number(111) == before + attacks; }));
  attack(gateway, first_worker, plain, 110, "not_sealed");
  attack(second_worker, first_worker, *input, 110, "unknown_sender");
  EXPECT_EQ(refused_of_all(), refused_at_start + 6 * attacks);

  const double lost_before_changes = lost_by_keys();
  change_keys();
  change_keys();
  EXPECT_EQ(lost_by_keys(), lost_before_changes) << "no datagram is lost by a change";
  attack(gateway, first_worker, *input, 110, "unknown_epoch");
  EXPECT_EQ(refused_of_all(), refused_at_start + 7 * attacks);

  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0);
  print_gaps(players);
}

TEST_F(ASealedCluster, GoesOnUnderADirectoryThatStartsAgain) {
  Child& directory = start_directory({"--directory-fabric-seal", "encrypt"});
  start(PERIGEE_GATEWAY_BINARY);
  start(PERIGEE_SIM_BINARY, {"--index", "0"});
  start(PERIGEE_SIM_BINARY, {"--index", "1"});
  start(PERIGEE_SESSION_BINARY);
  for (const unsigned port : {102U, 100U, 110U, 111U, 101U}) {
    ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
  }
  Child players(bots({"--count", "6", "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing 6")) << players.output() << outputs();
  const double lost_at_start = lost_by_keys();
  directory.signal(SIGKILL);
  directory.wait();
  // The next one has no key of the former one, and another kind of seal.
  start_directory({"--directory-fabric-seal", "tag"});
  EXPECT_TRUE(soon([&] { return key_changes() == 1; })) << key_changes();
  EXPECT_EQ(series(102, "perigee_directory_fabric_key_epoch"), 2);
  EXPECT_EQ(lost_by_keys(), lost_at_start);
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0);
  print_gaps(players);
}

}  // namespace
}  // namespace perigee::process_test
