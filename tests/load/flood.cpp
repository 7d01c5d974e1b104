// perigee-flood: floods a public UDP port with unauthenticated datagrams, as fast as one processor
// can. Only for your own machines: it refuses every target but loopback.
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/transport/constants.hpp"

namespace perigee::load {
namespace {

struct Options {
  std::string to;
  std::string kind = "garbage";
  double per_s = 1'000'000;
  double seconds = 1;
  std::uint64_t seed = 1;
};

constexpr std::size_t runs = 256;                    // made at start, sent in turns
constexpr std::size_t run_datagrams = 16;            // sent as one message; the kernel splits it
constexpr std::uint32_t first_source = 0x7f40'0001;  // 127.64.0.1 and 63 neighbours
constexpr std::uint32_t sources = 64;

double now_s() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Datagrams with one size and one first byte, so that the kernel chooses the same socket for the
/// run as for each single datagram.
struct Run {
  std::vector<std::byte> bytes;
  std::uint16_t piece = 0;
};

void fill(Random& random, std::span<std::byte> out) {
  for (std::byte& b : out) b = static_cast<std::byte>(random.next() >> 24);
}

Run make_run(const std::string& kind, Random& random) {
  const bool request = kind == "requests";
  const std::size_t piece = request ? transport::request_bytes : 18 + random.next() % 1'183;
  auto first = static_cast<std::byte>(random.next() >> 16);
  if (request) first = std::byte{0};
  if (kind == "sessions") {  // keep-alive, payload or disconnect, with 1 to 8 bytes of sequence
    first = static_cast<std::byte>((1 + random.next() % 8) << 4 | (4 + random.next() % 3));
  }
  Run run{std::vector<std::byte>(piece * run_datagrams), static_cast<std::uint16_t>(piece)};
  fill(random, run.bytes);
  for (std::size_t i = 0; i < run_datagrams; ++i) {
    std::byte* const datagram = run.bytes.data() + i * piece;
    datagram[0] = first;
    if (!request) continue;
    // All fields that can be checked without a key are valid: version, protocol, a future expiry.
    const std::uint64_t protocol = transport::perigee_protocol_id;
    const std::uint64_t expire_s = static_cast<std::uint64_t>(std::time(nullptr)) + 30;
    std::byte* at =
        std::copy(transport::version_info.begin(), transport::version_info.end(), datagram + 1);
    std::memcpy(at, &protocol, sizeof protocol);
    std::memcpy(at + sizeof protocol, &expire_s, sizeof expire_s);
  }
  return run;
}

/// Sends one run from one of the sources; returns the number of datagrams sent.
std::size_t send_run(int fd, const sockaddr_in& to, Run& run, std::uint32_t source) {
  iovec part{run.bytes.data(), run.bytes.size()};
  alignas(cmsghdr)
      std::array<std::byte, CMSG_SPACE(sizeof(in_pktinfo)) + CMSG_SPACE(sizeof(std::uint16_t))>
          control{};
  msghdr header{};
  sockaddr_in name = to;
  header.msg_name = &name;
  header.msg_namelen = sizeof name;
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  cmsghdr* message = CMSG_FIRSTHDR(&header);
  message->cmsg_level = IPPROTO_IP;
  message->cmsg_type = IP_PKTINFO;
  message->cmsg_len = CMSG_LEN(sizeof(in_pktinfo));
  in_pktinfo info{};
  info.ipi_spec_dst.s_addr = htonl(first_source + source);
  std::memcpy(CMSG_DATA(message), &info, sizeof info);
  message = CMSG_NXTHDR(&header, message);
  message->cmsg_level = SOL_UDP;
  message->cmsg_type = UDP_SEGMENT;
  message->cmsg_len = CMSG_LEN(sizeof run.piece);
  std::memcpy(CMSG_DATA(message), &run.piece, sizeof run.piece);
  return sendmsg(fd, &header, 0) > 0 ? run_datagrams : 0;
}

int flood(const Options& options, const Address& target) {
  Random random(options.seed);
  std::vector<Run> made;
  for (std::size_t i = 0; i < runs; ++i) made.push_back(make_run(options.kind, random));
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(target.port);
  std::memcpy(&to.sin_addr, target.ip.data(), 4);
  std::uint64_t sent = 0;
  const double begin_s = now_s();
  double passed_s = 0;
  for (std::uint32_t i = 0; (passed_s = now_s() - begin_s) < options.seconds; ++i) {
    if (static_cast<double>(sent) > passed_s * options.per_s) {
      usleep(200);
      continue;
    }
    sent += send_run(fd, to, made[i % runs], i % sources);
  }
  close(fd);
  const nlohmann::ordered_json report{
      {"kind", options.kind},
      {"sent", sent},
      {"per_s", std::llround(static_cast<double>(sent) / passed_s)}};
  std::puts(report.dump().c_str());
  return sent > 0 ? 0 : 1;
}

}  // namespace
}  // namespace perigee::load

int main(int argc, char** argv) {
  using namespace perigee;
  load::Options options;
  CLI::App app{"Floods a UDP port of this machine's loopback, for tests of its defences."};
  app.add_option("--to", options.to, "127.0.0.1:PORT")->required();
  app.add_option("--kind", options.kind,
                 "garbage: random bytes; requests: forged connect requests; sessions: what looks "
                 "like packets of sessions")
      ->check(CLI::IsMember({"garbage", "requests", "sessions"}));
  app.add_option("--per-second", options.per_s, "datagrams offered")->check(CLI::Range(1.0, 1e7));
  app.add_option("--seconds", options.seconds)->check(CLI::Range(0.01, 600.0));
  app.add_option("--seed", options.seed);
  CLI11_PARSE(app, argc, argv);
  const auto target = parse_address(options.to);
  if (!target || target->family != Address::Family::IPv4 || target->ip[0] != 127) {
    std::fprintf(stderr, "perigee-flood: '%s' is refused; it floods 127.0.0.0/8 only\n",
                 options.to.c_str());
    return 2;
  }
  return load::flood(options, *target);
}
