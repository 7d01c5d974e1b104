// Peers that dial a worker without being one of its map. Over TLS they need a member's certificate
// for that; without TLS they need nothing.
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
  Host& low = network.add_worker(WorkerSlot{0});
  Host& high = network.add_worker(WorkerSlot{1});
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
  /// The hello of the worker with the lower slot, as `theirs` says.
  Bytes hello_of(const ClusterMap& theirs) {
    Bytes hello;
    network.on_way = [&](const Host& from, Bytes bytes) {
      if (&from == &low) hello = std::move(bytes);
      return Bytes{};
    };
    low.core->on_map(network.now_us, theirs, WorkerSlot{0});
    network.run(10'000);
    network.on_way = nullptr;
    EXPECT_EQ(hello.size(), hello_bytes);
    return hello;
  }
  static constexpr std::size_t hello_bytes = 24;
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

// Many hold connections open; a worker still gets a connection at once.
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

// A dialler is silent until it is welcome, so a stranger has no reason to send more.
TEST_F(AWorkerAmongStrangers, KeepsNoMoreThanAHelloOfAStranger) {
  Bytes hello = hello_of(map_of(2));
  high.core->on_map(network.now_us, map_of(2), WorkerSlot{1});
  hello.push_back(std::byte{0});
  stranger.write(call(), hello);
  network.run(10'000);
  EXPECT_TRUE(stranger.ended);
  EXPECT_THAT(stranger.received, IsEmpty());
  EXPECT_EQ(counted(metric.refused_garbage), 1U);
}

TEST_F(AWorkerAmongStrangers, ReadsAHelloThatComesByteByByte) {
  const Bytes hello = hello_of(map_of(2));
  high.core->on_map(network.now_us, map_of(2), WorkerSlot{1});
  const ConnectionId id = call();
  for (const std::byte each : hello) {
    EXPECT_THAT(stranger.received, IsEmpty());
    stranger.write(id, {&each, 1});
    network.run(10'000);
  }
  EXPECT_EQ(stranger.received.size(), hello_bytes);
  EXPECT_EQ(counted(metric.linked), 1U);
}

TEST_F(AWorkerAmongStrangers, LosesALinkWhoseGroupsDoNotFit) {
  const Bytes hello = hello_of(map_of(2));
  high.core->on_map(network.now_us, map_of(2), WorkerSlot{1});
  for (const std::string_view group :
       {std::string_view("\xff\xff\xff\x7f", 4),      // 2 GiB
        std::string_view("\4\0\0\0\0\0\0\0", 8),      // an empty message
        std::string_view("\5\0\0\0\2\0\0\0x", 9)}) {  // a message beyond its group
    high.lost.clear();
    const ConnectionId id = call();
    stranger.write(id, hello);
    network.run(10'000);
    ASSERT_TRUE(high.core->linked(WorkerSlot{0}));
    stranger.write(id, bytes_of(group));
    network.run(10'000);
    EXPECT_THAT(high.lost, ElementsAre(metric.lost_broken));
    EXPECT_TRUE(stranger.ended);
    EXPECT_THAT(high.messages, IsEmpty());
  }
}

// Without TLS another process may answer at the port of a worker.
TEST_F(AWorkerAmongStrangers, IsLinkedOnlyWithTheWorkerThatItHasDialled) {
  for (const auto& [bend, why] : std::vector<std::pair<std::function<void(Bytes&)>, Count>>{
           {[](Bytes& welcome) { welcome[0] = std::byte{'x'}; }, metric.refused_garbage},
           {[](Bytes& welcome) { welcome[7] = std::byte{'0'}; }, metric.refused_version},
           {[](Bytes& welcome) { welcome[12] ^= std::byte{1}; }, metric.refused_unknown},
           {[](Bytes& welcome) { welcome[16] ^= std::byte{1}; }, metric.refused_unknown},
           {[](Bytes& welcome) { welcome.assign(30, std::byte{7}); }, metric.refused_garbage}}) {
    const std::uint64_t before = low.core->counts()[why];
    network.on_way = [&, bend = bend](const Host& from, Bytes bytes) {
      if (&from == &high) bend(bytes);
      return bytes;
    };
    network.map(map_of(2));
    network.run(second_us);
    EXPECT_FALSE(low.core->linked(WorkerSlot{1}));
    EXPECT_GT(low.core->counts()[why], before);
    ClusterMap alone = map_of(2);
    alone.workers.pop_back();
    network.map(alone);
    network.run(second_us);
  }
}

TEST_F(AWorkerAmongStrangers, AnswersNobodyOfAnotherClusterOrWithTheWrongSlot) {
  Host& liar = network.add_worker(WorkerSlot{2});
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
