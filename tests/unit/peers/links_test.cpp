// Links that are up, are lost, and are made again.
#include "network.hpp"

namespace perigee::peers {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

struct TwoWorkers : testing::Test {
  Network network;
  Host& low = network.add_worker(WorkerSlot{0});
  Host& high = network.add_worker(WorkerSlot{1});

  void link() {
    network.map(map_of(2));
    network.run(second_us);
    ASSERT_TRUE(low.core->linked(WorkerSlot{1}) && high.core->linked(WorkerSlot{0}));
  }
  void send_text(Host& from, WorkerSlot to, std::string_view text) {
    from.core->send(network.now_us, to, bytes_of(text));
  }
};

TEST_F(TwoWorkers, AreLinkedByOneConnectionThatTheLowerSlotDials) {
  link();
  EXPECT_EQ(network.open_connections(low), 1U);
  EXPECT_EQ(network.open_connections(high), 1U);
  EXPECT_EQ(low.core->counts()[metric.linked], 1U);
  EXPECT_EQ(high.core->counts()[metric.linked], 1U);
  EXPECT_EQ(low.core->links(), 1U);
}

TEST_F(TwoWorkers, ReceiveEachOthersMessagesInOrderWholeAndOnce) {
  link();
  std::vector<std::string> sent;
  for (int i = 0; i < 50; ++i) {
    const std::string word(static_cast<std::size_t>(1 + i * i * 40),
                           static_cast<char>('a' + i % 26));
    send_text(low, WorkerSlot{1}, word);
    send_text(high, WorkerSlot{0}, "back " + std::to_string(i));
    sent.push_back("0:" + word);
  }
  network.run(100'000);
  EXPECT_EQ(high.messages, sent);
  EXPECT_EQ(low.messages.size(), 50U);
  EXPECT_EQ(low.messages.back(), "1:back 49");
}

TEST_F(TwoWorkers, ReceiveMessagesThatTheNetworkCutsIntoPieces) {
  link();
  // One byte at a time: every group is read in as many pieces as possible.
  Bytes held;
  network.on_way = [&](const Host& from, Bytes bytes) {
    if (&from != &low) return bytes;
    held.insert(held.end(), bytes.begin(), bytes.end());
    return Bytes{};
  };
  send_text(low, WorkerSlot{1}, "first");
  send_text(low, WorkerSlot{1}, "second");
  Bytes all;
  all.swap(held);
  network.on_way = nullptr;
  const ConnectionId at_high = 2;  // the first dial made 1 and 2
  for (const std::byte b : all) high.core->on_bytes(network.now_us, at_high, std::span(&b, 1));
  EXPECT_THAT(high.messages, ElementsAre("0:first", "0:second"));
}

TEST_F(TwoWorkers, CarryTheLargestWord) {
  link();
  send_text(low, WorkerSlot{1}, std::string(Core::message_bytes_max, 'x'));
  network.run(100'000);
  ASSERT_EQ(high.messages.size(), 1U);
  EXPECT_EQ(high.messages.front().size(), Core::message_bytes_max + 2);
}

TEST_F(TwoWorkers, ReceiveTogetherWhatWasSentTogether) {
  link();
  Bytes written;
  network.on_way = [&](const Host& from, Bytes bytes) {
    if (&from == &low) written.insert(written.end(), bytes.begin(), bytes.end());
    return Bytes{};
  };
  low.core->hold();
  const std::string long_one(3 << 19, 'x');
  send_text(low, WorkerSlot{1}, "first");
  send_text(low, WorkerSlot{1}, long_one);
  send_text(low, WorkerSlot{1}, "last");
  EXPECT_THAT(written, IsEmpty()) << "whoever dies now has sent nothing";
  low.core->release(network.now_us);
  network.on_way = nullptr;
  const ConnectionId at_high = 2;  // the first dial made 1 and 2
  const std::span<const std::byte> all(written);
  high.core->on_bytes(network.now_us, at_high, all.first(all.size() - 1));
  EXPECT_THAT(high.messages, IsEmpty()) << "nor whoever dies before all of it is on its way";
  high.core->on_bytes(network.now_us, at_high, all.last(1));
  EXPECT_THAT(high.messages, ElementsAre("0:first", "0:" + long_one, "0:last"));
}

TEST_F(TwoWorkers, ReceiveNothingOfWhatWasHeldWhenTheirLinkWasLost) {
  link();
  low.core->hold();
  send_text(low, WorkerSlot{1}, "lost");
  network.cut(low);
  network.run(500'000);
  low.core->release(network.now_us);
  send_text(low, WorkerSlot{1}, "after");
  network.run(100'000);
  EXPECT_THAT(high.messages, ElementsAre("0:after"));
}

TEST_F(TwoWorkers, LoseALinkForWhichTooMuchIsHeld) {
  link();
  low.core->hold();
  const std::string much(1 << 20, 'x');
  for (std::size_t i = 0; i < Core::unsent_bytes_max >> 20; ++i)
    send_text(low, WorkerSlot{1}, much);
  EXPECT_THAT(low.lost, ElementsAre(metric.lost_overflow));
  low.core->release(network.now_us);
}

TEST_F(TwoWorkers, StayLinkedWithoutAnythingToSay) {
  link();
  network.run(60 * second_us);
  EXPECT_THAT(low.lost, IsEmpty());
  EXPECT_THAT(high.lost, IsEmpty());
}

TEST_F(TwoWorkers, AreLinkedAnewAfterACut) {
  link();
  network.cut(low);
  send_text(high, WorkerSlot{0}, "lost");
  network.run(500'000);
  EXPECT_THAT(low.lost, ElementsAre(metric.lost_closed));
  EXPECT_THAT(high.lost, ElementsAre(metric.lost_closed));
  EXPECT_TRUE(low.core->linked(WorkerSlot{1}) && high.core->linked(WorkerSlot{0}));
  send_text(high, WorkerSlot{0}, "after");
  network.run(100'000);
  EXPECT_THAT(low.messages, ElementsAre("1:after")) << "nothing is sent again";
}

TEST_F(TwoWorkers, GiveUpAPeerThatIsStoppedAndComeBackToIt) {
  link();
  high.deaf = true;
  network.run(3 * second_us);
  EXPECT_THAT(low.lost, ElementsAre(metric.lost_silent));
  EXPECT_FALSE(low.core->linked(WorkerSlot{1}));
  high.deaf = false;
  network.run(5 * second_us);
  EXPECT_TRUE(low.core->linked(WorkerSlot{1}) && high.core->linked(WorkerSlot{0}));
  EXPECT_EQ(network.open_connections(high), 1U) << "the half of the old one is gone";
}

// The worker's own clock jumped, too: a worker that did not run cannot conclude that the peer was
// silent.
TEST_F(TwoWorkers, DoNotTakeTheirOwnStallForTheOthersSilence) {
  link();
  network.now_us += 10 * second_us;
  low.core->advance(network.now_us);
  EXPECT_THAT(low.lost, IsEmpty());
}

TEST_F(TwoWorkers, LoseALinkThatNobodyReads) {
  link();
  network.stopped_up = true;
  const std::string much(1 << 20, 'x');
  for (std::size_t i = 0; i < Core::unsent_bytes_max >> 20; ++i)
    send_text(low, WorkerSlot{1}, much);
  EXPECT_THAT(low.lost, ElementsAre(metric.lost_overflow));
  send_text(low, WorkerSlot{1}, "too late");
  EXPECT_EQ(low.core->counts()[metric.words_unsent], 2U);
  network.stopped_up = false;
  network.run(second_us);
  EXPECT_TRUE(low.core->linked(WorkerSlot{1}) && high.core->linked(WorkerSlot{0}));
}

TEST_F(TwoWorkers, DialMoreAndMoreSeldomWhileNobodyIsThere) {
  ClusterMap map = map_of(2);
  map.workers[1].fabric.port = 1;
  low.core->on_map(network.now_us, map, WorkerSlot{0});
  network.run(60 * second_us);
  const std::uint64_t dials = low.core->counts()[metric.unreachable];
  EXPECT_GE(dials, 25U) << "at least every 2 s";
  EXPECT_LE(dials, 40U);
  low.core->on_map(network.now_us, map_of(2), WorkerSlot{0});
  high.core->on_map(network.now_us, map_of(2), WorkerSlot{1});
  network.run(100'000);
  EXPECT_TRUE(low.core->linked(WorkerSlot{1})) << "another address is tried at once";
}

// The accepter may have the older map.
TEST_F(TwoWorkers, AreLinkedOnceBothHaveTheMap) {
  low.core->on_map(network.now_us, map_of(2), WorkerSlot{0});
  network.run(second_us);
  EXPECT_GT(high.core->counts()[metric.refused_unknown], 0U);
  EXPECT_GT(low.core->counts()[metric.refused_by_peer], 0U);
  high.core->on_map(network.now_us, map_of(2), WorkerSlot{1});
  network.run(3 * second_us);
  EXPECT_TRUE(low.core->linked(WorkerSlot{1}) && high.core->linked(WorkerSlot{0}));
}

// The sockets know the reason.
TEST_F(TwoWorkers, CountTheEndOfAConnectionAsTheSocketsSay) {
  const Core::End end{metric.refused_revoked, metric.lost_revoked};
  network.map(map_of(2));
  low.core->on_closed(network.now_us, 1, end);  // the first dial made 1 and 2
  EXPECT_EQ(low.core->counts()[metric.refused_revoked], 1U);
  EXPECT_EQ(low.core->counts()[metric.unreachable], 0U);
  network.run(second_us);
  ASSERT_TRUE(low.core->linked(WorkerSlot{1}));
  low.core->on_closed(network.now_us, 3, end);
  EXPECT_THAT(low.lost, ElementsAre(metric.lost_revoked));
}

TEST_F(TwoWorkers, EndTheirLinkWhenTheMapSaysSo) {
  for (const auto& change : std::vector<std::function<void(ClusterMap&)>>{
           [](ClusterMap& map) { map.workers[1].alive = false; },
           [](ClusterMap& map) { map.workers.pop_back(); }}) {
    link();
    ClusterMap map = map_of(2);
    change(map);
    network.map(map);
    network.run(second_us);
    EXPECT_EQ(low.core->neighbours(), 0U);
    EXPECT_EQ(network.open_connections(low), 0U);
    EXPECT_EQ(network.open_connections(high), 0U);
  }
  EXPECT_THAT(low.lost, Contains(metric.lost_unwanted));
}

TEST_F(TwoWorkers, BeginAnewWithAnotherIncarnationOfTheirPeerOrOfTheCluster) {
  link();
  for (const auto& change : std::vector<std::function<void(ClusterMap&)>>{
           [](ClusterMap& map) { map.workers[1].incarnation = Incarnation{2}; },
           [](ClusterMap& map) { map.workers[0].incarnation = Incarnation{2}; },
           [](ClusterMap& map) { map.cluster_id = 78; }}) {
    const std::uint64_t before = high.core->counts()[metric.linked];
    ClusterMap map = map_of(2);
    change(map);
    network.map(map);
    network.run(second_us);
    EXPECT_EQ(high.core->counts()[metric.linked], before + 1);
    EXPECT_TRUE(low.core->linked(WorkerSlot{1}) && high.core->linked(WorkerSlot{0}));
  }
}

// A process that is back before the loss of its old connection is noticed dials a second time.
TEST_F(TwoWorkers, KeepTheNewerOfTwoLinks) {
  link();
  Host& again = network.add_worker(WorkerSlot{0});
  again.core->on_map(network.now_us, map_of(2), WorkerSlot{0});
  network.run(100'000);
  EXPECT_TRUE(again.core->linked(WorkerSlot{1}));
  EXPECT_THAT(high.lost, ElementsAre(metric.lost_replaced));
  EXPECT_EQ(network.open_connections(high), 1U);
  send_text(again, WorkerSlot{1}, "new");
  network.run(50'000);
  EXPECT_THAT(high.messages, ElementsAre("0:new"));
}

TEST(ManyWorkers, AreLinkedPairwiseAndFindEachOtherAfterEachCut) {
  Network network;
  std::vector<Host*> workers;
  for (const WorkerSlot slot : worker_slots(6)) {
    workers.push_back(&network.add_worker(slot));
  }
  network.map(map_of(6));
  network.run(second_us);
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    network.cut(*workers[random.below(6)]);
    network.run(second_us);
    for (Host* worker : workers) {
      EXPECT_EQ(worker->core->links(), 5U);
      EXPECT_EQ(network.open_connections(*worker), 5U);
    }
  }
}

}  // namespace
}  // namespace perigee::peers
