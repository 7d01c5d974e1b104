// Bad input that only real sockets can produce, against the real gateway.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/udp.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "gateway_fixture.hpp"
#include "own_network/own_network.hpp"

namespace perigee::process_test {
namespace {

sockaddr_in kernel_address(const Address& address) {
  sockaddr_in kernel{};
  kernel.sin_family = AF_INET;
  kernel.sin_port = htons(address.port);
  std::memcpy(&kernel.sin_addr, address.ip.data(), 4);
  return kernel;
}

/// Sends from a fresh port that is closed again at once.
bool send_and_close(const Address& to, std::span<const std::byte> bytes) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const sockaddr_in kernel = kernel_address(to);
  const ssize_t sent = sendto(fd, bytes.data(), bytes.size(), 0,
                              reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel);
  close(fd);
  return sent == static_cast<ssize_t>(bytes.size());
}

/// On a loopback with Ethernet's MTU: large datagrams are fragmented.
class AGatewayInItsOwnNetwork : private own_network::Stay, public AGateway {
 protected:
  AGatewayInItsOwnNetwork() : Stay(1'500) {}
  void SetUp() override {
    if (!entered()) GTEST_SKIP() << entered().error().message;
    start();
    join();
    ASSERT_TRUE(plays());
  }
  Address door() const { return map.gateways.at(0).public_udp; }
  double dropped() const {
    return metric("perigee_gateway_drops_total") + metric("perigee_gateway_socket_losses_total");
  }
  /// The counter of this network namespace, from /proc.
  static std::uint64_t port_unreachables() {
    std::ifstream file("/proc/thread-self/net/snmp");
    std::string names, values;
    while (std::getline(file, names) && std::getline(file, values)) {
      if (!names.starts_with("Icmp:")) continue;
      std::istringstream name_words(names), value_words(values);
      std::string name, value;
      while (name_words >> name && value_words >> value) {
        if (name == "OutDestUnreachs") return std::stoull(value);
      }
    }
    return 0;
  }
};

TEST_F(AGatewayInItsOwnNetwork, DropsFragmentedDatagramsOf1301To65507BytesAndCountsThem) {
  const double before = dropped();
  double sent = 0;
  for (const std::size_t size : {1301u, 1472u, 1473u, 3000u, 9000u, 65507u}) {
    for (const std::byte prefix : {std::byte{0x85}, std::byte{0x13}, std::byte{0}}) {
      for (int i = 0; i < 10; ++i, ++sent) {
        ASSERT_TRUE(send_and_close(door(), Bytes(size, prefix)));
      }
    }
  }
  EXPECT_TRUE(run_until([&] { return dropped() >= before + sent; })) << dropped() - before;
  EXPECT_TRUE(plays());
}

TEST_F(AGatewayInItsOwnNetwork, IsNotDisturbedByFragmentsWhoseRestNeverComes) {
  const int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW);
  if (fd < 0) GTEST_SKIP() << "raw sockets are not allowed here";
  const sockaddr_in to = kernel_address(door());
  struct {
    iphdr ip{};
    udphdr udp{};
    std::array<std::byte, 1'400> body{};
  } packet;
  packet.ip.version = 4;
  packet.ip.ihl = 5;
  packet.ip.ttl = 64;
  packet.ip.protocol = IPPROTO_UDP;
  packet.ip.saddr = packet.ip.daddr = to.sin_addr.s_addr;
  packet.ip.frag_off = htons(IP_MF);
  packet.udp.dest = to.sin_port;
  packet.udp.len = htons(4'000);
  for (int i = 0; i < 2'000; ++i) {
    packet.ip.id = htons(static_cast<std::uint16_t>(i));
    ASSERT_GT(
        sendto(fd, &packet, 20 + 8 + 1'368, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to),
        0);
  }
  close(fd);
  EXPECT_TRUE(plays());
}

TEST_F(AGatewayInItsOwnNetwork, PlaysOnDuringAStormOfPortUnreachables) {
  // Good tokens from closed ports: each challenge triggers an ICMP error, up to the kernel's own
  // limit of 1000 a second.
  const std::uint64_t before = port_unreachables();
  for (std::uint64_t id = 1'000; id < 1'500; ++id) {
    transport::Client stranger;
    ASSERT_TRUE(stranger.begin(0, token(id)));
    ASSERT_TRUE(send_and_close(door(), stranger.poll_send()->datagram));
  }
  EXPECT_TRUE(run_until([&] { return port_unreachables() >= before + 100; }))
      << port_unreachables() - before;
  EXPECT_TRUE(plays());
}

TEST_F(AGatewayInItsOwnNetwork, CountsWhatDoesNotFitItsSendBuffersAndGoesOn) {
  const std::string port = std::to_string(base + 20);
  const std::string slow =
      "tc qdisc add dev lo root handle 1: htb && "
      "tc class add dev lo parent 1: classid 1:3 htb rate 8kbit burst 2000 quantum 1500 && "
      "tc filter add dev lo parent 1: protocol ip u32 match ip dport " +
      port + " 0xffff flowid 1:3 && tc qdisc add dev lo parent 1:3 pfifo limit 100000";
  if (std::system(slow.c_str()) != 0) GTEST_SKIP() << "tc cannot slow a loopback down here";
  const auto lost = [&] { return metric("perigee_gateway_socket_losses_total"); };
  const double lost_before = lost();
  const std::size_t inputs_before = inputs.size();
  const Address fabric = map.gateways.at(0).fabric;
  host::Timer snapshots(loop, [&] {
    for (int i = 0; i < 4; ++i) to_gateway(fabric, BlockRecord{session, 0, Bytes(1'100)});
  });
  snapshots.every(1'000);
  run_until([&] {
    send_frames(stream_owner, Bytes(20, std::byte{7}));
    return lost() > lost_before;
  });
  snapshots.stop();
  EXPECT_GT(lost(), lost_before);
  EXPECT_GT(inputs.size(), inputs_before + 20);  // the uplink works meanwhile
  ASSERT_EQ(std::system("tc qdisc del dev lo root"), 0);
  EXPECT_TRUE(plays());
}

}  // namespace
}  // namespace perigee::process_test
