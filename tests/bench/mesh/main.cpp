// bench_mesh: the cost of other workers that are far away from all of a worker's entities: a
// message to each of them now and then, and a check of each entity for each of them.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sodium.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <numeric>

#include "bench/common/suite.hpp"
#include "bench/field/scene.hpp"

namespace perigee::bench {
namespace {

/// With one other worker the search for migrations is active already.
constexpr std::array<std::uint32_t, 5> crowds{0, 1, 25, 100, 199};

struct Cost {
  double tick_us = 0;  ///< mean
  double words_s = 0;  ///< for each other worker
};

Cost play(const Run& run, std::uint32_t crates, std::uint32_t peers) {
  constexpr std::uint32_t players = 20;
  print_progress(std::to_string(peers) + " others, " + std::to_string(crates) + " crates");
  Scene scene({.crates = crates, .drones = 20, .doors = 20}, run.quick ? 2 : players);
  for (int i = 0; i < (run.quick ? 30 : 600); ++i) scene.tick();
  if (peers > 0) scene.add_peers(peers);
  for (int i = 0; i < 60; ++i) scene.tick();
  const std::uint64_t before = scene.words_to_peers();
  const int ticks = run.quick ? 60 : 600;
  std::vector<double> us;
  for (int i = 0; i < ticks; ++i) us.push_back(static_cast<double>(scene.tick()) * 1e-3);
  const auto words = static_cast<double>(scene.words_to_peers() - before);
  return {std::accumulate(us.begin(), us.end(), 0.0) / ticks,
          peers == 0 ? 0 : words / (ticks * seconds_per_tick) / peers};
}

/// Both ends of a TCP connection on loopback.
struct Connection {
  std::array<int, 2> ends{-1, -1};
  Connection() {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    auto* name = reinterpret_cast<sockaddr*>(&at);
    const bool listens = bind(listener, name, size) == 0 && listen(listener, 1) == 0 &&
                         getsockname(listener, name, &size) == 0;
    ends[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listens && connect(ends[0], name, size) == 0) {
      ends[1] = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    }
    close(listener);
    const int on = 1;
    setsockopt(ends[0], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  ~Connection() {
    for (const int end : ends) close(end);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
};

/// A link's cost of the shortest message, at both ends, without polling for it.
Result<double> word_us(const Run& run) {
  constexpr std::size_t head_bytes = 4, word_bytes = 23;
  using Key = std::array<unsigned char, crypto_aead_chacha20poly1305_ietf_KEYBYTES>;
  using Nonce = std::array<unsigned char, crypto_aead_chacha20poly1305_ietf_NPUBBYTES>;
  const Key key{};
  const Nonce nonce{};
  std::array<unsigned char, head_bytes + word_bytes + crypto_aead_chacha20poly1305_ietf_ABYTES>
      frame{}, received{};
  std::array<unsigned char, word_bytes> word{};
  const Connection connection;
  bool well = connection.ends[1] >= 0;
  const double ns = ns_per_call(run.quick ? 100 : 100'000, [&] {
    unsigned long long size = 0;
    crypto_aead_chacha20poly1305_ietf_encrypt(frame.data() + head_bytes, &size, word.data(),
                                              word.size(), frame.data(), head_bytes, nullptr,
                                              nonce.data(), key.data());
    well = well && write(connection.ends[0], frame.data(), frame.size()) > 0 &&
           read(connection.ends[1], received.data(), received.size()) > 0 &&
           crypto_aead_chacha20poly1305_ietf_decrypt(
               word.data(), &size, nullptr, received.data() + head_bytes, size, received.data(),
               head_bytes, nonce.data(), key.data()) == 0;
  });
  if (!well) return Error{"no TCP connection on loopback; is it forbidden here?"};
  return ns * 1e-3;
}

Result<Ok> mesh(const Run& run, Figures& figures) {
  const std::uint32_t few = run.quick ? 100 : 1'000, many = run.quick ? 400 : 8'000;
  Cost one, last;
  for (const std::uint32_t peers : crowds) {
    last = play(run, few, peers);
    if (peers == 1) one = last;
    figures.add("tick_us_" + std::to_string(peers), last.tick_us, "us");
  }
  const std::uint32_t most = crowds.back();
  figures.add("word_per_s", last.words_s, "1/s");
  const Cost fuller_one = play(run, many, 1), fuller = play(run, many, most);
  figures.add("tick_us_fuller_1", fuller_one.tick_us, "us");
  figures.add("tick_us_fuller_199", fuller.tick_us, "us");
  const auto word = word_us(run);
  if (!word) return word.error();
  figures.add("word_us", *word, "us");
  figures.add("peer_us", (last.tick_us - one.tick_us) / (most - 1), "us");
  figures.add("peer_fuller_us", (fuller.tick_us - fuller_one.tick_us) / (most - 1), "us");
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("mesh", argc, argv, perigee::bench::mesh);
}
