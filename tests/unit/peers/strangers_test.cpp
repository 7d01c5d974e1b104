// Unauthenticated peers that dial a worker, and eavesdroppers between two workers.
#include "network.hpp"
#include "perigee/base/speaks.hpp"

namespace perigee::peers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string magic_of(int version) {
  return std::string("peripee") + static_cast<char>('0' + version);
}

struct AWorkerAmongStrangers : testing::Test {
  Network network;
  const Keys keys{key_of(1), std::nullopt};
  Host& low = network.add_worker(WorkerSlot{0}, keys);
  Host& high = network.add_worker(WorkerSlot{1}, keys);
  Host& stranger = network.add_stranger();

  void map() {
    network.map(map_of(2));
    network.run(second_us);
  }
  std::uint64_t counted(Count what) const { return high.core->counts()[what]; }
  /// A connection from the attacker to the worker with the higher slot.
  ConnectionId call() {
    stranger.ended = false;
    stranger.received.clear();
    const ConnectionId id = stranger.dial(high.at);
    network.run(10'000);
    return id;
  }
  /// Records all bytes that `from` sends.
  Bytes overhear(const Host& from, const std::function<void()>& what) {
    Bytes messages;
    network.on_way = [&](const Host& speaker, Bytes bytes) {
      if (&speaker == &from) messages.insert(messages.end(), bytes.begin(), bytes.end());
      return bytes;
    };
    what();
    network.on_way = nullptr;
    return messages;
  }
};

TEST_F(AWorkerAmongStrangers, EndsWhatBeginsWithoutAHello) {
  map();
  for (const std::string_view text : {"GET / HTTP/1.0\r\n\r\n", "x", "peripexx"}) {
    const std::uint64_t before = counted(metric.refused_garbage);
    const ConnectionId id = call();
    stranger.write(id, bytes_of(text));
    network.run(10'000);
    EXPECT_TRUE(stranger.ended) << text;
    EXPECT_EQ(counted(metric.refused_garbage), before + 1);
    EXPECT_THAT(stranger.received, IsEmpty()) << "strangers are not answered";
  }
  EXPECT_TRUE(high.core->linked(WorkerSlot{0}));
}

TEST_F(AWorkerAmongStrangers, TellsABuildThatSpeaksAnotherVersionFromGarbage) {
  map();
  const ConnectionId id = call();
  stranger.write(id, bytes_of(magic_of(workers_version + 1) + ", and whatever a hello is by then"));
  network.run(10'000);
  EXPECT_TRUE(stranger.ended);
  EXPECT_EQ(counted(metric.refused_version), 1U);
  EXPECT_EQ(counted(metric.refused_garbage), 0U);
  EXPECT_TRUE(high.core->linked(WorkerSlot{0}));
}

TEST_F(AWorkerAmongStrangers, SurvivesAnyBytes) {
  map();
  Random random(3);
  for (int i = 0; i < 2'000; ++i) {
    const ConnectionId id = call();
    Bytes bytes(1 + random.below(300));
    for (std::byte& b : bytes) b = static_cast<std::byte>(random.next());
    const bool looks_right = random.below(2) == 0;
    if (looks_right && bytes.size() >= 8) {
      const Bytes magic = bytes_of(magic_of(workers_version));
      std::copy(magic.begin(), magic.end(), bytes.begin());
    }
    stranger.write(id, bytes);
    network.run(10'000);
    EXPECT_THAT(stranger.received, IsEmpty());
  }
  network.run(3 * second_us);
  EXPECT_TRUE(high.core->linked(WorkerSlot{0}));
  EXPECT_THAT(high.lost, IsEmpty());
  EXPECT_EQ(network.open_connections(high), 1U);
}

TEST_F(AWorkerAmongStrangers, EndsWhatSaysNothing) {
  map();
  call();
  network.run(Core::handshake_us_max + 100'000);
  EXPECT_TRUE(stranger.ended);
  EXPECT_EQ(counted(metric.refused_slow), 1U);
}

// Many hold connections open; a peer with the key still gets a connection at once.
TEST_F(AWorkerAmongStrangers, IsReachedThroughACrowd) {
  for (int i = 0; i < 100; ++i) stranger.dial(high.at);
  network.run(10'000);
  network.map(map_of(2));
  network.run(10'000);
  EXPECT_TRUE(low.core->linked(WorkerSlot{1}) && high.core->linked(WorkerSlot{0}));
  for (int i = 0; i < 100; ++i) stranger.dial(high.at);
  network.run(100'000);
  EXPECT_TRUE(low.core->linked(WorkerSlot{1}) && high.core->linked(WorkerSlot{0}))
      << "what stands is not touched";
  EXPECT_GE(counted(metric.refused_crowd), 200 - Core::strangers_max);
  EXPECT_LE(network.open_connections(high), Core::strangers_max + 1);
}

TEST_F(AWorkerAmongStrangers, IsNotLinkedByAnotherKey) {
  Network other;
  Host& with = other.add_worker(WorkerSlot{0}, {key_of(1), std::nullopt});
  Host& without = other.add_worker(WorkerSlot{1}, {key_of(2), std::nullopt});
  other.map(map_of(2));
  other.run(5 * second_us);
  EXPECT_FALSE(with.core->linked(WorkerSlot{1}) || without.core->linked(WorkerSlot{0}));
  EXPECT_GT(without.core->counts()[metric.refused_secret], 0U);
  EXPECT_GT(with.core->counts()[metric.refused_by_peer], 0U);
}

TEST_F(AWorkerAmongStrangers, IsLinkedByThePreviousKeyWhileTheKeyIsChanged) {
  for (const auto& [dialler, accepter] :
       {std::pair{Keys{key_of(1), {}}, Keys{key_of(2), key_of(1)}},
        {Keys{key_of(2), key_of(1)}, Keys{key_of(1), key_of(2)}}}) {
    Network other;
    Host& first = other.add_worker(WorkerSlot{0}, dialler);
    Host& second = other.add_worker(WorkerSlot{1}, accepter);
    other.map(map_of(2));
    other.run(second_us);
    EXPECT_TRUE(first.core->linked(WorkerSlot{1}) && second.core->linked(WorkerSlot{0}));
  }
}

// An attacker replays all bytes that a worker sent: without the key it cannot answer a fresh
// challenge.
TEST_F(AWorkerAmongStrangers, IsNotDeceivedByARecordedHandshake) {
  const Bytes recorded = overhear(low, [&] {
    map();
    low.core->send(network.now_us, WorkerSlot{1}, bytes_of("once"));
    network.run(10'000);
  });
  ASSERT_THAT(high.messages, ElementsAre("0:once"));
  constexpr std::size_t hello_bytes = 88;
  ASSERT_GT(recorded.size(), hello_bytes);
  const auto hello = std::span(recorded).first(hello_bytes);
  const ConnectionId id = call();
  stranger.write(id, hello);
  network.run(10'000);
  EXPECT_EQ(stranger.received.size(), 64U) << "anybody may say an old hello again";
  stranger.write(id, std::span(recorded).subspan(hello_bytes));
  network.run(10'000);
  EXPECT_TRUE(stranger.ended);
  EXPECT_EQ(counted(metric.refused_secret), 1U);
  EXPECT_THAT(high.messages, ElementsAre("0:once"));
  EXPECT_THAT(high.lost, IsEmpty()) << "the link that stands is not touched";
}

TEST_F(AWorkerAmongStrangers, IsNotMadeToKeepAnythingByARecordedHello) {
  const Bytes recorded = overhear(low, [&] { map(); });
  const ConnectionId id = call();
  stranger.write(id, std::span(recorded).first(86));
  network.run(10'000);
  const std::uint32_t large = 1 << 20;
  stranger.write(id, std::as_bytes(std::span(&large, 1)));
  network.run(10'000);
  EXPECT_TRUE(stranger.ended);
}

// An attacker between two workers: every flipped bit, duplicated or withheld frame ends the link.
TEST_F(AWorkerAmongStrangers, LosesALinkWhoseFramesAreTamperedWith) {
  map();
  std::size_t bit = 0;
  for (const std::string_view what : {"flip", "double", "withhold", "swap"}) {
    SCOPED_TRACE(what);
    high.lost.clear();
    high.messages.clear();
    Bytes held;
    network.on_way = [&](const Host& from, Bytes bytes) {
      if (&from != &low || bytes.size() < 40) return bytes;
      if (what == "flip") bytes[5 + bit / 8 % 30] ^= static_cast<std::byte>(1U << bit % 8);
      if (what == "double") bytes.insert(bytes.end(), bytes.begin(), bytes.end());
      if (what == "withhold" && held.empty()) {
        held = bytes;
        return Bytes{};
      }
      if (what == "swap" && held.empty()) {
        held.swap(bytes);
      } else if (what == "swap") {
        bytes.insert(bytes.end(), held.begin(), held.end());
      }
      return bytes;
    };
    low.core->send(network.now_us, WorkerSlot{1},
                   bytes_of("one, and long enough to be told from a beat"));
    low.core->send(network.now_us, WorkerSlot{1},
                   bytes_of("two, and long enough to be told from a beat"));
    network.run(10'000);
    EXPECT_THAT(high.lost, ElementsAre(metric.lost_broken));
    EXPECT_LE(high.messages.size(), what == "double" ? 1U : 0U);
    network.on_way = nullptr;
    network.run(second_us);
    EXPECT_TRUE(low.core->linked(WorkerSlot{1}) && high.core->linked(WorkerSlot{0}));
    bit += 77;
  }
}

TEST_F(AWorkerAmongStrangers, AnswersNoHelloWithAFlippedBit) {
  network.map(map_of(2));
  Bytes hello;
  network.on_way = [&](const Host& from, Bytes bytes) {
    if (&from == &low && hello.empty()) hello = bytes;
    return Bytes{};
  };
  network.run(10'000);
  network.on_way = nullptr;
  ASSERT_EQ(hello.size(), 88U);
  for (std::size_t bit = 0; bit < hello.size() * 8; ++bit) {
    Bytes flipped = hello;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    const ConnectionId id = call();
    stranger.write(id, flipped);
    network.run(10'000);
    EXPECT_TRUE(stranger.ended) << "bit " << bit;
    EXPECT_THAT(stranger.received, IsEmpty()) << "bit " << bit;
  }
}

// The dialler's own bytes, reflected, are not accepted as its peer's answer.
TEST_F(AWorkerAmongStrangers, IsNotLinkedWithItsOwnEcho) {
  network.on_way = [&](const Host& from, Bytes bytes) {
    return &from == &high ? Bytes(64) : bytes;
  };
  network.map(map_of(2));
  network.run(second_us);
  EXPECT_FALSE(low.core->linked(WorkerSlot{1}));
  EXPECT_GT(low.core->counts()[metric.refused_secret], 0U);
}

TEST_F(AWorkerAmongStrangers, AnswersNobodyOfAnotherClusterOrWithTheWrongSlot) {
  Host& liar = network.add_worker(WorkerSlot{2}, keys);
  network.map(map_of(2));
  ClusterMap theirs = map_of(3);
  for (const auto& change : std::vector<std::function<void(ClusterMap&)>>{
           [](ClusterMap& map) { map.cluster_id = 78; },
           [](ClusterMap& map) { map.workers[1].incarnation = Incarnation{5}; },
           [](ClusterMap& map) { map.workers[0].incarnation = Incarnation{5}; }}) {
    const std::uint64_t before = counted(metric.refused_unknown);
    ClusterMap map = theirs;
    change(map);
    liar.core->on_map(network.now_us, map, WorkerSlot{0});
    network.run(10'000);
    EXPECT_EQ(counted(metric.refused_unknown), before + 1);
    EXPECT_FALSE(liar.core->linked(WorkerSlot{1}));
  }
}

}  // namespace
}  // namespace perigee::peers
