// bench_door: the gateway's cost of an unauthenticated datagram until it is rejected.
#include <algorithm>
#include <vector>

#include "bench/common/suite.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/transport/client.hpp"
#include "perigee/transport/server.hpp"

namespace perigee::bench {
namespace {

using namespace transport;
using Bytes = std::vector<std::byte>;
constexpr std::uint64_t unix_s = 1'800'000'000;
const Address door = Address::v4(203, 0, 113, 1, 40'000);

struct Nowhere : Outbox {
  void send(const Address&, std::span<const std::byte> datagram) override { keep(datagram); }
};

class Strangers {
 public:
  Strangers() : server_(settings(), system_random_bytes(), nowhere_) {}

  /// Right size, version, protocol id and expiry; the rest is noise. Each from another address.
  double forged_request_ns(std::uint64_t count) {
    std::vector<Bytes> requests(64, request());
    for (Bytes& bytes : requests) noise(std::span(bytes).subspan(30));
    return receive(requests, count);
  }
  double foreign_bytes_ns(std::uint64_t count) {
    std::vector<Bytes> datagrams;
    for (std::size_t i = 0; i < 64; ++i) {
      datagrams.emplace_back(100 + 16 * i);
      noise(datagrams.back());
      datagrams.back()[0] = std::byte{0x85};
    }
    return receive(datagrams, count);
  }
  /// A genuine header with noise after it, as fast as possible: most of them exceed the rate limit.
  double copied_header_ns(std::uint64_t count) {
    std::vector<Bytes> requests(64, request());
    for (Bytes& bytes : requests) noise(std::span(bytes).subspan(54));
    return receive(requests, count);
  }
  /// Genuine tokens, each once: opened, remembered, challenged.
  double opened_request_ns(std::size_t count) {
    std::vector<Bytes> requests;
    for (std::size_t i = 0; i < count; ++i) requests.push_back(request());
    return receive(requests, count);
  }

 private:
  ServerSettings settings() {
    noise(key_);
    return {.private_key = key_, .address = door, .clients_max = clients_limit};
  }
  void noise(std::span<std::byte> out) {
    for (std::byte& b : out) b = static_cast<std::byte>(random_.next());
  }
  Bytes request() {
    ConnectTokenSpec spec{.create_time_s = unix_s, .expire_time_s = unix_s + 30};
    spec.client_id = ++clients_;
    spec.public_addresses.push_back(door);
    spec.server_addresses.push_back(door);
    Client client;
    client.begin(0, make_connect_token(spec, key_, system_random_bytes()).value());
    const auto out = client.poll_send();
    return {out->datagram.begin(), out->datagram.end()};
  }
  double receive(std::vector<Bytes>& datagrams, std::uint64_t count) {
    std::uint32_t n = 0;
    return ns_per_call(count, [&] {
      const Address from =
          Address::v4(10, static_cast<std::uint8_t>(n >> 16), static_cast<std::uint8_t>(n >> 8),
                      static_cast<std::uint8_t>(n), 5'000);
      keep(server_.receive(0, unix_s, from, datagrams[n++ % datagrams.size()]));
    });
  }

  Random random_{7};
  Key key_{};
  std::uint64_t clients_ = 0;
  Nowhere nowhere_;
  Server server_;
};

Result<Ok> door_suite(const Run& run, Figures& figures) {
  if (const auto crypto = init_crypto(); !crypto) return crypto.error();
  const std::uint64_t count = run.quick ? 10'000 : 1'000'000;
  std::vector<double> forged, foreign, copied, opened;
  for (int round = 0; round < run.rounds(); ++round) {
    Strangers strangers;
    forged.push_back(strangers.forged_request_ns(count));
    foreign.push_back(strangers.foreign_bytes_ns(count));
    copied.push_back(strangers.copied_header_ns(count));
    opened.push_back(strangers.opened_request_ns(4'000));
  }
  figures.add("forged_request_ns", median(forged), "ns");
  figures.add("foreign_bytes_ns", median(foreign), "ns");
  figures.add("copied_header_ns", median(copied), "ns");
  figures.add("opened_request_ns", median(opened), "ns");
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("door", argc, argv, perigee::bench::door_suite);
}
